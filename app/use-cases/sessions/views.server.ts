// The pages Details, Goals, Logs and Chat of a session (P-31 to P-36, C-50), each shared by page and JSON twin. A page is
// one batch, with one call to the room in parallel.

import * as goalCopies from "#db/queries/goals/copies";
import * as goalQueries from "#db/queries/goals/goals";
import * as logQueries from "#db/queries/goals/logs";
import * as sessionLogs from "#db/queries/sessions/logs";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import type { Goal } from "~/domain/goals/goals";
import { progressLine } from "~/domain/goals/progress-line";
import { cursorOf, type PageQuery, pagedById, shownRows } from "~/domain/list-pages";
import { isSuperAdmin } from "~/domain/permissions";
import type { RoomView } from "~/domain/room/room";
import { hiddenOf } from "~/domain/safety/blocks";
import { type AuthoredMessage, type RoomMessage, withoutAuthor } from "~/domain/sessions/chat";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { type TotalRow, totalsOf } from "~/domain/sessions/totals";
import type {
  DetailsView,
  SessionChatView,
  SessionGoal,
  SessionGoalsView,
  SessionLogsView,
  SessionView,
} from "~/domain/sessions/view";
import { type App, readerOf } from "~/use-cases/app.server";
import { asLogSeenBy, asLogShown } from "~/use-cases/my.server";
import { logRoomFailure } from "~/use-cases/notify-room.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { headOf } from "./head.server";
import { mayRead, noSession, seatOfRow, shownGoal, shownOwner, withRoom } from "./read.server";

export type SessionPage = PageQuery & { session: number };

const MAX_RECENT_LOGS = 5;

const CHAT_PAGE = 50;

/** Lines of the chat beside the details, which show about ten. */
const MAX_SHOWN_LINES = 20;

const MAX_OPEN_LOGS = 50;

export const myId = (app: App): number => app.user?.id ?? 0;

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
    // Without a uuid, the page of a visitor is the same at every request, so that the edge can store it (E1).
    newUuid: seatOfRow(row) ? crypto.randomUUID() : null,
  };
}

/** Goals › My Goals: the session's goals with the viewer's progress, and attached personal goals (E-27). */
export async function viewSessionGoals(app: App, input: { session: number }): Promise<SessionGoalsView> {
  const { db } = app;
  const [[[row], goals, totals, runningLogs, attached, openLogRows, attachable], view] = await withRoom(
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
    openLogs: openLogRows.map(asLogShown),
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

/** Chat: for participants, readable afterwards. Oldest first; `before` is the cursor of earlier messages. */
export async function viewSessionChat(
  app: App,
  input: { session: number; before?: number | undefined; limit?: number | undefined },
): Promise<SessionChatView> {
  const { before, limit = CHAT_PAGE } = input;
  const rowRead = app.db.batch([sessions.findSession(app.db, input.session, viewerOf(app))]);
  const readEarlier = async () => {
    if (before === undefined) return null;
    if (!app.rooms.hasOpened(input.session) && !(await rowRead)[0][0]) return [];
    return app.rooms
      .of(input.session)
      .messages({ before, limit })
      .catch((error: unknown) => {
        logRoomFailure({ event: "room-not-seen", session: input.session, error });
        return [];
      });
  };
  const [[[[row]], view], earlier] = await Promise.all([
    withRoom(app, input.session, rowRead),
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

/** The lines for participants and super admins, without those of hidden authors; none for others. */
function linesIn(app: App, row: SessionRow, lines: readonly AuthoredMessage[] = []): RoomMessage[] {
  if (!isInside(app, row)) return [];
  const { ids } = hiddenOf(row.hidden);
  return lines.filter(({ userId }) => !ids.has(userId)).map(withoutAuthor);
}

const isInside = (app: App, row: SessionRow): boolean => seatOfRow(row) !== null || isSuperAdmin(app.user);
