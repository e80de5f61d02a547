// Instants and spans. Everything that has to do with time takes `now` as a parameter; nothing here reads a clock.

/** An instant: milliseconds since the epoch, UTC. */
export type Instant = number & { readonly __unit: "instant-ms" };
/** A planned span: whole seconds (rulings 2). */
export type Seconds = number & { readonly __unit: "seconds" };
/** A measured span: milliseconds (rulings 2). */
export type Millis = number & { readonly __unit: "ms" };

export const instant = (ms: number): Instant => ms as Instant;
export const seconds = (s: number): Seconds => s as Seconds;
export const millis = (ms: number): Millis => ms as Millis;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `at` moved by `span` seconds (negative moves back). */
export const plusSeconds = (at: Instant, span: number): Instant => instant(at + span * SECOND);
/** `at` moved by `span` milliseconds (negative moves back). */
export const plusMillis = (at: Instant, span: number): Instant => instant(at + span);
/** The later of two instants. */
export const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);
/** The earlier of two instants. */
export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
/** From one instant to another, in milliseconds; negative when `to` lies before `from`. */
export const between = (from: Instant, to: Instant): Millis => millis(to - from);
