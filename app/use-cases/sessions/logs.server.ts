// Logs in a session: by quick-log button, manual, and timed (R-01, C-59, C-79, C-80, C-84). This file reads session, goal
// and seat; goals/logs.server.ts writes the log.

import * as sessionLogs from "#db/queries/sessions/logs";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import * as sessionWrites from "#db/queries/sessions/writes";
import { AppError } from "~/domain/errors";
import { type Goal, progressDraft } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { writingRefusalOf } from "~/domain/may-write";
import type { Owned } from "~/domain/owned";
import { requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { NOT_JOINED } from "~/domain/room/room";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { totalsOf } from "~/domain/sessions/totals";
import type { ParticipantTotals } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";
import { answerFirst, type LogRequest, recordLog } from "~/use-cases/goals/logs.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { sessionPlace } from "~/use-cases/writing.server";
import { noSession, type SessionRef, seatOfRow } from "./read.server";

export type SessionLogged = {
  log: LogShown;
  goal: Goal | null;
  username: string;
  totals: ParticipantTotals;
};

/** Logs in a session: with `sessionGoalUuid` the log counts for that goal, without it the log is a manual one. */
export async function logInSession(
  app: App,
  input: SessionRef & LogRequest & { sessionGoalUuid?: string | null | undefined },
): Promise<SessionLogged> {
  const loggable = await findLoggable(app, input, input.sessionGoalUuid ?? null);
  return recordInSession(app, loggable, input);
}

/** Starts a timed log of a goal of the session (C-80). */
export async function startSessionLog(
  app: App,
  input: SessionRef & LogRequest & { sessionGoalUuid: string },
): Promise<SessionLogged> {
  const loggable = await findLoggable(app, input, input.sessionGoalUuid);
  const planned = loggable.goal ? progressDraft(loggable.goal) : {};
  const request = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return recordInSession(app, loggable, { ...planned, ...request, status: LOG_STATUS.active });
}

/** A session with the user's seat, and the goal of the log. `isOver`: it has ended and takes no new log (S-12). */
async function findLoggable(app: App, ref: SessionRef, sessionGoalUuid: string | null) {
  const user = requireUser(app.user, refusals.signInToLog);
  const id = "session" in ref ? ref.session : sessionWrites.idOf(ref.slug);
  const [[[row], [goal]]] = await Promise.all([
    app.db.batch([
      "session" in ref
        ? sessions.findSession(app.db, ref.session, viewerOf(app))
        : sessions.findSessionBySlug(app.db, ref.slug, viewerOf(app)),
      sessionLogs.findLoggedGoal(app.db, id, user.id, sessionGoalUuid ?? ""),
    ]),
    countUse(app, "log", user.id),
  ]);
  if (!row) throw noSession();
  if (!seatOfRow(row)) throw new AppError("FORBIDDEN", NOT_JOINED);
  const isOver = statusAt(row, app.now) === SESSION_STATUS.ended;
  if (isOver || sessionGoalUuid === null) return { row, goal: null, isOver };
  if (!goal) throw new AppError("NOT_FOUND", sessionRefusals.goalOfOther);
  return { row, goal, isOver };
}

async function recordInSession(
  app: App,
  { row, goal, isOver }: { row: SessionRow; goal: Owned<Goal> | null; isOver: boolean },
  request: LogRequest,
): Promise<SessionLogged> {
  const user = requireUser(app.user);
  const username = row.seatName ?? user.username;
  if (isOver) {
    const [first, totals] = await Promise.all([
      answerFirst(app, user, request.uuid, (log) => log.sessionId === row.id),
      sessionLogs.listTotalsOf(app.db, row.id, user.id),
    ]);
    return { log: first.log, goal: first.goal, username, totals: totalsOf(totals) };
  }
  const isWithheld = writingRefusalOf(app, sessionPlace(row), app.now) !== null;
  const tie = { sessionId: row.id, sessionGoalUuid: goal?.uuid ?? null, username, isWithheld };
  const { logged, totals } = await recordLog(app, { user, goal, tie, request });
  return { log: logged.log, goal: logged.goal, username, totals: totalsOf(totals) };
}
