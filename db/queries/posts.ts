// Forum posts of sessions and huts. A post carries its place in its forum, so that any page reads what it shows;
// replies stand under the post they answer. Built here, run by use cases.
import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { nextPlace, onPage } from "./places";

const { posts, huts } = schema;

/** Which forum: a session's or a hut's. */
export type Forum = { sessionId: number } | { hutId: number };
const listOf = (forum: Forum) => ({
  owner: "sessionId" in forum ? posts.sessionId : posts.hutId,
  place: posts.place,
});
const idOf = (forum: Forum) => ("sessionId" in forum ? forum.sessionId : forum.hutId);
const inForum = (forum: Forum) => eq(listOf(forum).owner, idOf(forum));

export type NewPost = Omit<typeof posts.$inferInsert, "place" | "sessionId" | "hutId" | "id">;

/** A repeat of the same uuid is refused by the ledger entry that pays for it. */
export const insertPost = (db: Database, forum: Forum, post: NewPost) =>
  db
    .insert(posts)
    .values({
      ...post,
      ...forum,
      place: post.parentId ? null : nextPlace(listOf(forum), idOf(forum)),
    })
    .returning();

/** A post of this forum, to reply to. */
export const findPost = (db: Database, forum: Forum, id: number) =>
  db
    .select({ id: posts.id, parentId: posts.parentId })
    .from(posts)
    .where(and(eq(posts.id, id), inForum(forum)))
    .limit(1);

/** Newest first, `perPage` + 1 rows at most. */
export const listPosts = (db: Database, forum: Forum, page: number, perPage: number) =>
  db
    .select()
    .from(posts)
    .where(onPage(listOf(forum), idOf(forum), page, perPage))
    .orderBy(desc(posts.place))
    .limit(perPage + 1);
export type PostRow = Awaited<ReturnType<typeof listPosts>>[number];

/** The answers to the posts of that page, oldest first. */
export const listReplies = (db: Database, forum: Forum, page: number, perPage: number, limit: number) =>
  db
    .select()
    .from(posts)
    .where(
      and(
        isNotNull(posts.parentId),
        sql`${posts.parentId} IN (SELECT id FROM posts WHERE ${onPage(listOf(forum), idOf(forum), page, perPage)} ORDER BY place DESC LIMIT ${perPage})`,
      ),
    )
    .orderBy(asc(posts.parentId), asc(posts.id))
    .limit(limit);

/** The newest post of this person with this text, to answer a repeat. */
export const findOwnPost = (db: Database, forum: Forum, userId: number, content: string) =>
  db
    .select()
    .from(posts)
    .where(and(inForum(forum), eq(posts.userId, userId), eq(posts.content, content)))
    .orderBy(desc(posts.id))
    .limit(1);

/** A hut, and whether who asks may write there: owner or member. */
export const findForumHut = (db: Database, slug: string, userId: number) =>
  db
    .select({
      id: huts.id,
      slug: huts.slug,
      title: huts.title,
      isMember:
        sql<boolean>`${huts.ownerId} = ${userId} OR EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = ${huts.id} AND m.user_id = ${userId})`
          .mapWith(Boolean)
          .as("is_member"),
    })
    .from(huts)
    .where(eq(huts.slug, slug))
    .limit(1);
