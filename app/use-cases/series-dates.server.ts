// The dates of a series, computed by a calendar library: workerd has no Temporal of its own.
import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";
import { formatFormDate } from "~/domain/date-text";
import { type Day, plusDays } from "~/domain/days";
import { formatRule, type SeriesRule } from "~/domain/series/rule";
import { DAY, type Instant, instant } from "~/domain/time";

/** `localStart` is the wall clock of the first start in `timeZone`: "2026-11-24T09:00". */
export type SeriesTimes = { rule: SeriesRule; localStart: string; timeZone: string };
/** `day` is the day that the rule names; a clock change may move the instant off it. */
export type SeriesDate = { day: Day; at: Instant };

export const localStartOf = (at: Instant, timeZone: string): string =>
  formatFormDate(at, timeZone).replace(" ", "T").slice(0, 16);

/**
 * The instant of a wall clock, "09:00" (G-07). A time that a clock change skips becomes the first valid minute after
 * it; of a repeated time the first applies.
 */
export function instantOf(day: Day, time: string, timeZone: string): Instant {
  const wall = Temporal.PlainDateTime.from(`${day}T${time}`);
  const first = wall.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (first.toPlainDateTime().equals(wall)) return instant(first.epochMilliseconds);
  const change = first.getTimeZoneTransition("next");
  return instant((change ?? first).epochMilliseconds);
}

/** The occurrences from `from` up to and without `before`, at most `most`, in order. */
export function datesOf(
  { rule, localStart, timeZone }: SeriesTimes,
  span: { from: Instant; before: Instant; most?: number },
): SeriesDate[] {
  const time = localStart.slice(11);
  const { until, most = 5000 } = { ...rule, ...span };
  const dates: SeriesDate[] = [];
  for (const day of daysOf(rule, localStart, span)) {
    if (dates.length >= most || (until && "day" in until && day > until.day)) break;
    const at = instantOf(day, time, timeZone);
    if (at >= span.before || (until && "at" in until && at > until.at)) break;
    if (at >= span.from) dates.push({ day, at });
  }
  return dates;
}

/** The rule's days around the span. The rule runs on the wall clock, so that no zone can shift a day. */
function daysOf(
  rule: SeriesRule,
  localStart: string,
  { from, before }: { from: Instant; before: Instant },
): Day[] {
  const dtstart = Temporal.ZonedDateTime.from(`${localStart}[UTC]`);
  const rrule = new RRuleTemporal({
    rruleString: formatRule({ ...rule, until: null }),
    dtstart,
    temporal: Temporal,
    cache: false,
  });
  const start = Math.max(from - 2 * DAY, dtstart.epochMilliseconds);
  if (before + 2 * DAY <= start) return [];
  return rrule
    .between(new Date(start), new Date(before + 2 * DAY), true)
    .map((date) => date.toPlainDate().toString());
}

/** The same weekday and local time in the next week that lies ahead (G-01). */
export function weekAhead(at: Instant, timeZone: string, now: Instant): Instant {
  const [day = "", time = ""] = localStartOf(at, timeZone).split("T");
  const weeks = Math.max(1, Math.floor((now - at) / (7 * DAY)));
  for (let week = weeks; ; week++) {
    const next = instantOf(plusDays(day, 7 * week), time, timeZone);
    if (next > now) return next;
  }
}
