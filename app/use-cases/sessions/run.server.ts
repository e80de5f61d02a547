// Running a session: start, end, cancel, delete, reset, and control of its parts (C-73, C-74, R-07, R-13, R-15, R-29,
// B-14). Only the room runs a session; one that never began is ended or deleted in the record, which refunds every join
// in the same batch.

import { sql } from "drizzle-orm";
import { runBatch, type Statement } from "#db/connect.server";
import { endingsOf } from "#db/queries/endings";
import * as goalCopies from "#db/queries/goals/copies";
import { startCauseIdOf } from "#db/queries/notices/events";
import { keepBrowsersOut } from "#db/queries/safety/guest-bans";
import { recordSessionChange } from "#db/queries/sessions/calendar-invites";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import * as sessionWrites from "#db/queries/sessions/writes";
import { AppError } from "~/domain/errors";
import type { Goal } from "~/domain/goals/goals";
import { subjectOf } from "~/domain/notices/events";
import { allow, canHostSession, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { isAlias } from "~/domain/room/aliases";
import { NOT_JOINED, type PartAction, type RoomView, type RoundMove } from "~/domain/room/room";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { refuseTemplate } from "~/domain/sessions/sessions";
import { isCancelled, SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { SessionHead } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";
import { newEvent, wakeEvents } from "~/use-cases/notices/events.server";
import { logRoomFailure, notifyRoom } from "~/use-cases/notify-room.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { recordOverseen } from "~/use-cases/super-admin-acts.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { headOf } from "./head.server";
import {
  actorOf,
  changeRoom,
  liveRow,
  mayHost,
  mayRun,
  noSession,
  overseenBy,
  readSession,
  readSessionForEnding,
  type SessionRef,
  seatOfRow,
  viewRoom,
} from "./read.server";
import { planStartChange } from "./start-changes.server";

const MAX_ATTEMPTS = 8;

/**
 * Starts a session now, whatever was planned, and computes its dates from now. For host, admins and super admins
 * (R-38).
 */
export async function startSession(app: App, input: SessionRef): Promise<SessionHead> {
  const user = requireUser(app.user);
  const row = await readSession(app, input);
  allow(mayRun(app, row), sessionRefusals.hostAndAdminsStart);
  refuseTemplate(row);
  if (statusAt(row, app.now) === SESSION_STATUS.ended)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  const view = await changeRoom(app, row, { type: "start", by: actorOf(user) });
  const { startedBy, runBegunAt } = view.state;
  if (startedBy != null && runBegunAt !== null) wakeEvents(app, [{ id: startCauseIdOf(row.id, runBegunAt) }]);
  return headOf(app, row, view);
}

/**
 * Ends a session now for everybody. A session that has not begun is cancelled, and payers get their joins back (B-14).
 */
export async function endSession(app: App, input: SessionRef): Promise<SessionHead> {
  const user = requireUser(app.user);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await readSession(app, input);
    allow(mayHost(app, row), sessionRefusals.hostEnds);
    const view = await viewRoom(app, row.id);
    const status = statusAt(liveRow(row, view), app.now);
    if (status === SESSION_STATUS.ended) throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
    if (status === SESSION_STATUS.running)
      return headOf(app, row, await changeRoom(app, row, { type: "end", by: actorOf(user) }));
    const act = overseenBy(app, row, "session-cancelled", { hasRight: canHostSession });
    if (!(await cancelWaiting(app, row, recordOverseen(app, act)))) continue;
    return headOf(app, await readSession(app, { session: row.id }), null);
  }
  throw new AppError("CONFLICT", sessionRefusals.changedElsewhere);
}

/** Cancels a waiting session and refunds every join. False when the session has changed since it was read. */
async function cancelWaiting(app: App, row: SessionRow, act: Statement[] = []): Promise<boolean> {
  const isUnchanged = sessionWrites.isSessionVersion(row);
  const update = calendarCause(app, row.id, { starts: [row.startedAt] });
  const cause = cancellationEvent(app, row, `/sessions/${row.id}`);
  const refunds = endingsOf(app.db, "sessions", "ended", {
    sessionId: row.id,
    cancelledEvent: cause,
    calendarEvent: update,
    now: app.now,
    condition: isUnchanged,
  });
  const cancellation = sessionWrites.cancelSession(app.db, row, app.now);
  const results = await runBatch(app.db, [...refunds, cancellation, ...act]);
  if ((results[refunds.length] as unknown[]).length === 0) return false;
  notifyRoom(app, row.id);
  wakeEvents(app, [update, cause]);
  return true;
}

/**
 * The cause of the notices to everybody with a seat, except the actor. Payers also read that their token was returned
 * (N-21).
 */
const cancellationEvent = (app: App, { id, title, startedAt }: SessionRow, path: string) =>
  newEvent(app, {
    kind: "session-cancelled",
    subject: subjectOf("session", id),
    body: { title, path, knownBy: startedAt },
  });

/** Cancels a session that has not begun, for the table of endings. It leaves any other as it is. */
export async function cancelUpcoming(app: App, session: number): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await readSessionForEnding(app, session);
    const view = await viewRoom(app, row.id);
    if (statusAt(liveRow(row, view), app.now) !== SESSION_STATUS.waiting || (await cancelWaiting(app, row)))
      return;
  }
  throw new AppError("CONFLICT", sessionRefusals.changedElsewhere);
}

/** Deletes a session before its start, with refunds, or after its end, when logs stay; never while it runs. */
export async function deleteSession(
  app: App,
  input: SessionRef & { reason?: string | undefined },
): Promise<void> {
  requireUser(app.user);
  const { reason } = input;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const [[row], goals] = await app.db.batch([
      "session" in input
        ? sessions.findSession(app.db, input.session, viewerOf(app))
        : sessions.findSessionBySlug(app.db, input.slug, viewerOf(app)),
      goalCopies.listSessionGoals(
        app.db,
        "session" in input ? input.session : sessionWrites.idOf(input.slug),
      ),
    ]);
    if (!row) throw noSession();
    allow(mayHost(app, row), sessionRefusals.hostDeletes);
    const view = await viewRoom(app, row.id);
    const status = statusAt(liveRow(row, view), app.now);
    if (status === SESSION_STATUS.running) throw new AppError("CONFLICT", sessionRefusals.inProgress);
    const act = recordRemoval(app, row, reason);
    const results =
      status === SESSION_STATUS.waiting
        ? await deleteWaiting(app, row, { goals, act })
        : await deleteEnded(app, await closeRoom(app, row), { goals, act });
    if ((results as unknown[]).length === 0) continue;
    notifyRoom(app, row.id);
    return;
  }
  throw new AppError("CONFLICT", sessionRefusals.changedElsewhere);
}

/** A decision on a report gives a reason, and is audited whoever hosts the session. */
function recordRemoval(app: App, row: SessionRow, reason: string | undefined): Statement[] {
  const act = overseenBy(app, row, "session-removed", {
    hasRight: canHostSession,
    previous: row.title,
    reason,
  });
  return recordOverseen(app, reason === undefined ? act : { ...act, isOwnRight: false });
}

type Removal = { goals: Goal[]; act: Statement[] };
async function deleteWaiting(app: App, row: SessionRow, { goals, act }: Removal): Promise<unknown[]> {
  const isUnchanged = sessionWrites.isSessionVersion(row);
  const deletion = sessionWrites.deleteSession(app.db, row.slug, row, goals, app.now);
  const update = calendarCause(app, row.id, { starts: [row.startedAt] });
  const cause = cancellationEvent(app, row, "/my/sessions");
  const refunds = endingsOf(app.db, "sessions", "deleted", {
    sessionId: row.id,
    cancelledEvent: cause,
    calendarEvent: update,
    now: app.now,
    condition: isUnchanged,
  });
  const before = [...refunds, ...deletion.kept];
  const results = await runBatch(app.db, [...before, deletion.row, ...act, ...deletion.rest]);
  wakeEvents(app, [update, cause]);
  return results[before.length] as unknown[];
}

async function deleteEnded(app: App, row: SessionRow, { goals, act }: Removal): Promise<unknown[]> {
  const deletion = sessionWrites.deleteSession(app.db, row.slug, { id: row.id }, goals, app.now);
  const before = [keepBrowsersOut(app.db, row.id), ...deletion.kept];
  const results = await runBatch(app.db, [...before, deletion.row, ...act, ...deletion.rest]);
  return results[before.length] as unknown[];
}

/** The room settles the debts of an ended session before its record is deleted. */
async function closeRoom(app: App, row: SessionRow): Promise<SessionRow> {
  if (row.closedAt !== null) return row;
  await app.rooms
    .of(row.id)
    .refresh()
    .catch((error: unknown) => logRoomFailure({ event: "room-not-closed", session: row.id, error }));
  const closedRow = await readSession(app, { session: row.id });
  if (closedRow.closedAt === null) throw new AppError("CONFLICT", sessionRefusals.closing);
  return closedRow;
}

/** Back to status 0: no start, parts not started, ready marks cleared, logs kept. Super admin. */
export async function resetSession(app: App, input: SessionRef): Promise<SessionHead> {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user), sessionRefusals.superAdminResets);
  const row = await readSession(app, input);
  if (isCancelled(row)) throw new AppError("CONFLICT", sessionRefusals.cancelled);
  const view = await app.rooms.of(row.id).change({ type: "reset", by: actorOf(user) });
  if (row.startedAt !== null) await takeStartAway(app, row);
  return headOf(app, await readSession(app, { session: row.id }), view);
}

/** After a reset, announces that the start was taken away. A later start is then announced as a new one. */
async function takeStartAway(app: App, row: SessionRow): Promise<void> {
  const always = sql`true`;
  const update = calendarCause(app, row.id, { starts: [row.startedAt] });
  const { causes, toldStart, statements } = planStartChange(app, row, null, always);
  await runBatch(app.db, [
    recordSessionChange(app.db, update, { sessionId: row.id, condition: always }),
    ...statements,
    sessionWrites.updateDetails(app.db, row.id, { toldStart }),
  ]);
  wakeEvents(app, [update, ...causes]);
}

/** Resets every session of an activity that has not ended, and returns their number; `limit` of them per statement. */
export async function resetSessionsOf(app: App, activityId: number, limit = 200): Promise<number> {
  allow(isSuperAdmin(requireUser(app.user)), sessionRefusals.superAdminResets);
  let count = 0;
  for (let after = 0; ; ) {
    const openSessions = await sessions.listOpenSessions(app.db, { activityId, after }, app.now, limit);
    for (const { id } of openSessions) await resetSession(app, { session: id });
    count += openSessions.length;
    if (openSessions.length < limit) return count;
    after = openSessions.at(-1)?.id ?? after;
  }
}

// ---- parts of a running schedule

export type PartControl = { session: number; part: string };

/** Starts, pauses, resumes, finishes or resets a part now. Host, admins, super admin. */
export const controlPart =
  (action: PartAction) =>
  async (app: App, input: PartControl): Promise<SessionHead> =>
    changeAsRunner(app, input, (actor) => ({ type: "control-part", by: actor, partId: input.part, action }));

/** Adds whole seconds, or removes them if negative; later parts move. `isOnward`: each later piece too. */
export const adjustPart = (
  app: App,
  input: PartControl & { seconds: number; isOnward?: boolean },
): Promise<SessionHead> =>
  changeAsRunner(app, input, (actor) => ({
    type: "adjust-part",
    by: actor,
    partId: input.part,
    seconds: input.seconds,
    isOnward: input.isOnward ?? false,
  }));

/**
 * Makes a step of a round. `speaker`: the person whose turn the caller saw; a hidden person's name says nothing.
 */
export const moveRound =
  (move: RoundMove) =>
  (app: App, input: PartControl & { speaker?: string | undefined }): Promise<SessionHead> => {
    const { part: partId, speaker } = input;
    const change = (actor: ReturnType<typeof actorOf>) => ({
      type: "move-round" as const,
      by: actor,
      partId,
      move,
      speaker: speaker === undefined || isAlias(speaker) ? undefined : speaker,
    });
    return move === "pass" ? changeAsSpeaker(app, input, change) : changeAsRunner(app, input, change);
  };

/** Applies a change by a participant. The room checks that it is their turn. */
async function changeAsSpeaker(app: App, input: PartControl, change: ChangeBy): Promise<SessionHead> {
  const user = requireUser(app.user);
  const row = await readSession(app, { session: input.session });
  if (!seatOfRow(row)) throw new AppError("FORBIDDEN", NOT_JOINED);
  return headOf(app, row, await changeRoom(app, row, change(actorOf(user))));
}

type ChangeBy = (actor: ReturnType<typeof actorOf>) => Parameters<typeof changeRoom>[2];

/** Applies a change by the host, an admin or a super admin. */
async function changeAsRunner(app: App, input: PartControl, change: ChangeBy): Promise<SessionHead> {
  const user = requireUser(app.user);
  const row = await readSession(app, { session: input.session });
  allow(mayRun(app, row), refusals.hostAndAdminsOnly);
  const view: RoomView = await changeRoom(app, row, change(actorOf(user)));
  return headOf(app, row, view);
}
