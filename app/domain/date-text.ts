// Parses and formats dates. Pure: the instant and the time zone are always parameters.
import { TZDate } from "@date-fns/tz";
import { HOUR, type Instant, instant, isReadable, MINUTE } from "./time";

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** ISO 8601, `Y-m-d H:i:S` read as UTC, or epoch milliseconds. Anything else is null, 30 February too (T-20). */
export function parseInstant(input: unknown): Instant | null {
  if (typeof input === "string" && /^-?\d{9,}$/.test(input.trim())) return parseInstant(Number(input));
  if (typeof input === "number") return isReadable(input) ? instant(Math.trunc(input)) : null;
  const found = typeof input === "string" ? DATE_TIME.exec(input.trim()) : null;
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const ms = Math.trunc(Number(`0.${found[7] ?? 0}`) * 1000);
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const offset = offsetOf(found[8]);
  if (hour > 23 || minute > 59 || second > 59 || offset === null || !isDay(year, month, day)) return null;
  return instant(utc - offset);
}

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

function offsetOf(zone: string | undefined): number | null {
  if (zone === undefined || /^z$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
}

/** The calendar fields of an instant in a time zone, the same in every browser and on the server. */
function fieldsAt(at: Instant, timeZone: string) {
  const local = new TZDate(at, timeZone);
  return {
    year: local.getFullYear(),
    month: local.getMonth() + 1,
    day: local.getDate(),
    hour: local.getHours(),
    minute: local.getMinutes(),
    second: local.getSeconds(),
  };
}

/** T-21: a form date, `Y-m-d H:i:S` in the viewer's time zone; in 12-hour mode "2026-11-21 9:30:00 PM". */
export function formatFormDate(at: Instant, timeZone: string, is12Hour = false): string {
  const { year, month, day, hour, minute, second } = fieldsAt(at, timeZone);
  const two = (n: number) => String(n).padStart(2, "0");
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  const tail = `${two(minute)}:${two(second)}`;
  return is12Hour
    ? `${date} ${hour % 12 || 12}:${tail} ${hour < 12 ? "AM" : "PM"}`
    : `${date} ${two(hour)}:${tail}`;
}

/** The inverse of `formatFormDate`, 12-hour mode included; null for an invalid date (T-20). */
export function parseFormDate(text: string, timeZone: string): Instant | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\.?)?$/i.exec(
    text.trim(),
  );
  if (!found) return null;
  const [year = 0, month = 0, day = 0, written = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const half = found[7]?.toLowerCase();
  if (half && (written < 1 || written > 12)) return null;
  const hour = half ? (written % 12) + (half === "p" ? 12 : 0) : written;
  if (hour > 23 || minute > 59 || second > 59 || !isDay(year, month, day)) return null;
  const at = instant(new TZDate(year, month - 1, day, hour, minute, second, timeZone).getTime());
  // An hour that a clock change repeats means its first occurrence.
  const shown = formatFormDate(at, timeZone);
  const first = [HOUR, 30 * MINUTE]
    .map((span) => instant(at - span))
    .find((earlier) => formatFormDate(earlier, timeZone) === shown);
  return first ?? at;
}
