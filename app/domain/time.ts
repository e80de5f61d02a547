// Instants and durations. Every function takes `now` as a parameter; none reads a clock.

/** An instant: milliseconds since the epoch, UTC. */
export type Instant = number & { readonly __unit: "instant-ms" };
/** A planned duration: whole seconds. */
export type Seconds = number & { readonly __unit: "seconds" };
/** A measured duration: milliseconds. */
export type Millis = number & { readonly __unit: "ms" };

export const instant = (ms: number): Instant => ms as Instant;
export const seconds = (s: number): Seconds => s as Seconds;
export const millis = (ms: number): Millis => ms as Millis;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The instants that input may contain: from 2000 to before 2100 (UTC). */
const NAMED_INSTANTS = {
  from: instant(Date.UTC(2000, 0)),
  before: instant(Date.UTC(2100, 0)),
} as const;
export const OUT_OF_BOUNDS = "Please give a date from 2000 to 2099.";
export const mayBeNamed = (at: number): boolean => at >= NAMED_INSTANTS.from && at < NAMED_INSTANTS.before;

const YEARS_1_TO_9999 = { from: Date.parse("0001-01-01T00:00:00Z"), before: Date.UTC(10_000, 0) } as const;
/** True if every calendar and format can show the instant. A stored instant outside these years reads as null. */
export const isReadable = (at: number): boolean => at >= YEARS_1_TO_9999.from && at < YEARS_1_TO_9999.before;
/** ISO 8601 in UTC with milliseconds; null for null and for unreadable instants. */
export const isoOf = (at: Instant | null): string | null =>
  at === null || !isReadable(at) ? null : new Date(at).toISOString();

/** `at` moved by `span` seconds (negative moves back). */
export const plusSeconds = (at: Instant, span: number): Instant => instant(at + span * SECOND);
/** `at` moved by `span` milliseconds (negative moves back). */
export const plusMillis = (at: Instant, span: number): Instant => instant(at + span);
/** The later of two instants. */
export const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);
/** The earlier of two instants. */
export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
/** From one instant to another, in milliseconds; negative if `to` is before `from`. */
export const millisBetween = (from: Instant, to: Instant): Millis => millis(to - from);
