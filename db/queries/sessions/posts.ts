// Statements on forum posts of sessions and huts, and their replies; use cases run them.
import { and, asc, desc, eq, getTableColumns, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Database, schema } from "#db/connect.server";
import { roleInHut } from "#db/queries/hut-role";
import { selectPeopleNamed } from "#db/queries/mentions";
import { type IdPage, isAfterCursor, offsetOf } from "#db/queries/pagination";
import { isShownTo } from "#db/queries/safety/blocks";
import { selectSanctionsIn } from "#db/queries/safety/sanctions";
import { isBannedFrom, isVisible, type Viewer } from "#db/queries/visibility";
import type { SeatRole } from "~/domain/roles";
import type { Instant } from "~/domain/time";

const { posts, huts, sessions, participants } = schema;
const replies = alias(posts, "replies");

/** The forum of a session or a hut. */
export type Forum = { sessionId: number } | { hutId: number };
/** A forum by its id, or by the slug of its hut. */
type ForumAddress = Forum | { hutSlug: string };
const isInForum = (forum: ForumAddress) => {
  if ("sessionId" in forum) return eq(posts.sessionId, forum.sessionId);
  if ("hutId" in forum) return eq(posts.hutId, forum.hutId);
  return sql`${posts.hutId} = (SELECT id FROM huts WHERE slug = ${forum.hutSlug})`;
};
/** The post begins a thread of the forum, and no block hides its author from `viewerId` (Q-11). */
const isThreadOf = (forum: ForumAddress, viewerId: number, page: IdPage) =>
  and(
    isInForum(forum),
    isNull(posts.parentId),
    isShownTo(posts.userId, viewerId),
    isAfterCursor(posts.id, page),
  );

export type NewPost = Omit<typeof posts.$inferInsert, "sessionId" | "hutId" | "id">;

/** Inserts a post. The ledger entry that pays for it refuses a second insert of the same uuid. */
export const insertPost = (db: Database, forum: Forum, post: NewPost) =>
  db
    .insert(posts)
    .values({ ...post, ...forum })
    .returning();

/** A post of this forum that `viewerId` sees and that can take a reply; a removed post cannot. */
export const findPost = (db: Database, forum: Forum, id: number, viewerId: number) =>
  db
    .select({ id: posts.id, parentId: posts.parentId })
    .from(posts)
    .where(
      and(eq(posts.id, id), isInForum(forum), isNull(posts.removedAt), isShownTo(posts.userId, viewerId)),
    )
    .limit(1);

/** Selects the ids of a thread's people who may still read it, except `actorId` (N-25). */
export function selectPeopleOfThread(
  forum: Forum,
  threadId: number,
  actorId: number,
): { author: SQL; repliers: SQL } {
  const reader = sql`p.user_id`;
  // With a join code the forum is for people with a seat (R-16).
  const mayRead =
    "sessionId" in forum
      ? sql`EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${forum.sessionId} AND ${isVisible("sessions", "s", reader)}
          AND (s.join_code = '' OR EXISTS (SELECT 1 FROM participants seat WHERE seat.session_id = s.id AND seat.user_id = ${reader})))`
      : sql`EXISTS (SELECT 1 FROM huts h WHERE h.id = ${forum.hutId} AND ${isVisible("huts", "h", reader)})`;
  const selectPeople = (condition: SQL) =>
    sql`SELECT p.user_id AS id FROM posts p WHERE ${condition} AND p.removed_at IS NULL AND p.user_id <> ${actorId} AND ${mayRead}`;
  return {
    author: selectPeople(sql`p.id = ${threadId}`),
    repliers: selectPeople(
      sql`p.parent_id = ${threadId} AND p.user_id <> (SELECT user_id FROM posts WHERE id = ${threadId})`,
    ),
  };
}

/** Selects the ids of people with these names (in lower case), except people who get a notice of the reply. */
export function selectMentionedPeople(
  names: readonly string[],
  actorId: number,
  { author, repliers }: { author: SQL; repliers: SQL },
): SQL {
  const getsReplyNotice = (people: SQL) =>
    sql`named.id IN (${people}) AND NOT EXISTS (SELECT 1 FROM notice_settings ns WHERE ns.user_id = named.id AND ns.kind = 'reply' AND ns.channel = 'app' AND ns.value = 0)`;
  return sql`SELECT id FROM (${selectPeopleNamed(names, actorId)}) named WHERE NOT (${getsReplyNotice(author)}) AND NOT (${getsReplyNotice(repliers)})`;
}

/** Selects the id of this person's newest post. */
export const selectNewestPost = (userId: number): SQL =>
  sql`(SELECT max(id) FROM posts WHERE user_id = ${userId})`;

/** Selects the id of this person's newest reply in the thread. */
export const selectNewestReply = (threadId: number, userId: number): SQL =>
  sql`(SELECT max(id) FROM posts WHERE parent_id = ${threadId} AND user_id = ${userId})`;

/** A post with its session or hut, and this user's role in it. */
export const findPostInPlace = (db: Database, id: number, userId: Viewer) =>
  db
    .select({
      post: posts,
      joinCode: sessions.joinCode,
      seatRole: sql<SeatRole | null>`${participants.role}`.as("seat_role"),
      isHost: sql<boolean | null>`${participants.isHost}`
        .mapWith((value) => (value === null ? null : Boolean(value)))
        .as("seat_is_host"),
      hutOwnerId: sql<number | null>`${huts.ownerId}`.as("hut_owner_id"),
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      placeTitle: sql<string>`coalesce(${huts.title}, ${sessions.title}, '')`.as("place_title"),
      hutRole: roleInHut(userId),
      sanctions: selectSanctionsIn(userId, {
        sessionId: sql`${posts.sessionId}`,
        seriesId: sql`${sessions.seriesId}`,
        hutId: sql`coalesce(${posts.hutId}, ${sessions.hutId})`,
      }),
    })
    .from(posts)
    .leftJoin(sessions, eq(sessions.id, posts.sessionId))
    .leftJoin(
      participants,
      and(
        eq(participants.sessionId, posts.sessionId),
        eq(participants.userId, userId),
        sql`NOT ${isBannedFrom(sql`${sessions.hutId}`, userId)}`,
      ),
    )
    .leftJoin(huts, eq(huts.id, posts.hutId))
    .where(
      and(
        eq(posts.id, id),
        sql`(${posts.sessionId} IS NULL OR ${isVisible("sessions", "sessions", userId)})`,
        sql`(${posts.hutId} IS NULL OR ${isVisible("huts", "huts", userId)})`,
      ),
    )
    .limit(1);

type PostText = { title: string; content: string; contentHtml: string; summary: string };

/** No row when the post was removed meanwhile. */
export const updatePost = (db: Database, id: number, text: PostText, now: Instant) =>
  db
    .update(posts)
    .set({ ...text, editedAt: now, updatedAt: now })
    .where(and(eq(posts.id, id), isNull(posts.removedAt)))
    .returning();

/** Selects the people of `people` without a notice of a mention in this post; nobody if the post was removed. */
export const selectUnnotified = (people: SQL, post: number): SQL =>
  sql`SELECT id FROM (${people}) recipients WHERE EXISTS (SELECT 1 FROM posts WHERE id = ${post} AND removed_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM notices n WHERE n.user_id = recipients.id AND n.kind = 'mention' AND n.body ->> '$.post' = ${post})`;

/** Erases title and text; the row keeps the post's position in its thread. */
export const erasePost = (db: Database, id: number, now: Instant) =>
  db
    .update(posts)
    .set({ title: "", content: "", contentHtml: "", summary: "", removedAt: now, updatedAt: now })
    .where(and(eq(posts.id, id), isNull(posts.removedAt)));

/** Threads, newest first; at most `perPage` + 1 rows, because the extra row shows that a next page exists (C-05). */
export const listPosts = (db: Database, forum: ForumAddress, viewerId: number, page: IdPage) =>
  db
    .select()
    .from(posts)
    .where(isThreadOf(forum, viewerId, page))
    .orderBy(desc(posts.id))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));
export type PostRow = Awaited<ReturnType<typeof listPosts>>[number];

/** The replies to the threads of that page, as `listNewestReplies` bounds them. */
export const listReplies = (
  db: Database,
  forum: ForumAddress,
  viewerId: number,
  page: IdPage,
  bounds: ReplyBounds,
) =>
  listNewestReplies(
    db,
    sql`(SELECT id FROM posts WHERE ${isThreadOf(forum, viewerId, page)} ORDER BY id DESC LIMIT ${page.perPage} OFFSET ${offsetOf(page)})`,
    viewerId,
    bounds,
  );

/** `before`: only those before this reply, in its own thread. */
export type ReplyBounds = { perThread: number; before: number | undefined };

/** The newest replies of each thread, oldest first; at most `perThread` + 1, because the extra one shows that more exist. */
export function listNewestReplies(
  db: Database,
  threads: SQL | SQLWrapper,
  viewerId: number,
  { perThread, before }: ReplyBounds,
) {
  const isShown = (row: typeof replies | typeof posts) =>
    and(
      isShownTo(row.userId, viewerId),
      before === undefined
        ? undefined
        : sql`(${row.id} < ${before} OR ${row.parentId} IS NOT (SELECT shown.parent_id FROM posts shown WHERE shown.id = ${before}))`,
    );
  const oldest = sql`(SELECT ${replies.id} FROM ${posts} replies WHERE ${replies.parentId} = threads.id AND ${isShown(replies)} ORDER BY ${replies.id} DESC LIMIT 1 OFFSET ${perThread})`;
  return db
    .select(getTableColumns(posts))
    .from(sql`${threads} threads`)
    .crossJoin(posts)
    .where(and(sql`${posts.parentId} = threads.id AND ${posts.id} >= coalesce(${oldest}, 0)`, isShown(posts)))
    .orderBy(asc(posts.id));
}

/** The newest post of this person with this text, to answer a retry. */
export const findOwnPost = (db: Database, forum: Forum, userId: number, content: string) =>
  db
    .select()
    .from(posts)
    .where(and(isInForum(forum), eq(posts.userId, userId), eq(posts.content, content)))
    .orderBy(desc(posts.id))
    .limit(1);

/** A hut with the user's role and sanctions in it; `isMember` is true for its owner too. */
export const findForumHut = (db: Database, slug: string, userId: Viewer) =>
  db
    .select({
      id: huts.id,
      ownerId: huts.ownerId,
      slug: huts.slug,
      title: huts.title,
      role: roleInHut(userId),
      sanctions: selectSanctionsIn(userId, { hutId: sql`${huts.id}` }),
      isMember:
        sql<boolean>`${huts.ownerId} = ${userId} OR EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = ${huts.id} AND m.user_id = ${userId})`
          .mapWith(Boolean)
          .as("is_member"),
    })
    .from(huts)
    .where(and(eq(huts.slug, slug), isVisible("huts", "huts", userId)))
    .limit(1);
