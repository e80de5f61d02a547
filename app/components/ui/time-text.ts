// Instants in words. Pure: locale, zone and now are given, so that both sides say the same.

/** short: date and time; date; time; full: with the weekday; auto: the time alone when it is today; day: the date, or
 *  today and tomorrow by their names; weekday: the date with its weekday. */
export type DateLook = "short" | "date" | "time" | "full" | "auto" | "day" | "weekday";

type View = { locale: string; timeZone: string; now: number; look: DateLook };

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, timeZone, options]);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    formats.set(key, format);
  }
  return format;
}

/** 9:30 AM, but 09:30 where the day has 24 hours. */
const clockOf = (locale: string, timeZone: string): Intl.DateTimeFormatOptions => ({
  hour: formatOf(locale, timeZone, { hour: "numeric" }).resolvedOptions().hour12 ? "numeric" : "2-digit",
  minute: "2-digit",
});

export function absoluteText(ms: number, { locale, timeZone, now, look }: View): string {
  const part = (options: Intl.DateTimeFormatOptions, at = ms) =>
    formatOf(locale, timeZone, options).format(at);
  const clock = clockOf(locale, timeZone);
  const isThisYear = part({ year: "numeric" }) === part({ year: "numeric" }, now);
  const day: Intl.DateTimeFormatOptions = {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  };
  const isToday = part({ dateStyle: "short" }) === part({ dateStyle: "short" }, now);
  if (look === "day") {
    const isTomorrow =
      part({ dateStyle: "short" }) === part({ dateStyle: "short" }, now + 86_400_000) && ms > now;
    if (isToday || isTomorrow) {
      const word = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(isToday ? 0 : 1, "day");
      return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1);
    }
  }
  const options =
    look === "time" || (look === "auto" && isToday)
      ? clock
      : look === "date" || look === "day"
        ? day
        : look === "weekday"
          ? { weekday: "short" as const, ...day }
          : look === "full"
            ? { weekday: "long" as const, ...day, month: "long" as const, ...clock }
            : { ...day, ...clock };
  // Engines differ in which spaces they put between parts.
  return part(options).replace(/[\u202f\u2009\u00a0]/g, " ");
}

/** A day of the calendar is no instant: no zone may move it. */
export const dayText = (day: string, view: Omit<View, "timeZone">): string =>
  absoluteText(Date.parse(`${day}T12:00:00Z`), { ...view, timeZone: "UTC" });

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

export function relativeText(ms: number, now: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const away = ms - now;
  for (const [unit, size] of STEPS) {
    if (Math.abs(away) >= size) return format.format(Math.trunc(away / size), unit);
  }
  return format.format(0, "second");
}
