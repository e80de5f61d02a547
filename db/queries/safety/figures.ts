// Statements that count events of the last days, for super admins; use cases run them. Each reads a bounded number of
// rows, whatever the size of its table.
import { gte, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Day } from "~/domain/days";
import type { Instant } from "~/domain/time";

/** At most this many seats are read, those of the newest sessions first. */
export const MAX_SEATS_READ = 600;
/** At most this many rows of every other kind are read. */
export const MAX_ROWS_READ = MAX_SEATS_READ / 5;

/**
 * Counts the ids that a table has assigned since an instant. Ids grow with time, so a binary search finds the first.
 */
function countIdsSince(table: "users" | "sessions", since: Instant): SQL<number> {
  const rows = sql.raw(table);
  const middle = sql`(low + high) / 2`;
  const isBefore = sql`(SELECT created_at < ${since} FROM ${rows} WHERE id >= ${middle} AND id < high ORDER BY id LIMIT 1)`;
  return sql<number>`(WITH RECURSIVE halves(low, high) AS (
    SELECT 0, coalesce((SELECT max(id) FROM ${rows}), 0) + 1
    UNION ALL
    SELECT iif(${isBefore}, (SELECT id FROM ${rows} WHERE id >= ${middle} ORDER BY id LIMIT 1), low),
      iif(${isBefore}, high, ${middle})
    FROM halves WHERE high - low > 1
  ) SELECT coalesce((SELECT max(id) FROM ${rows})
    - (SELECT id FROM ${rows} WHERE id >= (SELECT min(high) FROM halves) ORDER BY id LIMIT 1) + 1, 0))`;
}

/** Users and sessions created since each instant. */
export const countCreated = (db: Database, since: readonly [Instant, Instant, Instant]) => {
  const [day, week, month] = since;
  return db
    .select({
      usersDay: countIdsSince("users", day).as("users_day"),
      usersWeek: countIdsSince("users", week).as("users_week"),
      usersMonth: countIdsSince("users", month).as("users_month"),
      sessionsDay: countIdsSince("sessions", day).as("sessions_day"),
      sessionsWeek: countIdsSince("sessions", week).as("sessions_week"),
      sessionsMonth: countIdsSince("sessions", month).as("sessions_month"),
    })
    .from(sql`(SELECT 1)`);
};

const { participants, deliveries, deliveryDays, failedRows, reports } = schema;

/** The instants at which the newest seats were taken. The caller counts them. */
export const listSeatsTaken = (db: Database) =>
  db
    .select({ at: participants.joinedAt })
    .from(participants)
    .orderBy(sql`session_id DESC`)
    .limit(MAX_SEATS_READ);
export const listDeliveriesIn = (db: Database, state: "waiting" | "failed") =>
  db
    .select({ at: deliveries.at })
    .from(deliveries)
    .where(sql`state = ${sql.raw(`'${state}'`)}`)
    .orderBy(state === "failed" ? sql`at DESC` : sql`due_at DESC`)
    .limit(MAX_ROWS_READ);
/** The decided deliveries of each day from `since` on, by state. */
export const listDecided = (db: Database, since: Day) =>
  db.select().from(deliveryDays).where(gte(deliveryDays.day, since));
export const listFailureTimes = (db: Database) =>
  db.select({ at: failedRows.at }).from(failedRows).orderBy(sql`at DESC`).limit(MAX_ROWS_READ);
export const listOpenReportTimes = (db: Database) =>
  db
    .select({ at: reports.createdAt })
    .from(reports)
    .where(sql`closed_at IS NULL`)
    .orderBy(sql`created_at DESC`)
    .limit(MAX_ROWS_READ);
