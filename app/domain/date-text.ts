// Parses and formats dates. Pure: the instant and the time zone are always parameters.
import { tzOffset } from "@date-fns/tz/tzOffset";
import { DAY, HOUR, type Instant, instant, isReadable, MINUTE, SECOND } from "./time";

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** ISO 8601, `Y-m-d H:i:S` read as UTC, or epoch milliseconds. Anything else is null, 30 February too (T-20). */
export function parseInstant(input: unknown): Instant | null {
  if (typeof input === "string" && /^-?\d{9,}$/.test(input.trim())) return parseInstant(Number(input));
  if (typeof input === "number") return isReadable(input) ? instant(Math.trunc(input)) : null;
  const match = typeof input === "string" ? DATE_TIME.exec(input.trim()) : null;
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const ms = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const offset = offsetOf(match[8]);
  if (hour > 23 || minute > 59 || second > 59 || offset === null || !isCalendarDay(year, month, day))
    return null;
  return instant(utc - offset);
}

const isCalendarDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

function offsetOf(zone: string | undefined): number | null {
  if (zone === undefined || /^z$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
}

/** The offset of a time zone from UTC at an instant, in milliseconds; 0 for a zone that this browser does not know. */
const zoneOffset = (at: number, timeZone: string): number =>
  Math.round(tzOffset(timeZone, new Date(at)) * MINUTE) || 0;

/** T-21: a form date, `Y-m-d H:i:S` in the viewer's time zone; in 12-hour mode "2026-11-21 9:30:00 PM". */
export function formatFormDate(at: Instant, timeZone: string, is12Hour = false): string {
  const local = new Date(at + zoneOffset(at, timeZone)).toISOString();
  const date = local.slice(0, 10);
  const time = local.slice(11, 19);
  if (!is12Hour) return `${date} ${time}`;
  const hour = Number(time.slice(0, 2));
  return `${date} ${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? "AM" : "PM"}`;
}

/** The inverse of `formatFormDate`, 12-hour mode included; null for an invalid date (T-20). */
export function parseFormDate(text: string, timeZone: string): Instant | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\.?)?$/i.exec(
    text.trim(),
  );
  if (!match) return null;
  const [year = 0, month = 0, day = 0, typedHour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const meridiem = match[7]?.toLowerCase();
  if (meridiem && (typedHour < 1 || typedHour > 12)) return null;
  const hour = meridiem ? (typedHour % 12) + (meridiem === "p" ? 12 : 0) : typedHour;
  if (hour > 23 || minute > 59 || second > 59 || !isCalendarDay(year, month, day)) return null;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  // A clock change within a day makes two instants possible: by the offset before it, and by the offset after it. If the
  // clock shows this time twice, the first of them counts.
  const [byOldOffset = wall, byNewOffset = wall] = [wall - DAY, wall + DAY].map(
    (near) => wall - zoneOffset(near, timeZone),
  );
  const showsWallTime = (at: number) => at + zoneOffset(at, timeZone) === wall;
  if (showsWallTime(byOldOffset)) return instant(byOldOffset);
  return instant(
    showsWallTime(byNewOffset)
      ? byNewOffset
      : changeBetween(byNewOffset - HOUR, byOldOffset + HOUR, timeZone),
  );
}

/** The instant of a clock change: the first valid second after the times that it skips (G-07). */
function changeBetween(early: number, late: number, timeZone: string): number {
  const after = zoneOffset(late, timeZone);
  let [from, until] = [early, late];
  while (until - from > SECOND) {
    const middle = from + Math.floor((until - from) / 2 / SECOND) * SECOND;
    if (zoneOffset(middle, timeZone) === after) until = middle;
    else from = middle;
  }
  return until;
}

/** Rounds an instant up to a full hour by the clock of this zone. */
export function roundUpToHour(after: Instant, timeZone: string): Instant {
  const minutes = Number(formatFormDate(after, timeZone).slice(14, 16));
  const startOfMinute = after - (after % MINUTE);
  const isWhole = minutes === 0 && startOfMinute === after;
  return instant(isWhole ? after : startOfMinute + (60 - minutes) * MINUTE);
}
