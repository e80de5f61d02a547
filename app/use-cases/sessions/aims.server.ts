// The answers to "What will you do?": a person writes their own, and host and admins remove one. The record
// stores them with the seat; the room reads them with its roster.
import { runBatch } from "#db/connect.server";
import { recordAct } from "#db/queries/safety/audit";
import * as participants from "#db/queries/sessions/participants";
import { findSession } from "#db/queries/sessions/sessions";
import { AppError, invalid } from "~/domain/errors";
import { allow, requireUser } from "~/domain/permissions";
import { AIM_LENGTH, AIM_SENTENCES, aimTimeAt } from "~/domain/sessions/aims";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import type { App } from "~/use-cases/app.server";
import { requireHostScope } from "~/use-cases/goal-keys.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { requireMayWrite, sessionPlace } from "~/use-cases/writing.server";
import { mayRun, noSession, readSession, seatOfRow } from "./read.server";

/** An answer as its author reads it. */
export type Aim = { aim: string; goalId: number | null };

/** Replaces the user's answer; an empty one takes it back. The goal is one of the user's own, and nobody sees it. */
export async function writeAim(
  app: App,
  input: { session: number; aim: string; goalId?: number | null | undefined },
): Promise<Aim> {
  const user = requireUser(app.user);
  const row = await readSession(app, { session: input.session });
  if (!seatOfRow(row)) throw new AppError("FORBIDDEN", AIM_SENTENCES.notSeated);
  const { aim } = input;
  const goalId = aim === "" ? null : (input.goalId ?? null);
  if (aim.length > AIM_LENGTH) throw invalid("aim", AIM_SENTENCES.long);
  const aimTime = aimTimeAt(row, app.now);
  if (aimTime !== "open")
    throw new AppError("CONFLICT", aimTime === "early" ? AIM_SENTENCES.early : SESSION_SENTENCES.ended);
  if (aim !== "") requireMayWrite(app, sessionPlace(row));
  if (aim === row.seatAim && goalId === row.seatAimGoalId) return { aim, goalId };
  await countUse(app, "change-session-text", user.id);
  const [writtenSeat] = await participants.setAim(
    app.db,
    { sessionId: row.id, userId: user.id },
    { aim, goalId },
  );
  if (!writtenSeat) throw new AppError(goalId === null ? "CONFLICT" : "NOT_FOUND", refusalOf(goalId));
  notifyRoom(app, row.id);
  return { aim: writtenSeat.aim, goalId: writtenSeat.aimGoalId };
}

const refusalOf = (goalId: number | null) =>
  goalId === null ? SESSION_SENTENCES.ended : AIM_SENTENCES.noGoal;

type Removal = { session: number; reason?: string | undefined };

/** Removes an answer, by its author, the host, admins and super admins. Idempotent. */
export const removeAim = (app: App, input: Removal & { username: string }): Promise<void> =>
  removeFromSeat(app, input, participants.findSeatByName(app.db, input.session, input.username));

/** Removes a reported answer. Its author may have another name by now. */
export const removeAimOf = (app: App, input: Removal & { userId: number }): Promise<void> =>
  removeFromSeat(app, input, participants.findSeat(app.db, input.session, input.userId));

async function removeFromSeat(
  app: App,
  input: Removal,
  find: ReturnType<typeof participants.findSeat>,
): Promise<void> {
  const user = requireUser(app.user);
  const [[row], [seat]] = await app.db.batch([findSession(app.db, input.session, viewerOf(app)), find]);
  if (!row) throw noSession();
  const isOwn = seat?.userId === user.id;
  allow(isOwn || mayRun(app, row), sessionRefusals.authorRemovesAim);
  if (!isOwn) requireHostScope(app);
  if (!seat) throw new AppError("NOT_FOUND", sessionRefusals.notParticipant);
  if (seat.aim === "") return;
  await countUse(app, "change-session-text", user.id);
  const act = {
    at: app.now,
    actorId: user.id,
    action: "aim-removed" as const,
    target: { kind: "session" as const, id: row.id },
    userId: seat.userId,
    reason: input.reason,
  };
  const erasure = participants.eraseAim(app.db, seat);
  await runBatch(app.db, isOwn ? [erasure] : [erasure, recordAct(app.db, act)]);
  notifyRoom(app, row.id);
}
