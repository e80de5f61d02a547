// The forum of a session or a hut (C-58, P-35, R-16). A post costs 0.01, paid in the batch that writes it; a reply stands
// under the post it answers, and an answer to a reply beside it.
import { runBatch } from "#db/connect.server";
import {
  type Forum,
  findForumHut,
  findOwnPost,
  findPost,
  insertPost,
  listPosts,
  listReplies,
  type PostRow,
} from "#db/queries/posts";
import { findSessionBySlug } from "#db/queries/sessions";
import { spendTokens } from "#db/queries/tokens";
import { AppError, brokenConstraint, invalid } from "~/domain/errors";
import { cursorOf, type PageQuery, pagedById, shownRows } from "~/domain/list-pages";
import { allow, requireUser } from "~/domain/permissions";
import type { Paged, ShownPost } from "~/domain/session-view";
import { HOUR, SECOND } from "~/domain/time";
import type { App } from "./app.server";
import { noSession, readSession, seatOfRow } from "./sessions/read.server";
import { showPosts } from "./sessions/views.server";

const POSTS_PER_HOUR = 120;
const REPLIES = 500;
const LONGEST = 50_000;
const JOIN_FIRST = "Please join the session to post in its forum.";

export type PostDraft = {
  title?: string | undefined;
  content: string;
  parentId?: number | null | undefined;
  /** Made by the client, so that sending it twice posts once. */
  uuid?: string | undefined;
};
type PostWhere = { session: number } | { slug: string } | { hut: string };

/** By participants in a session's forum, by members in a hut's. A slug may be a hut's too. */
export async function createPost(app: App, input: PostWhere & PostDraft): Promise<ShownPost> {
  const user = requireUser(app.user, "Please sign in to post a message.");
  const content = input.content.trim();
  if (content === "") throw invalid("content", "Please write something.");
  if (content.length > LONGEST)
    throw invalid("content", `Please write at most ${LONGEST.toLocaleString("en")} characters.`);
  const { forum, username } = await openForum(app, input);
  await app.attempts.take(`post:${user.id}`, POSTS_PER_HOUR, HOUR / SECOND);
  const parentId = input.parentId ? await threadOf(app, forum, input.parentId) : null;
  const reference = `post:${user.id}:${input.uuid ?? app.newId()}`;
  const text = await app.richText.render(content);
  try {
    const [rows] = await runBatch(app.db, [
      insertPost(app.db, forum, {
        ...text,
        userId: user.id,
        username,
        parentId,
        title: input.title?.trim() ?? "",
        createdAt: app.now,
        updatedAt: app.now,
      }),
      ...spendTokens(app.db, { userId: user.id, what: "post", reference, now: app.now }),
    ]);
    return shown(app, rows as PostRow[]);
  } catch (error) {
    if (brokenConstraint(error) !== "entry_written_once") throw error;
    return shown(app, await findOwnPost(app.db, forum, user.id, content));
  }
}

function shown(app: App, rows: PostRow[]): ShownPost {
  const [post] = showPosts(app, rows.slice(0, 1), []);
  if (!post) throw new AppError("CONFLICT", "This has been posted already.");
  return post;
}

/** The forum, and the name one is known by there. */
async function openForum(app: App, where: PostWhere): Promise<{ forum: Forum; username: string }> {
  const user = requireUser(app.user);
  if ("session" in where) {
    const row = await readSession(app, { session: where.session });
    allow(seatOfRow(row) !== null, JOIN_FIRST);
    return { forum: { sessionId: row.id }, username: row.seatName ?? user.username };
  }
  const slug = "hut" in where ? where.hut : where.slug;
  const [[session], [hut]] = await app.db.batch([
    findSessionBySlug(app.db, "hut" in where ? "" : slug, user.id),
    findForumHut(app.db, slug, user.id),
  ]);
  if (session) {
    allow(seatOfRow(session) !== null, JOIN_FIRST);
    return { forum: { sessionId: session.id }, username: session.seatName ?? user.username };
  }
  if (!hut) throw noSession();
  allow(hut.isMember, "Please join the hut to post in its forum.");
  return { forum: { hutId: hut.id }, username: user.username };
}

/** The post a reply stands under: threads are one level deep. */
async function threadOf(app: App, forum: Forum, parentId: number): Promise<number> {
  const [parent] = await findPost(app.db, forum, parentId);
  if (!parent) throw invalid("parentId", "The post you answer is not there any more.");
  return parent.parentId ?? parent.id;
}

export type HutForum = Paged & {
  hut: { slug: string; title: string };
  posts: ShownPost[];
  mayPost: boolean;
};

/** A hut's forum, read by all. */
export async function viewHutForum(app: App, input: PageQuery & { hut: string }): Promise<HutForum> {
  const { perPage } = app.settings;
  const [hut] = await findForumHut(app.db, input.hut, app.user?.id ?? 0);
  if (!hut) throw new AppError("NOT_FOUND", "There is no such hut.");
  const forum = { hutId: hut.id };
  const at = { page: input.page, perPage, after: cursorOf(input) };
  const [posts, replies] = await app.db.batch([
    listPosts(app.db, forum, at),
    listReplies(app.db, forum, at, REPLIES),
  ]);
  return {
    hut: { slug: hut.slug, title: hut.title },
    posts: showPosts(app, shownRows(posts, at), replies),
    mayPost: hut.isMember,
    ...pagedById(posts, at),
  };
}
