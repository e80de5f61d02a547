// The calendar version of a session, `sequence` and `changed_at`. Every statement that may change start, end or title
// sets both (F-08).
import { type SQL, sql } from "drizzle-orm";
import type { Instant } from "~/domain/time";

type Shown = { title?: string | undefined; startedAt?: Instant | null; endedAt?: Instant | null };

/** Raises the sequence by one if a value differs from the row's. A cancellation moves the start, so it counts too. */
export function calendarStamp(
  { title, startedAt, endedAt }: Shown,
  now: Instant,
): { sequence?: SQL; changedAt?: SQL } {
  const differing = [
    ...(title === undefined ? [] : [sql`title IS NOT ${title}`]),
    ...(startedAt === undefined ? [] : [sql`started_at IS NOT ${startedAt}`]),
    ...(endedAt === undefined ? [] : [sql`ended_at IS NOT ${endedAt}`]),
  ];
  if (differing.length === 0) return {};
  const differs = sql`(${sql.join(differing, sql` OR `)})`;
  return {
    sequence: sql`sequence + ${differs}`,
    changedAt: sql`iif(${differs}, ${now}, changed_at)`,
  };
}
