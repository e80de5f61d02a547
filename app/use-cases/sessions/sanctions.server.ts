// Sanctions of a session: muting a participant, banning a person and lifting the ban. The record
// stores them; the room reads them with its roster.
import { sql } from "drizzle-orm";
import { runBatch, type Statement } from "#db/connect.server";
import { endingsOf } from "#db/queries/endings";
import { type Act, recordAct } from "#db/queries/safety/audit";
import { banBrowser, liftGuestBans } from "#db/queries/safety/guest-bans";
import * as sanctions from "#db/queries/safety/sanctions";
import * as participants from "#db/queries/sessions/participants";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import { AppError } from "~/domain/errors";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { USER_ROLE } from "~/domain/roles";
import { isHandle } from "~/domain/room/aliases";
import { type MuteOrder, muteUntil, rankOfSeat, sanctionRefusal } from "~/domain/safety/sanctions";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { takeSteps } from "~/use-cases/ending-steps.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom, refreshRoom } from "~/use-cases/notify-room.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { viewerOf } from "~/use-cases/viewer.server";
import { removeSeatStatements } from "./freed-seats.server";
import { actorOf, mayHost, mayRun, noSession, seatOfRow, viewRoom } from "./read.server";
import { layPlanStatements, updatePlan } from "./roster-plan.server";
import { leaveWaitingListStatements } from "./waiting.server";

const MAX_ATTEMPTS = 4;

type SessionPersonRef = { session: number; username: string };
/** Only the sanction that was set at that instant is lifted. */
type SetAt = { setAt?: Instant | undefined };
/** A decision on a report sets the sanction. */
type ByDecision = { isDecision?: boolean | undefined };

/** Reads the session and the person; FORBIDDEN unless the actor has the right and outranks the person. */
async function readTarget(
  app: App,
  input: SessionPersonRef,
  hasRight: (app: App, row: SessionRow) => boolean,
) {
  const user = requireUser(app.user);
  const [[row], [namedTarget]] = await app.db.batch([
    sessions.findSession(app.db, input.session, viewerOf(app)),
    sanctions.findTarget(app.db, input.username, { sessionId: input.session }),
  ]);
  if (!row) throw noSession();
  allow(hasRight(app, row), refusals.hostAndAdminsOnly);
  const target = isHandle(input.username) ? await targetOfHandle(app, row, input.username) : namedTarget;
  if (!target) throw new AppError("NOT_FOUND", sessionRefusals.notParticipant);
  const { userId, personId, roleHere, isHost } = target;
  const seat = roleHere === null ? null : { role: roleHere, isHost };
  const refusal = sanctionRefusal(
    { userId: user.id, isSuperAdmin: isSuperAdmin(user), rank: rankOfSeat(seatOfRow(row)) },
    { userId, isSuperAdmin: target.roleId === USER_ROLE.superAdmin, rank: rankOfSeat(seat) },
  );
  if (refusal !== null) throw new AppError("FORBIDDEN", refusal);
  await countUse(app, "change-sanction", user.id);
  const actOf = (action: Act["action"], details: Partial<Act> = {}): Act => ({
    at: app.now,
    actorId: user.id,
    action,
    target: { kind: "session", id: row.id },
    userId,
    ...details,
  });
  return { row, seat, userId, personId, actOf };
}

async function targetOfHandle(app: App, row: SessionRow, handle: string) {
  const [seat] = await participants.findSeatByName(app.db, row.id, handle);
  if (!seat) return undefined;
  return (await sanctions.findTarget(app.db, seat.username, { sessionId: row.id }))[0];
}

/**
 * Mutes a participant for some minutes or the whole session, by host or admin; 0 lifts the mute. With `setAt` it
 * lifts that of a person without a seat too, who may join again.
 */
export async function muteParticipant(
  app: App,
  input: SessionPersonRef & SetAt & ByDecision & { mute: MuteOrder; reason?: string | undefined },
): Promise<void> {
  const { row, seat, userId, personId, actOf } = await readTarget(app, input, mayRun);
  const { mute, reason = "" } = input;
  if (!seat && (mute !== 0 || input.setAt === undefined))
    throw new AppError("NOT_FOUND", sessionRefusals.notParticipant);
  if (statusAt(row, app.now) === SESSION_STATUS.ended)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  const key = { scope: "session", targetId: row.id, userId, kind: "mute" } as const;
  await runBatch(
    app.db,
    mute === 0
      ? endMuteStatements(app, actOf("mute-lifted"), { sessionId: row.id, userId, setAt: input.setAt })
      : [
          sanctions.setSanction(app.db, {
            ...key,
            personId,
            until: muteUntil(mute, app.now),
            reason,
            now: app.now,
            isDecision: input.isDecision,
          }),
          recordAct(app.db, actOf("muted", { reason })),
        ],
  );
  notifyRoom(app, row.id);
}

/** The statements that end the mute of a person in a session, with the audit row `act`. */
export const endMuteStatements = (
  app: App,
  act: Act,
  { sessionId, userId, setAt }: { sessionId: number; userId: number } & SetAt,
): Statement[] => [
  sanctions.liftSanction(
    app.db,
    { scope: "session", targetId: sessionId, userId, kind: "mute" },
    app.now,
    sanctions.isSetAt(setAt),
  ),
  recordAct(app.db, act),
];

/**
 * Removes the seat, with the refund of a removal, and bans the person, even without a seat. By the host.
 * `isSeries`: from every session of the series.
 */
export async function banFromSession(
  app: App,
  input: SessionPersonRef &
    ByDecision & {
      isSeries?: boolean | undefined;
      withLines?: boolean | undefined;
      endsMute?: boolean | undefined;
      reason?: string | undefined;
    },
): Promise<void> {
  const { row, userId, personId, actOf } = await readTarget(app, input, mayHost);
  const seriesId = input.isSeries ? requireSeries(app, row, userId) : null;
  if (statusAt(row, app.now) === SESSION_STATUS.ended)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  const { reason = "" } = input;
  const target =
    seriesId === null
      ? ({ scope: "session", targetId: row.id } as const)
      : ({ scope: "series", targetId: seriesId } as const);
  const ban = { ...target, userId, personId, kind: "ban", until: null, reason } as const;
  let [seat] = await participants.findSeat(app.db, row.id, userId);
  let currentRow: SessionRow | undefined;
  // A seat taken between the read and the batch is removed in the next round, because the ban already applies.
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (seat?.isHost) throw new AppError("CONFLICT", SESSION_SENTENCES.hostStays);
    const seatRemoval = seat && removeSeatStatements(app, row, seat);
    const results = await runBatch(app.db, [
      ...(seatRemoval?.statements ?? []),
      sanctions.setSanction(
        app.db,
        { ...ban, now: app.now, isDecision: input.isDecision },
        participants.isNotHost({ sessionId: row.id, userId }),
      ),
      // Directly after the ban, because the audit row is written only if the statement before it changed a row.
      recordAct(app.db, actOf("banned", { reason })),
      ...(input.endsMute ? endMuteStatements(app, actOf("mute-lifted"), { sessionId: row.id, userId }) : []),
      ...banBrowser(app.db, { sessionId: row.id, userId, now: app.now }),
      ...leaveWaitingListStatements(app, row, userId),
      ...endingsOf(app.db, "users", "kept-out", { seriesId, userId }),
      ...layPlanStatements(app, row, row.participantsCount - (seat ? 1 : 0)),
      participants.findSeat(app.db, row.id, userId),
      sessions.findSession(app.db, row.id, viewerOf(app)),
    ]);
    [[seat], [currentRow]] = results.slice(-2) as [(typeof seat)[], SessionRow[]];
    if (seatRemoval) wakeEvents(app, [seatRemoval.departure]);
    if (!seat) break;
  }
  if (seat) throw new AppError("CONFLICT");
  if (!currentRow) throw noSession();
  await updatePlan(app, currentRow);
  await refreshRoom(app, row.id);
  // The ban already keeps the person from taking seats in the series' other sessions again.
  await takeSteps(app, "users", "kept-out", { seriesId, userId });
  await expel(app, currentRow, { userId, withLines: input.withLines, reason });
}

/** True if the session has begun by this row, or since the row was read. */
export async function hasBegun(app: App, row: SessionRow): Promise<boolean> {
  if (statusAt(row, app.now) !== SESSION_STATUS.waiting) return true;
  const view = await viewRoom(app, row.id);
  return view !== null && view.state.runBegunAt !== null;
}

/**
 * Takes a removed person's visit, and the chat lines if asked, out of the room; before the start there is neither. Call it
 * after the room has read that the seat is free, so that no visit begins afterwards.
 */
export async function expel(
  app: App,
  row: SessionRow,
  target: { userId: number; withLines?: boolean | undefined; reason?: string | undefined },
): Promise<void> {
  const { userId, withLines = false, reason = "" } = target;
  if (!withLines && !(await hasBegun(app, row))) return;
  const actor = actorOf(requireUser(app.user));
  await app.rooms.of(row.id).change({ type: "expel", by: actor, userId, withLines, reason });
}

/** A ban from a series, and its end, are for the series' host and super admins. */
export const mayBanFromSeries = (app: App, { ownerId }: { ownerId: number }): boolean =>
  ownerId === app.user?.id || isSuperAdmin(app.user);

/** Nobody closes a series to its host. */
function requireSeries(app: App, row: SessionRow, userId: number): number {
  if (row.series === null) throw new AppError("CONFLICT", sessionRefusals.noSeriesOfSession);
  allow(mayBanFromSeries(app, row.series), sessionRefusals.seriesHostOnly);
  allow(row.series.ownerId !== userId, sessionRefusals.ownHost);
  return row.series.id;
}

/**
 * Lets a banned person join again. By the host. Idempotent. With `setAt`, a ban from the series stays, and with it
 * the guest's browser stays out.
 */
export async function liftSessionBan(app: App, input: SessionPersonRef & SetAt): Promise<void> {
  const { row, userId, actOf } = await readTarget(app, input, mayHost);
  const { setAt } = input;
  const ban = { userId, kind: "ban" } as const;
  const { series } = row;
  // One statement, because the audit row is written only if the statement before it changed a row.
  const lifted = sanctions.liftSanctions(
    app.db,
    [
      { ...ban, scope: "session", targetId: row.id },
      ...(series && setAt === undefined && mayBanFromSeries(app, series)
        ? [{ ...ban, scope: "series", targetId: series.id } as const]
        : []),
    ],
    app.now,
    sanctions.isSetAt(setAt),
  );
  const place = { id: sql`${row.id}`, seriesId: sql`${series?.id ?? 0}`, hutId: sql`${row.hutId ?? 0}` };
  await runBatch(app.db, [
    lifted,
    recordAct(app.db, actOf("ban-lifted")),
    liftGuestBans(
      app.db,
      { sessionId: row.id, userId },
      setAt === undefined ? undefined : sanctions.isLetIn({ userId, now: app.now }, place),
    ),
  ]);
}
