// The pages of a session: Details, Goals, Member Goals, Logs, People, Forum, Chat (P-31 to P-36, C-50), each shared by page and
// JSON twin. A page is one batch, with one call to the room in parallel.

import * as goalCopies from "#db/queries/goals/copies";
import * as goalQueries from "#db/queries/goals/goals";
import * as logQueries from "#db/queries/goals/logs";
import { findInvitationOf } from "#db/queries/huts/entry";
import { listBans } from "#db/queries/safety/sanctions";
import { countAttendanceOfSeats } from "#db/queries/sessions/attendance";
import * as sessionLogs from "#db/queries/sessions/logs";
import type { SeatKey } from "#db/queries/sessions/participants";
import * as participants from "#db/queries/sessions/participants";
import type { PostRow } from "#db/queries/sessions/posts";
import * as postQueries from "#db/queries/sessions/posts";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import { findViewLink } from "#db/queries/sessions/view-links";
import { listWaiters } from "#db/queries/sessions/waiters";
import type { Goal } from "~/domain/goals/goals";
import { progressLine } from "~/domain/goals/progress-line";
import { cursorOf, type PageQuery, pagedById, shownRows } from "~/domain/list-pages";
import { allow, canModerateHut, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { aliasAt } from "~/domain/room/aliases";
import { reliabilityOf, reliableSince } from "~/domain/room/presence";
import type { RoomView } from "~/domain/room/room";
import { hiddenOf } from "~/domain/safety/blocks";
import { type AuthoredMessage, type RoomMessage, withoutAuthor } from "~/domain/sessions/chat";
import { type ForumStanding, isPostEditable, mayModerate } from "~/domain/sessions/posts";
import { viewLinkOf } from "~/domain/sessions/stage";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { type TotalRow, totalsOf } from "~/domain/sessions/totals";
import type {
  DetailsView,
  MemberGoalsView,
  SessionChatView,
  SessionForumView,
  SessionGoal,
  SessionGoalsView,
  SessionLogsView,
  SessionPeopleView,
  SessionView,
  ShownPost,
} from "~/domain/sessions/view";
import { type App, readerOf } from "~/use-cases/app.server";
import { readInvitationLink } from "~/use-cases/invitation-links.server";
import { asLogSeenBy, asLogShown } from "~/use-cases/my.server";
import { logRoomFailure } from "~/use-cases/notify-room.server";
import { qrOf } from "~/use-cases/qr.server";
import { viewerOf } from "~/use-cases/viewer.server";
import {
  headOf,
  invitePathOf,
  mayHost,
  mayRead,
  mayRun,
  noSession,
  seatOfRow,
  shownGoal,
  shownOwner,
  showParticipant,
  underAlias,
  withRoom,
} from "./read.server";

export type SessionPage = PageQuery & { session: number };
const MAX_RECENT_LOGS = 5;
const CHAT_PAGE = 50;
/** Lines of the chat beside the details, which show about ten. */
const MAX_SHOWN_LINES = 20;
const MAX_OPEN_LOGS = 50;
export const MAX_REPLIES = 500;

const myId = (app: App): number => app.user?.id ?? 0;

/** The tab Details (U-39), which shows neither goals nor totals. */
export async function viewDetails(app: App, input: { session: number }): Promise<DetailsView> {
  const { db } = app;
  const [[[row], logs, aimGoals], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      recentLogsOf(app, input.session),
      goalQueries.listGoalsForAim(db, input.session, myId(app), app.now),
    ]),
  );
  if (!row) throw noSession();
  const { recentLogs, ...details } = await detailsOf(app, row, logs, view);
  return {
    ...details,
    progress: recentLogs.map((log) => progressLine(log, readerOf(app))),
    aimGoals,
  };
}

/** A session with its goals and newest logs, for the call (C-50). */
export async function viewSession(app: App, input: { session: number }): Promise<SessionView> {
  const { db } = app;
  const [[[row], goals, totals, runningLogs, logs], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      goalCopies.listSessionGoals(db, input.session),
      sessionLogs.listTotalsOf(db, input.session, myId(app)),
      sessionLogs.listRunningOf(db, input.session, myId(app)),
      recentLogsOf(app, input.session),
    ]),
  );
  if (!row) throw noSession();
  return {
    ...(await detailsOf(app, row, logs, view)),
    goals: goals.map((goal) => sessionGoal(app, row, goal, totals, runningLogs)),
    totals: seatOfRow(row) ? totalsOf(totals) : null,
  };
}

const recentLogsOf = (app: App, session: number) =>
  logQueries.listSessionLogs(app.db, session, myId(app), { page: 1, perPage: MAX_RECENT_LOGS });
type LogRow = Awaited<ReturnType<typeof recentLogsOf>>[number];

async function detailsOf(app: App, row: SessionRow, logs: readonly LogRow[], view: RoomView | null) {
  const head = await headOf(app, row, view);
  return {
    ...head,
    recentLogs: mayRead(app, row) ? logs.slice(0, MAX_RECENT_LOGS).map(asLogSeenBy(app)) : [],
    messages:
      seatOfRow(row) && head.session.status === SESSION_STATUS.running
        ? linesIn(app, row, view?.messages).slice(-MAX_SHOWN_LINES)
        : [],
    // A page of a visitor is the same at every request (E1).
    newUuid: seatOfRow(row) ? crypto.randomUUID() : null,
  };
}

/** Goals › My Goals: the session's goals with the viewer's progress, and attached personal goals (E-27). */
export async function viewSessionGoals(app: App, input: { session: number }): Promise<SessionGoalsView> {
  const { db } = app;
  const [[[row], goals, totals, runningLogs, attached, open, attachable], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      goalCopies.listSessionGoals(db, input.session),
      sessionLogs.listTotalsOf(db, input.session, myId(app)),
      sessionLogs.listRunningOf(db, input.session, myId(app)),
      goalQueries.listAttachedGoals(db, input.session, myId(app)),
      logQueries.listOpenLogs(db, myId(app), null, MAX_OPEN_LOGS),
      goalQueries.listAttachableGoals(db, input.session, myId(app)),
    ]),
  );
  if (!row) throw noSession();
  const head = await headOf(app, row, view);
  return {
    ...head,
    goals: goals.map((goal) => sessionGoal(app, row, goal, totals, runningLogs)),
    attachable: head.me.isJoined && head.session.status !== SESSION_STATUS.ended ? attachable : [],
    attached: attached.map(({ activeLogId, ...goal }) => ({
      goal,
      username: app.user?.username ?? "",
      mine: goal,
      checked: goal.items.filter(({ isChecked }) => isChecked).map(({ uuid }) => uuid),
      activeLogId,
    })),
    openLogs: open.map(asLogShown),
    totals: seatOfRow(row) ? totalsOf(totals) : null,
  };
}

/** A goal of the session as the viewer sees it: own progress, ticks and running timer. */
function sessionGoal(
  app: App,
  row: SessionRow,
  goal: Goal,
  totals: readonly TotalRow[],
  runningLogs: readonly { id: number; goalId: number | null }[],
): SessionGoal {
  const ownTotal = totals.find(({ goalUuid }) => goalUuid === goal.uuid);
  return {
    goal: shownGoal(app, row, goal),
    username: shownOwner(app, row),
    mine: {
      amountElapsed: ownTotal?.amount ?? 0,
      distanceElapsed: ownTotal?.distance ?? 0,
      durationElapsed: ownTotal?.duration ?? 0,
    },
    checked: ownTotal?.listProgress ?? [],
    activeLogId: runningLogs.find(({ goalId }) => goalId === goal.id)?.id ?? null,
  };
}

/** Goals › Member Goals: a page of participants with their totals. */
export async function viewMemberGoals(app: App, input: SessionPage): Promise<MemberGoalsView> {
  const { db, settings } = app;
  const pageQuery = {
    page: input.page,
    perPage: settings.perPage,
    after: seatKeyOf(input.after, input.page),
  };
  const [[[row], goals, seats, totals], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      goalCopies.listSessionGoals(db, input.session),
      participants.listSeatPage(db, input.session, pageQuery),
      participants.listTotals(db, input.session, participants.usersOfSeatPage(input.session, pageQuery)),
    ]),
  );
  if (!row) throw noSession();
  const isOpen = mayRead(app, row);
  const pageSeats = isOpen ? seats.slice(0, pageQuery.perPage) : [];
  const online = new Set(view?.online);
  const hiddenPeople = hiddenOf(row.hidden);
  const places = new Map(view?.state.participants.map(({ userId }, place) => [userId, place]));
  const first = (pageQuery.page - 1) * pageQuery.perPage;
  const last = pageSeats.at(-1);
  const hasNext = isOpen && seats.length > pageQuery.perPage;
  return {
    ...(await headOf(app, row, view)),
    goals: goals.map((goal) => shownGoal(app, row, goal)),
    members: pageSeats.map((seat, index) => {
      const live = view?.state.participants.find(({ userId }) => userId === seat.userId);
      const { role } = seat;
      const alias = hiddenPeople.ids.has(seat.userId)
        ? aliasAt(places.get(seat.userId) ?? first + index)
        : undefined;
      const person = showParticipant(
        { ...seat, role, isReady: live?.isReady ?? false },
        row,
        online.has(seat.username),
      );
      return {
        ...underAlias(person, alias, seat.handle),
        ...totalsOf(totals.filter(({ userId }) => userId === seat.userId)),
      };
    }),
    page: input.page,
    perPage: pageQuery.perPage,
    hasNext,
    after:
      hasNext && last
        ? `${input.page + 1}~${last.joinedAt}~${countSeatsAtLastInstant(last, pageSeats, pageQuery.after)}`
        : null,
  };
}

/** `page~joinedAt~skip`, valid only on that page. */
function seatKeyOf(after: string | undefined, page: number): SeatKey | null {
  const [, ofPage, joinedAt, skip] = /^(\d+)~(\d+)~(\d{1,9})$/.exec(after ?? "") ?? [];
  return Number(ofPage) === page ? { joinedAt: Number(joinedAt), skip: Number(skip) } : null;
}

type Joined = { joinedAt: number };
/** Seats with the last seat's `joinedAt` that have been shown, this page included; the next page skips them. */
const countSeatsAtLastInstant = (
  last: Joined,
  pageSeats: readonly Joined[],
  before: SeatKey | null,
): number =>
  pageSeats.filter(({ joinedAt }) => joinedAt === last.joinedAt).length +
  (before?.joinedAt === last.joinedAt ? before.skip : 0);

/** Goals › Logs: everybody's, newest first. */
export async function viewSessionLogs(app: App, input: SessionPage): Promise<SessionLogsView> {
  const { db, settings } = app;
  const pageQuery = { page: input.page, perPage: settings.perPage, after: cursorOf(input) };
  const [[[row], logs, goals, totals, runningLogs], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      logQueries.listSessionLogs(db, input.session, myId(app), pageQuery),
      goalCopies.listSessionGoals(db, input.session),
      sessionLogs.listTotalsOf(db, input.session, myId(app)),
      sessionLogs.listRunningOf(db, input.session, myId(app)),
    ]),
  );
  if (!row) throw noSession();
  const isOpen = mayRead(app, row);
  return {
    ...(await headOf(app, row, view)),
    goals: goals.map((goal) => sessionGoal(app, row, goal, totals, runningLogs)),
    logs: isOpen ? shownRows(logs, pageQuery).map(asLogSeenBy(app)) : [],
    ...pagedById(isOpen ? logs : [], pageQuery),
  };
}

/** Banned people on the People page, at most. */
const MAX_LISTED_BANS = 100;

/** The people and those kept out, for host and admins. */
export async function viewSessionPeople(app: App, input: { session: number }): Promise<SessionPeopleView> {
  const user = requireUser(app.user);
  const { db } = app;
  const since = reliableSince(app.now);
  const [[[row], bans, list, attendance, [invitation], [link]], view] = await withRoom(
    app,
    input.session,
    db.batch([
      sessions.findSession(db, input.session, viewerOf(app)),
      listBans(db, "session", input.session, app.now, MAX_LISTED_BANS),
      listWaiters(db, input.session),
      countAttendanceOfSeats(db, { sessionId: input.session, hostId: user.id, since }),
      findInvitationOf(db, input.session, user.id),
      findViewLink(db, { sessionId: input.session }),
    ]),
  );
  if (!row) throw noSession();
  allow(mayRun(app, row), refusals.hostAndAdminsOnly);
  const visibleBans = bans.map(({ username, reason, createdAt }) => ({ username, reason, createdAt }));
  const { ids } = hiddenOf(row.hidden);
  // The name of a blocked person stays hidden.
  const waiters = list.map(({ userId, username, since, offeredUntil }, place) => ({
    username: ids.has(userId) ? `Person ${place + 1}` : username,
    since,
    offeredUntil,
  }));
  // A person under an alias gets no percentage, because it could reveal who it is.
  const reliability = attendance.flatMap(({ userId, username, counts }) => {
    const percent = ids.has(userId) ? null : reliabilityOf(counts);
    return percent === null ? [] : [{ username, percent }];
  });
  const joinLink = await joinLinkOf(app, row, invitation);
  return {
    ...(await headOf(app, row, view)),
    bans: mayHost(app, row) ? visibleBans : [],
    viewLink: viewLinkOf(row, seatOfRow(row)?.isHost === true, link),
    joinLink: { ...joinLink, qr: await qrOf(joinLink.url) },
    waiters,
    reliability,
    newUuid: crypto.randomUUID(),
  };
}

/** The code is in the fragment, which reaches no server log, referrer or preview (G-36). */
async function joinLinkOf(
  app: App,
  row: SessionRow,
  invitation: Awaited<ReturnType<typeof findInvitationOf>>[number] | undefined,
) {
  const code = row.joinCode === "" ? "" : `#code=${encodeURIComponent(row.joinCode)}`;
  const url = `${app.settings.origin}${invitePathOf(row)}${code}`;
  if (!row.isPrivate) return { url, opensTo: "everybody" as const };
  const link =
    invitation && canModerateHut(app.user, invitation)
      ? await readInvitationLink(app, invitation, row.id)
      : null;
  return link ? { url: link, opensTo: "invited" as const } : { url, opensTo: "members" as const };
}

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
export function showPosts(app: App, posts: PostRow[], replies: PostRow[], place: ForumStanding): ShownPost[] {
  const isModerator = mayModerate(app.user, place);
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
    ...toolsOf(post),
    replies: replies.filter(({ parentId }) => parentId === post.id).map(show),
  });
  const toolsOf = (post: PostRow) => {
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

/** Chat: for participants, readable afterwards. Oldest first; `before` is the cursor of earlier messages. */
export async function viewSessionChat(
  app: App,
  input: { session: number; before?: number | undefined; limit?: number | undefined },
): Promise<SessionChatView> {
  const { before, limit = CHAT_PAGE } = input;
  const reading = app.db.batch([sessions.findSession(app.db, input.session, viewerOf(app))]);
  const readEarlier = async () => {
    if (before === undefined) return null;
    if (!app.rooms.hasOpened(input.session) && !(await reading)[0][0]) return [];
    return app.rooms
      .of(input.session)
      .messages({ before, limit })
      .catch((error: unknown) => {
        logRoomFailure({ event: "room-not-seen", session: input.session, error });
        return [];
      });
  };
  const [[[[row]], view], earlier] = await Promise.all([
    withRoom(app, input.session, reading),
    readEarlier(),
  ]);
  if (!row) throw noSession();
  const lines = isInside(app, row) ? (earlier ?? view?.messages ?? []).slice(-limit) : [];
  return {
    ...(await headOf(app, row, view)),
    messages: linesIn(app, row, lines),
    before: lines.length >= Math.min(limit, CHAT_PAGE) ? (lines[0]?.seq ?? null) : null,
  };
}

/** For people inside: without the lines of hidden authors. */
function linesIn(app: App, row: SessionRow, lines: readonly AuthoredMessage[] = []): RoomMessage[] {
  if (!isInside(app, row)) return [];
  const { ids } = hiddenOf(row.hidden);
  return lines.filter(({ userId }) => !ids.has(userId)).map(withoutAuthor);
}

const isInside = (app: App, row: SessionRow): boolean => seatOfRow(row) !== null || isSuperAdmin(app.user);
