// The forum of a session or a hut, with threads one level deep (C-58, P-35, R-16). A post costs 0.01 tokens, paid in the
// batch that writes it.
import { type SQL, sql } from "drizzle-orm";
import { runBatch } from "#db/connect.server";
import { selectPeopleNamed } from "#db/queries/mentions";
import { recordEvent } from "#db/queries/notices/events";
import { recordAct } from "#db/queries/safety/audit";
import type { Forum, PostRow } from "#db/queries/sessions/posts";
import * as postQueries from "#db/queries/sessions/posts";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import * as tokens from "#db/queries/tokens";
import { AppError, brokenConstraint, invalid } from "~/domain/errors";
import { cursorAt, cursorOf, pagedById, shownRows } from "~/domain/list-pages";
import { writingRefusalOf } from "~/domain/may-write";
import { subjectOf } from "~/domain/notices/events";
import { allow, canModerateHut, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import {
  type ForumStanding,
  isPostEditable,
  mayModerate,
  POST_EDIT_OVER,
  POST_REMOVED,
} from "~/domain/sessions/posts";
import * as sessionRefusals from "~/domain/sessions/refusals";
import type { Paged, ShownPost } from "~/domain/sessions/view";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { requireHostScope } from "~/use-cases/goal-keys.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { requireMayWrite, sessionPlace } from "~/use-cases/writing.server";
import { type ForumQuery, replyBounds, showPost, showThread } from "./forum-page.server";
import { noSession, readSession, seatOfRow, sessionPath } from "./read.server";

const MAX_POST_CHARS = 50_000;

export type PostDraft = {
  title?: string | undefined;
  content: string;
  parentId?: number | null | undefined;
  /** Created by the client, so that a repeat posts once. */
  uuid?: string | undefined;
};
type ForumRef = { session: number } | { slug: string } | { hut: string };

/** Participants post in a session's forum, members in a hut's. A slug may be a session's or a hut's. */
export async function createPost(app: App, input: ForumRef & PostDraft): Promise<ShownPost> {
  const user = requireUser(app.user, refusals.signInToPost);
  const content = readText(input.content);
  const { forum, username, standing, path, title } = await openForum(app, input);
  await countPost(app, user);
  const parentId = input.parentId ? await threadOf(app, forum, input.parentId) : null;
  const reference = `post:${user.id}:${input.uuid ?? app.newId()}`;
  const { text, mentions } = await app.richText.renderPost(content);
  const context = { forum, parentId, name: username, user, target: targetOfNew(path, parentId, user) };
  const causes = [...repliesTo(app, context), ...mentionsOf(app, { ...context, mentions, title })];
  try {
    const [rows] = await runBatch(app.db, [
      postQueries.insertPost(app.db, forum, {
        ...text,
        userId: user.id,
        username,
        parentId,
        title: input.title?.trim() ?? "",
        createdAt: app.now,
        updatedAt: app.now,
      }),
      ...tokens.spendTokens(app.db, { userId: user.id, what: "post", reference, now: app.now }),
      ...causes.map(({ statement }) => statement),
    ]);
    wakeEvents(app, causes);
    return showWritten(app, rows as PostRow[], standing);
  } catch (error) {
    if (brokenConstraint(error) !== "entry_written_once") throw error;
    return showWritten(app, await postQueries.findOwnPost(app.db, forum, user.id, content), standing);
  }
}

/** SQL expressions for the id of a post and for its path, as text fields of an event. */
type PostTarget = { path: SQL; post: SQL };
type PostContext = {
  forum: Forum;
  parentId: number | null;
  name: string;
  user: CurrentUser;
  target: PostTarget;
};
/** The events of a reply, for the author of the post and for earlier repliers (N-25). */
function repliesTo(app: App, context: PostContext) {
  const { forum, parentId, name, user } = context;
  if (parentId === null) return [];
  const { author, repliers } = postQueries.selectPeopleOfThread(forum, parentId, user.id);
  const newReply = (kind: "reply" | "thread-reply", to: SQL) => {
    const replyEvent = newEvent(app, {
      kind,
      subject: subjectOf("post", parentId),
      body: { name, by: user.id },
    });
    return {
      id: replyEvent.id,
      statement: recordEvent(app.db, replyEvent, { idLists: { to }, textFields: context.target }),
    };
  };
  return [newReply("reply", author), newReply("thread-reply", repliers)];
}

/** `edited`: the post whose edit adds the mentions, and the first post of its thread. */
type Mentions = {
  mentions: readonly string[];
  title: string;
  edited?: { post: number; thread: number };
};
/** The event of the mentions. People who get the notice of the reply get none of the mention (N-26). */
function mentionsOf(app: App, context: PostContext & Mentions) {
  const { forum, parentId, name, user, title, mentions, target, edited } = context;
  if (mentions.length === 0) return [];
  const mentionedIds =
    parentId === null
      ? selectPeopleNamed(mentions, user.id)
      : postQueries.selectMentionedPeople(
          mentions,
          user.id,
          postQueries.selectPeopleOfThread(forum, parentId, user.id),
        );
  const mentionEvent = newEvent(app, {
    kind: "mention",
    // A new thread has no id before the batch.
    subject: subjectOf("post", edited?.thread ?? parentId ?? app.newId()),
    body: { name, title, by: user.id },
  });
  const statement = recordEvent(app.db, mentionEvent, {
    idLists: { to: edited ? postQueries.selectUnnotified(mentionedIds, edited.post) : mentionedIds },
    textFields: target,
  });
  return [{ id: mentionEvent.id, statement }];
}

/** A reply's path is the page of the forum that begins with its thread. */
const targetOf = (path: string, parentId: number | null, post: SQL): PostTarget => ({
  path: sql`${parentId === null ? `${path}#post-` : `${path}?after=${cursorAt(parentId)}#post-`} || ${post}`,
  post,
});
/** The target of a new post, whose id the batch reads after the insert. */
const targetOfNew = (path: string, parentId: number | null, user: CurrentUser): PostTarget =>
  targetOf(
    path,
    parentId,
    parentId === null
      ? postQueries.selectNewestPost(user.id)
      : postQueries.selectNewestReply(parentId, user.id),
  );

/** The trimmed text. INVALID at `content` if it is empty or too long. */
function readText(text: string): string {
  const content = text.trim();
  if (content === "") throw invalid("content", sessionRefusals.noText);
  if (content.length > MAX_POST_CHARS) throw invalid("content", refusals.writeAtMost(MAX_POST_CHARS));
  return content;
}
const countPost = (app: App, user: CurrentUser): Promise<void> => countUse(app, "post", user.id);

function showWritten(app: App, [post]: PostRow[], standing: ForumStanding): ShownPost {
  if (!post) throw new AppError("CONFLICT", sessionRefusals.posted);
  return showPost(app, post, standing);
}

/** The forum, with the user's name and standing in it. FORBIDDEN for a user who may not write in it. */
async function openForum(
  app: App,
  ref: ForumRef,
): Promise<{ forum: Forum; username: string; standing: ForumStanding; path: string; title: string }> {
  const user = requireUser(app.user);
  if ("session" in ref) return openSessionForum(app, user, await readSession(app, { session: ref.session }));
  const slug = "hut" in ref ? ref.hut : ref.slug;
  const [[session], [hut]] = await app.db.batch([
    sessions.findSessionBySlug(app.db, "hut" in ref ? "" : slug, viewerOf(app)),
    postQueries.findForumHut(app.db, slug, viewerOf(app)),
  ]);
  if (session) return openSessionForum(app, user, session);
  if (!hut) throw noSession();
  const { isMember: belongs, sanctions } = hut;
  requireMayWrite(app, { kind: "hut", belongs, sanctions }, sessionRefusals.joinHutToPost);
  return {
    forum: { hutId: hut.id },
    username: user.username,
    standing: { hut },
    path: `/group/${hut.slug}/forum`,
    title: hut.title,
  };
}

function openSessionForum(app: App, user: CurrentUser, row: SessionRow) {
  requireMayWrite(app, sessionPlace(row), sessionRefusals.joinToPost);
  return {
    forum: { sessionId: row.id },
    username: row.seatName ?? user.username,
    standing: { seat: seatOfRow(row) },
    path: `${sessionPath(row.id)}/hut`,
    title: row.title,
  };
}

/** The id of the first post of a reply's thread, because threads are one level deep. */
async function threadOf(app: App, forum: Forum, parentId: number): Promise<number> {
  const [parent] = await postQueries.findPost(app.db, forum, parentId, app.user?.id ?? 0);
  if (!parent) throw invalid("parentId", sessionRefusals.noPostParent);
  return parent.parentId ?? parent.id;
}

/** A post that the user may read, with the user's role in its forum; NOT_FOUND for any other. */
export async function readPost(app: App, user: CurrentUser, id: number) {
  const [row] = await postQueries.findPostInPlace(app.db, id, viewerOf(app));
  if (!row) throw new AppError("NOT_FOUND", sessionRefusals.noPost);
  const { post, hutOwnerId, hutSlug, hutRole, seatRole, isHost } = row;
  const isMine = post.userId === user.id;
  const seat = seatRole === null ? null : { role: seatRole, isHost: isHost === true };
  const standing: ForumStanding =
    post.hutId === null ? { seat } : { hut: { ownerId: hutOwnerId ?? 0, role: hutRole } };
  // With a join code the forum is for people with a seat (R-16).
  const isOpen = isMine || !row.joinCode || seat !== null || isSuperAdmin(user);
  if (!isOpen) throw new AppError("NOT_FOUND", sessionRefusals.noPost);
  const path = post.hutId === null ? `${sessionPath(post.sessionId ?? 0)}/hut` : `/group/${hutSlug}/forum`;
  const belongs = "seat" in standing ? seat !== null : hutRole !== null || hutOwnerId === user.id;
  const writingPlace = {
    kind: "seat" in standing ? "session" : "hut",
    belongs,
    sanctions: row.sanctions,
  } as const;
  return { post, standing, isMine, path, title: row.placeTitle, writingPlace };
}

type PostEdit = { post: number; title?: string | undefined; content: string };

/**
 * Edits a post of the user: FORBIDDEN for others, CONFLICT after 15 minutes, NOT_FOUND once it was removed (Q-19). People
 * whom the edit newly mentions get a notice (N-26).
 */
export async function editPost(app: App, input: PostEdit): Promise<ShownPost> {
  const user = requireUser(app.user);
  const content = readText(input.content);
  const {
    post,
    standing,
    isMine,
    path,
    writingPlace,
    title: forumTitle,
  } = await readPost(app, user, input.post);
  if (post.removedAt !== null) throw new AppError("NOT_FOUND", POST_REMOVED);
  allow(isMine, sessionRefusals.authorEditsPost);
  if (!isPostEditable(post, app.now)) throw new AppError("CONFLICT", POST_EDIT_OVER);
  requireMayWrite(
    app,
    writingPlace,
    "seat" in standing ? sessionRefusals.joinToPost : sessionRefusals.joinHutToPost,
  );
  await countPost(app, user);
  const title = input.title === undefined ? post.title : input.title.trim();
  const { text, mentions } = await app.richText.renderPost(content);
  const earlierMentions = mentions.length === 0 ? [] : (await app.richText.renderPost(post.content)).mentions;
  const causes = mentionsOf(app, {
    forum: post.hutId === null ? { sessionId: post.sessionId ?? 0 } : { hutId: post.hutId },
    parentId: post.parentId,
    name: post.username,
    user,
    // SQLite would write a bound number with a decimal point.
    target: targetOf(path, post.parentId, sql`CAST(${post.id} AS INTEGER)`),
    mentions: mentions.filter((name) => !earlierMentions.includes(name)),
    title: forumTitle,
    edited: { post: post.id, thread: post.parentId ?? post.id },
  });
  const [rows] = await runBatch(app.db, [
    postQueries.updatePost(app.db, post.id, { title, ...text }, app.now),
    ...causes.map(({ statement }) => statement),
  ]);
  const [editedPost] = rows as PostRow[];
  if (!editedPost) throw new AppError("NOT_FOUND", POST_REMOVED);
  wakeEvents(app, causes);
  return showPost(app, editedPost, standing);
}

/** Removes the text of a post, by its author or the forum's moderators; FORBIDDEN for others. Idempotent (Q-20). */
export async function removePost(
  app: App,
  input: { post: number; reason?: string | undefined },
): Promise<void> {
  const user = requireUser(app.user);
  const { post, standing, isMine } = await readPost(app, user, input.post);
  allow(isMine || mayModerate(user, standing), sessionRefusals.authorRemovesPost);
  if (!isMine) requireHostScope(app);
  if (post.removedAt !== null) return;
  await countPost(app, user);
  const erasure = postQueries.erasePost(app.db, post.id, app.now);
  const act = {
    at: app.now,
    actorId: user.id,
    action: "post-removed" as const,
    target: { kind: "post" as const, id: post.id },
    userId: post.userId,
    reason: input.reason,
  };
  await runBatch(app.db, isMine ? [erasure] : [erasure, recordAct(app.db, act)]);
}

export type HutForum = Paged & {
  hut: { slug: string; title: string };
  posts: ShownPost[];
  mayPost: boolean;
  canModerate: boolean;
  /** The sentence of the mute or ban that keeps the viewer from writing; null without one (Q-16). */
  refusal: string | null;
};

/** The page of a hut's forum, which everybody who sees the hut may read (R-16). */
export async function viewHutForum(app: App, input: ForumQuery & { hut: string }): Promise<HutForum> {
  const { perPage } = app.settings;
  const bounds = replyBounds(input, { perPage });
  const viewerId = app.user?.id ?? 0;
  const forum = { hutSlug: input.hut };
  const paging = { page: input.page, perPage, after: cursorOf(input) };
  const [[hut], posts, replies] = await app.db.batch([
    postQueries.findForumHut(app.db, input.hut, viewerOf(app)),
    postQueries.listPosts(app.db, forum, viewerId, paging),
    postQueries.listReplies(app.db, forum, viewerId, paging, bounds),
  ]);
  if (!hut) throw new AppError("NOT_FOUND", sessionRefusals.noHut);
  app.shownRecords.push({ of: "huts", id: hut.id });
  const { isMember: belongs, sanctions } = hut;
  const refusal = writingRefusalOf(app, { kind: "hut", belongs, sanctions }, app.now);
  const threads = { replies, standing: { hut }, perThread: bounds.perThread };
  return {
    hut: { slug: hut.slug, title: hut.title },
    posts: shownRows(posts, paging).map((post) => showThread(app, post, threads)),
    mayPost: refusal === null,
    refusal: refusal === null || refusal.why === "outside" ? null : refusal.sentence,
    canModerate: canModerateHut(app.user, hut),
    ...pagedById(posts, paging),
  };
}
