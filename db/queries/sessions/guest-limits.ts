// Statements on the number of guests of a session, which its reads and a hand-over need; use cases run them.
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { sessions } = schema;

/** The seats of guests in a session, as a column of another select. */
export const selectGuestCount = (session: SQL) =>
  sql<number>`(SELECT count(*) FROM participants g WHERE g.session_id = ${session} AND g.guest_look <> '')`.as(
    "guests_count",
  );

/**
 * Sets the limit of guests to 0 as a save of the session, so that an older form does not raise it again unseen.
 * Statements on the version that was read belong before it. Returns the session if it had places for guests.
 */
export const saveNoGuests = (
  db: Database,
  sessionId: number,
  now: Instant,
  condition: SQL = sql`true`,
): Statement =>
  db
    .update(sessions)
    .set({ guestLimit: 0, updatedAt: laterVersion(now) })
    .where(sql`id = ${sessionId} AND guest_limit > 0 AND ${condition}`)
    .returning({ id: sessions.id });

/** The version of a save, which is later than the one before even if the clock goes back. */
export const laterVersion = (now: Instant) => sql<Instant>`max(updated_at + 1, ${now})`;
