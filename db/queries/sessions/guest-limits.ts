// Statements on the number of guests of a session, which its reads and a hand-over need; use cases run them.
import { type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { sessions } = schema;

/** The seats of guests in a session, as a column of another select. */
export const selectGuestCount = (session: SQL) =>
  sql<number>`(SELECT count(*) FROM participants g WHERE g.session_id = ${session} AND g.guest_look <> '')`.as(
    "guests_count",
  );

/** Sets the limit of guests to 0, so that nobody else can sit in. */
export const closeToGuests = (db: Database, sessionId: number, condition: SQL = sql`true`) =>
  db
    .update(sessions)
    .set({ guestLimit: 0 })
    .where(sql`id = ${sessionId} AND guest_limit > 0 AND ${condition}`);
