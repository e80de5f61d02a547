// Local times of a person's zone as instants, and the first instant outside quiet hours (N-15, N-16). Pure.
import { type Day, dayAt, plusDays, weekdayOf } from "~/domain/days";
import { memoiseByKey } from "~/domain/memoise";
import { DAY, HOUR, type Instant, instant, MINUTE } from "~/domain/time";
import type { Digest } from "./notices";

/** Two local times in minutes of the day; equal times mean none. */
export type QuietHours = { from: number; to: number };

const formatOf = memoiseByKey(
  (timeZone) =>
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    }),
);

/** The local time as if it were UTC, in whole minutes. */
function localAt(at: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute);
}
const offsetAt = (at: number, timeZone: string): number =>
  localAt(at, timeZone) - Math.floor(at / MINUTE) * MINUTE;

/** The instant of a local time. A skipped time is the next valid minute; of a repeated time the first counts. */
export function instantOf(day: Day, minute: number, timeZone: string): Instant {
  const local = Date.parse(`${day}T00:00:00Z`) + minute * MINUTE;
  const [before, after] = [offsetAt(local - DAY, timeZone), offsetAt(local + DAY, timeZone)];
  const exact = [local - before, local - after]
    .sort((a, b) => a - b)
    .find((at) => localAt(at, timeZone) === local);
  if (exact !== undefined) return instant(exact);
  // A skipped time: search the minute at which the clock changes.
  let [early, late] = [local - Math.max(before, after) - HOUR, local - Math.min(before, after) + HOUR];
  const utcOffset = offsetAt(late, timeZone);
  while (late - early > MINUTE) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE) * MINUTE;
    if (offsetAt(middle, timeZone) === utcOffset) late = middle;
    else early = middle;
  }
  return instant(late);
}

/**
 * The local minutes of the day that clocks anywhere reach in (after, until], with those that a clock skips there. A
 * clock that goes back reaches no minute again.
 */
export function minutesReached(
  after: Instant,
  until: Instant,
  zones: readonly string[] = Intl.supportedValuesOf("timeZone"),
): number[] {
  const reached = new Set<number>();
  const [first, last] = [Math.floor(after / MINUTE) * MINUTE, Math.floor(until / MINUTE) * MINUTE];
  for (const zone of zones) {
    let local = localAt(first, zone);
    for (let at = first + MINUTE; at <= last; at += MINUTE) {
      const next = localAt(at, zone);
      for (let minute = Math.max(local, next - DAY) + MINUTE; minute <= next; minute += MINUTE)
        reached.add((minute % DAY) / MINUTE);
      local = next;
    }
  }
  return [...reached].sort((a, b) => a - b);
}

/** The day on which a local time of this zone lies in (after, until]; null without. */
export function dayReached(minute: number, timeZone: string, after: Instant, until: Instant): Day | null {
  const days = new Set([dayAt(after, timeZone), dayAt(until, timeZone)]);
  const isReached = (at: Instant) => at > after && at <= until;
  return [...days].find((day) => isReached(instantOf(day, minute, timeZone))) ?? null;
}
/** The last instant of a local day. */
export const endOfDay = (day: Day, timeZone: string): Instant =>
  instant(instantOf(plusDays(day, 1), 0, timeZone) - 1);

/**
 * The first allowed instant from `at`; null when that is later than `latest` (N-16). News that people must know by an
 * instant before the end of the quiet hours does not wait for it.
 */
export function dueAt(
  at: Instant,
  timeZone: string,
  quiet: QuietHours | null,
  latest: Instant | null,
  knownBy: Instant | null = null,
): Instant | null {
  const allowedAt = quiet === null ? at : afterQuiet(at, timeZone, quiet);
  const sendAt = knownBy !== null && allowedAt > knownBy ? at : allowedAt;
  return latest !== null && sendAt > latest ? null : sendAt;
}

function afterQuiet(at: Instant, timeZone: string, { from, to }: QuietHours): Instant {
  if (from === to) return at;
  const today = dayAt(at, timeZone);
  for (const day of [plusDays(today, -1), today]) {
    const start = instantOf(day, from, timeZone);
    const end = instantOf(from < to ? day : plusDays(day, 1), to, timeZone);
    // Where a clock skips all that lies between, the next quiet hours begin at once.
    if (start <= at && at < end) return afterQuiet(end, timeZone, { from, to });
  }
  return at;
}

const DIGEST_MINUTE = 8 * 60;
/** The next digest after an instant: at 08:00 local time, daily or on Mondays (N-17). */
export function nextDigest(at: Instant, timeZone: string, digest: Exclude<Digest, "off">): Instant {
  for (let day = dayAt(at, timeZone); ; day = plusDays(day, 1)) {
    const digestAt = instantOf(day, DIGEST_MINUTE, timeZone);
    if (digestAt > at && (digest === "daily" || weekdayOf(day) === 1)) return digestAt;
  }
}

/** A local time as typed, `07:30`, in minutes of the day; null for another text. */
export function minuteOfText(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}
export const textOfMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
