// The seats that the host pays for (B-07, H-20). A person who comes back keeps the host's earlier payment, so leaving
// and joining in turn takes no second token.
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";

const { participants } = schema;

export const STANDING_SEAT_PREFIX = "join:stand:";

/** The beginning of the ledger references of a guest's seats, the same whenever the guest comes back. */
export type GuestSeats = `guest:${string}:`;

/** The ledger reference of a seat that an account takes. */
export const seatReference = (sessionId: number, userId: number, id: string) =>
  `join:${sessionId}:${userId}:${id}`;

/** `seatReference` of columns. */
export const seatReferenceOf = (sessionId: SQL, userId: SQL, id: string): SQL =>
  sql`${beginningOf(sessionId, userId)} || ${id}`;
const beginningOf = (sessionId: SQL, userId: SQL): SQL =>
  sql`'join:' || ${sessionId} || ':' || ${userId} || ':'`;

/** The ledger reference of a standing seat in a session, of columns. */
export const standingReferenceOf = (sessionId: SQL, userId: SQL): SQL =>
  sql`${STANDING_SEAT_PREFIX} || ${sessionId} || ':' || ${userId}`;

const startsWith = (beginning: SQL | string): SQL =>
  sql`(e.reference >= ${beginning} AND e.reference < ${beginning} || '~')`;
/** The entry `e` names a seat of this account in this session. */
const isOfAccount = (sessionId: SQL, userId: SQL): SQL =>
  sql`(${startsWith(beginningOf(sessionId, userId))} OR e.reference = ${standingReferenceOf(sessionId, userId)})`;

/**
 * Selects the reference of a seat that `payer` has paid for as the host, without a refund. The unary plus keeps SQLite
 * from reading all entries of the payer.
 */
const selectPaidSeat = (isOfPerson: SQL, payer: SQL): SQL =>
  sql`(SELECT e.reference FROM token_entries e WHERE ${isOfPerson}
    AND +e.user_id = ${payer} AND e.reason = 'host_join' AND e.amount < 0
    AND NOT EXISTS (SELECT 1 FROM token_entries r WHERE r.reference = 'refund:' || e.reference) LIMIT 1)`;

/** A condition: the host `payer` has paid for an earlier seat of this account. */
export const hasPaidSeat = (sessionId: SQL, userId: SQL, payer: SQL): SQL =>
  sql`${selectPaidSeat(isOfAccount(sessionId, userId), payer)} IS NOT NULL`;

/** Selects the earlier payment for the seat of `participants`, a guest's by `guestSeats`. */
const selectEarlierSeat = (guestSeats: GuestSeats | null): SQL => {
  const isOfPerson = guestSeats
    ? startsWith(guestSeats)
    : isOfAccount(sql`participants.session_id`, sql`participants.user_id`);
  return selectPaidSeat(sql`${isOfPerson} AND e.reference <> participants.seat`, sql`participants.paid_by`);
};

/** A condition inside the batch: the seat of `participants` exists, and the payer has paid for no earlier one. */
export const isSeatUnpaid = (isThisSeat: SQL, guestSeats: GuestSeats | null = null): SQL =>
  sql`EXISTS (SELECT 1 FROM participants WHERE ${isThisSeat} AND ${selectEarlierSeat(guestSeats)} IS NULL)`;

/**
 * Gives the seat of `participants` the reference of the earlier payment, so that its refund returns that. It runs after
 * the statements that name the seat by its own.
 */
export const keepPaidSeat = (
  db: Database,
  isThisSeat: SQL,
  guestSeats: GuestSeats | null = null,
): Statement =>
  db
    .update(participants)
    .set({ seat: selectEarlierSeat(guestSeats) })
    .where(sql`${isThisSeat} AND ${selectEarlierSeat(guestSeats)} IS NOT NULL`);
