// Statements on tokens that a user has paid for chat lines in advance and not used yet (B-13); use cases run them.
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/connect.server";
import { DAY, type Instant } from "~/domain/time";

/** A session runs 30 days at most. */
const MAX_SESSION_LENGTH = 30 * DAY;

/**
 * Selects the newest chat block of each open session. Earlier blocks are used up: a room reserves the next at five
 * lines left.
 */
const selectOpenReserves = (userId: SQL, now: Instant): SQL => sql`
  SELECT newest.amount, s.title, s.id AS session_id FROM (
    SELECT reference, amount, session_id, max(last) FROM (
      SELECT reference, -sum(amount) AS amount, max(id) AS last, CAST(substr(reference, 6) AS INTEGER) AS session_id
      FROM token_entries
      WHERE user_id = ${userId} AND reason = 'chat' AND created_at > ${now - MAX_SESSION_LENGTH}
      GROUP BY reference)
    GROUP BY session_id) newest
  JOIN sessions s ON s.id = newest.session_id AND s.closed_at IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM token_entries r WHERE r.reference = 'chat_return:' || newest.reference)`;

/** In hundredths of a token. */
export const sumReserves = (userId: SQL, now: Instant): SQL<number> =>
  sql<number>`(SELECT coalesce(sum(amount), 0) FROM (${selectOpenReserves(userId, now)}))`;

export const listReserves = (db: Database, userId: number, now: Instant) =>
  db
    .select({
      sessionId: sql<number>`session_id`.as("session_id"),
      title: sql<string>`title`.as("title"),
      amount: sql<number>`amount`.as("amount"),
    })
    .from(sql`(${selectOpenReserves(sql`${userId}`, now)})`)
    .orderBy(sql`session_id`);
