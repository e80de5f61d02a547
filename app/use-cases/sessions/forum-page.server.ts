// The page Forum of a session (P-35), and the presentation of posts.

import type { PostRow, ReplyBounds } from "#db/queries/sessions/posts";
import * as postQueries from "#db/queries/sessions/posts";
import * as sessions from "#db/queries/sessions/sessions";
import { cursorOf, type PageQuery, pagedById, shownRows } from "~/domain/list-pages";
import { type ForumStanding, isPostEditable, mayModerate } from "~/domain/sessions/posts";
import type { SessionForumView, ShownPost } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { headOf } from "./head.server";
import { mayRead, noSession, seatOfRow, withRoom } from "./read.server";
import { myId } from "./views.server";

/** At most this many replies on a page of a forum; its threads share them. */
const MAX_REPLIES = 500;

/** The requested page of a forum. `earlier`: in the thread of this reply, only the replies before it. */
export type ForumQuery = PageQuery & { earlier?: number | undefined };
export const replyBounds = ({ earlier }: ForumQuery, { perPage }: { perPage: number }): ReplyBounds => ({
  perThread: Math.floor(MAX_REPLIES / perPage),
  before: earlier,
});

/** Forum: for everybody who sees the session; with a join code for participants. */
export async function viewSessionForum(
  app: App,
  input: ForumQuery & { session: number },
): Promise<SessionForumView> {
  const { db, settings } = app;
  const bounds = replyBounds(input, settings);
  const pageQuery = { page: input.page, perPage: settings.perPage, after: cursorOf(input) };
  const forum = { sessionId: input.session };
  const [[[row], posts, replies], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      postQueries.listPosts(db, forum, myId(app), pageQuery),
      postQueries.listReplies(db, forum, myId(app), pageQuery, bounds),
    ]),
  );
  if (!row) throw noSession();
  const isOpen = mayRead(app, row);
  const threads = { replies, standing: { seat: seatOfRow(row) }, perThread: bounds.perThread };
  return {
    ...(await headOf(app, row, view)),
    posts: isOpen ? shownRows(posts, pageQuery).map((post) => showThread(app, post, threads)) : [],
    ...pagedById(isOpen ? posts : [], pageQuery),
  };
}

/** A post without its replies, as its reader may see it. */
export function showPost(app: App, post: PostRow, standing: ForumStanding): ShownPost {
  const isMine = post.userId === app.user?.id;
  const isVisible = post.removedAt === null;
  return {
    id: post.id,
    username: post.username,
    title: post.title,
    content: post.content,
    contentHtml: post.contentHtml,
    parentId: post.parentId,
    createdAt: post.createdAt,
    editedAt: post.editedAt,
    isRemoved: !isVisible,
    isMine,
    mayEdit: isVisible && isMine && isPostEditable(post, app.now),
    mayRemove: isVisible && (isMine || mayModerate(app.user, standing)),
    replies: [],
    earlierReplies: null,
  };
}

/** `replies` are those of all threads, oldest first; a thread shows its newest `perThread`. */
export type Threads = { replies: readonly PostRow[]; standing: ForumStanding; perThread: number };

/** A post with the newest replies of its thread, as their reader may see them. */
export function showThread(app: App, post: PostRow, { replies, standing, perThread }: Threads): ShownPost {
  const threadReplies = replies.filter(({ parentId }) => parentId === post.id);
  const shown = threadReplies.slice(Math.max(0, threadReplies.length - perThread));
  return {
    ...showPost(app, post, standing),
    replies: shown.map((reply) => showPost(app, reply, standing)),
    earlierReplies: shown.length < threadReplies.length ? (shown[0]?.id ?? null) : null,
  };
}
