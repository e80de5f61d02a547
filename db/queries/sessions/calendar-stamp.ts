// The calendar version of a session, in the columns `sequence` and `changed_at`. Every statement that may change start,
// end or title sets both (F-08).
import { type SQL, sql } from "drizzle-orm";
import type { Instant } from "~/domain/time";

type CalendarFields = { title?: string | undefined; startedAt?: Instant | null; endedAt?: Instant | null };

/** Raises the sequence by one if a value differs from the row's. A cancellation moves the start, so it counts too. */
export function calendarStamp(
  { title, startedAt, endedAt }: CalendarFields,
  now: Instant,
): { sequence?: SQL; changedAt?: SQL } {
  const differences = [
    ...(title === undefined ? [] : [sql`title IS NOT ${title}`]),
    ...(startedAt === undefined ? [] : [sql`started_at IS NOT ${startedAt}`]),
    ...(endedAt === undefined ? [] : [sql`ended_at IS NOT ${endedAt}`]),
  ];
  if (differences.length === 0) return {};
  const differs = sql`(${sql.join(differences, sql` OR `)})`;
  return {
    sequence: sql`sequence + ${differs}`,
    changedAt: sql`iif(${differs}, ${now}, changed_at)`,
  };
}
