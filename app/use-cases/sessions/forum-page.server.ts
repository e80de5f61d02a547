// The page Forum of a session (P-35), and the presentation of posts.

import type { PostRow } from "#db/queries/sessions/posts";
import * as postQueries from "#db/queries/sessions/posts";
import * as sessions from "#db/queries/sessions/sessions";
import { cursorOf, pagedById, shownRows } from "~/domain/list-pages";
import { type ForumStanding, isPostEditable, mayModerate } from "~/domain/sessions/posts";
import type { SessionForumView, ShownPost } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { headOf } from "./head.server";
import { mayRead, noSession, seatOfRow, withRoom } from "./read.server";
import { myId, type SessionPage } from "./views.server";

export const MAX_REPLIES = 500;

/** Forum: for everybody who sees the session; with a join code for participants. */
export async function viewSessionForum(app: App, input: SessionPage): Promise<SessionForumView> {
  const { db, settings } = app;
  const pageQuery = { page: input.page, perPage: settings.perPage, after: cursorOf(input) };
  const forum = { sessionId: input.session };
  const [[[row], posts, replies], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      postQueries.listPosts(db, forum, myId(app), pageQuery),
      postQueries.listReplies(db, forum, myId(app), pageQuery, MAX_REPLIES),
    ]),
  );
  if (!row) throw noSession();
  const isOpen = mayRead(app, row);
  return {
    ...(await headOf(app, row, view)),
    posts: isOpen ? showPosts(app, shownRows(posts, pageQuery), replies, { seat: seatOfRow(row) }) : [],
    ...pagedById(isOpen ? posts : [], pageQuery),
  };
}

/** Posts with their replies, as their reader may see them. */
export function showPosts(
  app: App,
  posts: PostRow[],
  replies: PostRow[],
  standing: ForumStanding,
): ShownPost[] {
  const isModerator = mayModerate(app.user, standing);
  const show = (post: PostRow): ShownPost => ({
    id: post.id,
    username: post.username,
    title: post.title,
    content: post.content,
    contentHtml: post.contentHtml,
    parentId: post.parentId,
    createdAt: post.createdAt,
    editedAt: post.editedAt,
    isRemoved: post.removedAt !== null,
    ...rightsOver(post),
    replies: replies.filter(({ parentId }) => parentId === post.id).map(show),
  });
  const rightsOver = (post: PostRow) => {
    const isMine = post.userId === app.user?.id;
    const isVisible = post.removedAt === null;
    return {
      isMine,
      mayEdit: isVisible && isMine && isPostEditable(post, app.now),
      mayRemove: isVisible && (isMine || isModerator),
    };
  };
  return posts.map(show);
}
