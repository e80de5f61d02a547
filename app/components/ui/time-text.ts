// Instants in words. Pure: locale, time zone and now are parameters, so that server and browser agree.
import { clockOptionsOf, clockText, dayAt, daysBetween, formatDay, formatMoment } from "~/domain/days";
import { memoiseByKey } from "~/domain/memoise";
import { DAY, instant } from "~/domain/time";

/**
 * Full dates are `date` and, with the time, `full`. Short forms: `short`, with the time and near days by name;
 * `time`; `auto`, only the time today; `day`, today and tomorrow by name; `weekday`.
 */
export type DateLook = "short" | "date" | "time" | "full" | "auto" | "day" | "weekday";

export type View = { locale: string; timeZone: string; now: number; look: DateLook };

/** The formats of a locale and time zone, each created on first use. */
type Formats = { in(name: string, options: () => Intl.DateTimeFormatOptions): (ms: string) => string };

const formatsOf = memoiseByKey((key): Formats => {
  const [locale, timeZone] = key.split(" ");
  const formats: Record<string, (ms: string) => string> = {};
  return {
    in(name, options) {
      formats[name] ??= memoiseFormat(new Intl.DateTimeFormat(locale, { timeZone, ...options() }));
      return formats[name];
    },
  };
}, 100);
/** Memoised, because the same instants appear on many pages. */
const memoiseFormat = (format: Intl.DateTimeFormat) => memoiseByKey((ms) => format.format(Number(ms)));
const relativeFormatOf = memoiseByKey(
  (locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
  100,
);

/** Within this many days, the weekday names a day. */
const DAYS_OF_A_WEEK = 7;

export function absoluteText(ms: number, { locale, timeZone, now, look }: View): string {
  const formats = formatsOf(`${locale} ${timeZone}`);
  const year = formats.in("year", () => ({ year: "numeric" }));
  const date = formats.in("date", () => ({ dateStyle: "short" }));
  const isThisYear = year(`${ms}`) === year(`${now}`);
  const isToday = () => date(`${ms}`) === date(`${now}`);
  const clock = (at: number) => clockText(instant(at), { locale, timeZone });
  if (look === "time") return clock(ms);
  if (look === "auto")
    return isToday() ? clock(ms) : absoluteText(ms, { locale, timeZone, now, look: "short" });
  if (look === "day" || look === "short") {
    const daysAhead = daysBetween(dayAt(instant(now), timeZone), dayAt(instant(ms), timeZone));
    const isNamed = look === "day" ? daysAhead === 0 || daysAhead === 1 : Math.abs(daysAhead) <= 1;
    if (isNamed) {
      const word = relativeFormatOf(locale).format(daysAhead, "day");
      const name = word.charAt(0).toLocaleUpperCase(locale) + word.slice(1);
      return look === "day" ? name : `${name} ${clock(ms)}`;
    }
    if (look === "short" && Math.abs(daysAhead) < DAYS_OF_A_WEEK)
      return `${formats.in("name", () => ({ weekday: "short" }))(`${ms}`)} ${clock(ms)}`;
  }
  if (look === "date") return formatDay(instant(ms), timeZone, locale);
  if (look === "full") return formatMoment(instant(ms), { locale, timeZone });
  const format = formats.in(`${look}${isThisYear}`, () => {
    const day: Intl.DateTimeFormatOptions = {
      day: "numeric",
      month: "short",
      ...(isThisYear ? {} : { year: "numeric" }),
    };
    if (look === "day") return day;
    if (look === "weekday") return { weekday: "short", ...day };
    return { ...day, ...clockOptionsOf(locale) };
  });
  // Engines differ in the spaces between parts.
  return format(`${ms}`).replace(/[\u202f\u2009\u00a0]/g, " ");
}

/** A calendar day is no instant, so no time zone applies. */
export const dayText = (day: string, view: Omit<View, "timeZone">): string =>
  absoluteText(Date.parse(`${day}T12:00:00Z`), { ...view, timeZone: "UTC" });

const RELATIVE_UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** Days are those of the reader's calendar: what is "tomorrow" here has tomorrow's date. */
export function relativeText(
  ms: number,
  { locale, timeZone, now }: Pick<View, "locale" | "timeZone" | "now">,
): string {
  const format = relativeFormatOf(locale);
  const msAhead = ms - now;
  const daysAhead = daysBetween(dayAt(instant(now), timeZone), dayAt(instant(ms), timeZone));
  if (Math.abs(msAhead) >= DAY && Math.abs(daysAhead) < DAYS_OF_A_WEEK)
    return format.format(daysAhead, "day");
  for (const [unit, size] of RELATIVE_UNITS) {
    if (Math.abs(msAhead) >= size) return format.format(Math.trunc(msAhead / size), unit);
  }
  return format.format(0, "second");
}
