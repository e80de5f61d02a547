// Tokens that are taken in advance and not used yet: the newest chat block of each open session (B-13).
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/connect.server";
import { DAY, type Instant } from "~/domain/time";

/** A session runs 30 days at most. */
const LONGEST = 30 * DAY;

/** Earlier blocks of a session are used up: the next one is reserved when five lines are left. */
const openReserves = (userId: SQL, now: Instant): SQL => sql`
  SELECT newest.amount, s.title, s.id AS session_id FROM (
    SELECT reference, amount, session_id, max(last) FROM (
      SELECT reference, -sum(amount) AS amount, max(id) AS last, CAST(substr(reference, 6) AS INTEGER) AS session_id
      FROM token_entries
      WHERE user_id = ${userId} AND reason = 'chat' AND created_at > ${now - LONGEST}
      GROUP BY reference)
    GROUP BY session_id) newest
  JOIN sessions s ON s.id = newest.session_id AND s.closed_at IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM token_entries r WHERE r.reference = 'chat_return:' || newest.reference)`;

/** Hundredths. */
export const sumReserves = (userId: SQL, now: Instant): SQL<number> =>
  sql<number>`(SELECT coalesce(sum(amount), 0) FROM (${openReserves(userId, now)}))`;

export const listReserves = (db: Database, userId: number, now: Instant) =>
  db
    .select({
      sessionId: sql<number>`session_id`.as("session_id"),
      title: sql<string>`title`.as("title"),
      amount: sql<number>`amount`.as("amount"),
    })
    .from(sql`(${openReserves(sql`${userId}`, now)})`)
    .orderBy(sql`session_id`);
