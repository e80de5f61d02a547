// Instants in words. Pure: locale, zone and now are given, so that both sides say the same.

/** short: date and time; date; time; full: with the weekday; auto: the time alone when it is today. */
export type DateLook = "short" | "date" | "time" | "full" | "auto";

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

const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };

export function absoluteText(ms: number, { locale, timeZone, now, look }: View): string {
  const part = (options: Intl.DateTimeFormatOptions, at = ms) =>
    formatOf(locale, timeZone, options).format(at);
  const isThisYear = part({ year: "numeric" }) === part({ year: "numeric" }, now);
  const day: Intl.DateTimeFormatOptions = {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  };
  const isToday = part({ dateStyle: "short" }) === part({ dateStyle: "short" }, now);
  const options =
    look === "time" || (look === "auto" && isToday)
      ? CLOCK
      : look === "date"
        ? day
        : look === "full"
          ? { weekday: "long" as const, ...day, month: "long" as const, ...CLOCK }
          : { ...day, ...CLOCK };
  // Engines differ in which spaces they put between parts.
  return part(options).replace(/[\u202f\u2009\u00a0]/g, " ");
}

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
