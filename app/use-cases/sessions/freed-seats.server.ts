// Taking a person's places away: the seat, with its refund before the start, and the place on the waiting list in a
// session.
import { type SQL, sql } from "drizzle-orm";
import { runBatch, type Statement } from "#db/connect.server";
import { recordDeparture } from "#db/queries/sessions/calendar-invites";
import * as participants from "#db/queries/sessions/participants";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { wakeEvents } from "~/use-cases/notices/events.server";
import { notifyRoom } from "~/use-cases/notify-room.server";
import { calendarCause } from "~/use-cases/sessions/calendar-invites.server";
import { readSessionForEnding } from "./read.server";
import { layPlanStatements, updatePlan } from "./roster-plan.server";
import { leaveWaitingListStatements } from "./waiting.server";

type SeatKey = { sessionId: number; userId: number; seat: string };

/**
 * The statements that free a seat where `condition` holds. Pass `isRefunded` only before the start (B-14). `departure`
 * is the cause to wake after their batch, because news of a near start may not wait.
 */
export function freeSeatStatements(
  app: App,
  seat: SeatKey,
  { isRefunded, startedAt }: { isRefunded: boolean; startedAt: Instant | null },
  condition = participants.mayLeave(seat, app.now),
) {
  const departure = calendarCause(app, seat.sessionId, { starts: [startedAt] });
  const seatDeletion = participants.freeSeat(app.db, seat, condition);
  // The person may have left and taken another seat meanwhile, whose payment stays.
  const isSeated = sql`${condition} AND ${participants.hasSeat(seat)}`;
  const statements: Statement[] = [
    ...(isRefunded ? participants.refundSeats(app.db, seat, app.now, isSeated) : []),
    recordDeparture(app.db, departure, seat, isSeated),
    seatDeletion.count,
    seatDeletion.row,
  ];
  return { statements, departure };
}

/**
 * The statements of a removal, which always refunds before the start. `condition` is a further condition on
 * the state before.
 */
export const removeSeatStatements = (app: App, row: SessionRow, seat: SeatKey, condition: SQL = sql`true`) =>
  freeSeatStatements(
    app,
    seat,
    { isRefunded: statusAt(row, app.now) === SESSION_STATUS.waiting, startedAt: row.startedAt },
    sql`${participants.mayLeave(seat, app.now)} AND ${condition}`,
  );

/** Frees the places of a person in one session. The host's seat and the seats of ended sessions stay. */
export async function freePlaces(app: App, row: SessionRow, userId: number): Promise<void> {
  if (await freePlacesInRecord(app, row, userId)) notifyRoom(app, row.id);
}

/**
 * Frees them in one batch, but not the seat where `condition` does not hold. False where nothing may be freed; otherwise
 * the caller notifies the room.
 */
export async function freePlacesInRecord(
  app: App,
  row: SessionRow,
  userId: number,
  condition?: SQL,
): Promise<boolean> {
  const [seat] = await participants.findSeat(app.db, row.id, userId);
  if (seat?.isHost || statusAt(row, app.now) === SESSION_STATUS.ended) return false;
  const removal = seat && removeSeatStatements(app, row, seat, condition);
  await runBatch(app.db, [
    ...(removal?.statements ?? []),
    ...leaveWaitingListStatements(app, row, userId),
    ...layPlanStatements(app, row, row.participantsCount - (seat ? 1 : 0)),
  ]);
  if (removal) wakeEvents(app, [removal.departure]);
  await updatePlan(app, await readSessionForEnding(app, row.id));
  return true;
}
