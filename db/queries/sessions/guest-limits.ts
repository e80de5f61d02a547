// Statements on the number of guests of a session, which its reads and a hand-over need too; use cases run them.
import { type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { sessions } = schema;

/** The seats of guests in a session, as a column of another select. */
export const guestsIn = (session: SQL) =>
  sql<number>`(SELECT count(*) FROM participants g WHERE g.session_id = ${session} AND g.guest_look <> '')`.as(
    "guests_count",
  );

/** From now on nobody sits in as a guest. */
export const closeToGuests = (db: Database, sessionId: number, condition: SQL = sql`true`) =>
  db
    .update(sessions)
    .set({ guestLimit: 0 })
    .where(sql`id = ${sessionId} AND guest_limit > 0 AND ${condition}`);
