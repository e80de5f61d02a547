// Calendar days, `2026-11-21`, in a person's time zone. A day is text without a length: arithmetic uses noon in UTC, so
// that clock changes cannot shift it. Pure.
import { memoiseByKey } from "./memoise";
import { DAY, type Instant } from "./time";

export type Day = string;

const formatOf = memoiseByKey(
  (timeZone) =>
    new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }),
);

/** The day at an instant in a time zone. */
export const dayAt = (at: Instant, timeZone: string): Day => dayOfKey(`${at} ${timeZone}`);

/** Memoised, because a page computes the day of its instant several times. */
const dayOfKey = memoiseByKey((key): Day => {
  const [at, timeZone] = key.split(" ") as [string, string];
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(Number(at))
      .map(({ type, value }) => [type, value]),
  );
  return `${String(parts.year).padStart(4, "0")}-${parts.month}-${parts.day}`;
});

const weekdayFormatOf = memoiseByKey((key) => {
  const [locale, timeZone] = key.split(" ");
  return new Intl.DateTimeFormat(locale, { weekday: "long", timeZone });
}, 100);

/** "Thursday" in English, for the words of our sentences. */
export const weekdayName = (at: Instant, timeZone: string): string =>
  weekdayFormatOf(`en-US ${timeZone}`).format(at);

/** T-21, R-49: weekday, then month/day/year: "Saturday, 11/21/2026". Only the weekday's name depends on the locale. */
export function formatDay(at: Instant, timeZone: string, locale = "en-US"): string {
  const [year, month, day] = dayAt(at, timeZone).split("-").map(Number);
  return `${weekdayFormatOf(`${locale} ${timeZone}`).format(at)}, ${month}/${day}/${year}`;
}

/** The time zone and the locale in which a person reads an instant. */
export type TimeReader = { timeZone: string; locale: string };
/** The locale of a reader for whom none is stored. */
export const ANY_LOCALE = "en-GB";

/** 9:30 AM, or 09:30 in locales with a 24-hour clock. */
export const clockOptionsOf = memoiseByKey((locale): Intl.DateTimeFormatOptions => {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  return { hour: hour12 ? "numeric" : "2-digit", minute: "2-digit" };
}, 100);
const clockFormatOf = memoiseByKey((key) => {
  const [locale = ANY_LOCALE, timeZone] = key.split(" ");
  return new Intl.DateTimeFormat(locale, { timeZone, ...clockOptionsOf(locale) });
}, 100);

/** Engines differ in the spaces between parts. */
export const clockText = (at: Instant, { timeZone, locale }: TimeReader): string =>
  clockFormatOf(`${locale} ${timeZone}`)
    .format(at)
    .replace(/[\u202f\u2009\u00a0]/g, " ");

/** T-21, R-49: "Saturday, 11/21/2026, 9:30 AM": the form on pages, in notices and in mails. */
export const formatMoment = (at: Instant, reader: TimeReader): string =>
  `${formatDay(at, reader.timeZone, reader.locale)}, ${clockText(at, reader)}`;

/** True for a day that exists: 30 February does not. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(noonOf(text)) && dayOf(noonOf(text)) === text;
}

const noonOf = (day: Day): number => Date.parse(`${day}T12:00:00Z`);
const dayOf = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

/** `count` days later (negative: earlier). */
export const plusDays = (day: Day, count: number): Day => dayOf(noonOf(day) + count * DAY);

/** The number of days from one day to another. */
export const daysBetween = (from: Day, to: Day): number => Math.round((noonOf(to) - noonOf(from)) / DAY);

/** 0 is Sunday, 6 is Saturday. */
export const weekdayOf = (day: Day): number => new Date(noonOf(day)).getUTCDay();

/** The Monday of a day's week. */
export const weekOf = (day: Day): Day => plusDays(day, -((weekdayOf(day) + 6) % 7));

/** The days from `first` to `last`, both included. */
export function daysFrom(first: Day, last: Day): Day[] {
  return Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, index) =>
    plusDays(first, index),
  );
}
