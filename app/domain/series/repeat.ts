// The sentence "Repeats …" of a session's form: its choices, their rules and the first dates of each (R-86). Pure.
import { formatFormDate, parseFormDate } from "~/domain/date-text";
import { type Day, dayAt, plusDays, weekdayOf } from "~/domain/days";
import { DAY, type Instant } from "~/domain/time";

export const REPEATS = ["week", "fortnight", "day", "weekdays", "month"] as const;
export type Repeat = (typeof REPEATS)[number];

const RULES: Record<Repeat, string> = {
  week: "FREQ=WEEKLY;INTERVAL=1",
  fortnight: "FREQ=WEEKLY;INTERVAL=2",
  day: "FREQ=DAILY;INTERVAL=1",
  weekdays: "FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR",
  month: "FREQ=MONTHLY;INTERVAL=1",
};

/** The rule's text; without a `count` it has no end. */
export const ruleOfRepeat = (repeat: Repeat, count: number | null): string =>
  `${RULES[repeat]}${count === null ? "" : `;COUNT=${count}`}`;

/** Numbers of sessions that the form offers. */
export const REPEAT_COUNTS = [2, 3, 4, 6, 8, 10, 12] as const;

const isOnDay: Record<Repeat, (day: Day, dayOffset: number, first: Day) => boolean> = {
  week: (_, dayOffset) => dayOffset % 7 === 0,
  fortnight: (_, dayOffset) => dayOffset % 14 === 0,
  day: () => true,
  weekdays: (day) => weekdayOf(day) % 6 !== 0,
  month: (day, _, first) => day.slice(8) === first.slice(8),
};

/** The first `limit` starts at this local time. The form's own start is included if the rule contains its day. */
export function startsOf(repeat: Repeat, startedAt: Instant, timeZone: string, limit: number): Instant[] {
  const first = dayAt(startedAt, timeZone);
  const time = formatFormDate(startedAt, timeZone).slice(11);
  const starts: Instant[] = [];
  // A month without the day is skipped, so four sessions may take eight months.
  for (let dayOffset = 0; starts.length < limit && dayOffset < 366; dayOffset++) {
    const day = plusDays(first, dayOffset);
    if (!isOnDay[repeat](day, dayOffset, first)) continue;
    const at = parseFormDate(`${day} ${time}`, timeZone);
    if (at !== null) starts.push(at);
  }
  return starts;
}

/** Counts the sessions that are created with the series: those of the next `days` days (G-08). */
export function countAhead(
  repeat: Repeat,
  startedAt: Instant,
  timeZone: string,
  { now, count, days }: { now: Instant; count: number | null; days: number },
): number {
  const starts = startsOf(repeat, startedAt, timeZone, Math.min(count ?? days, days));
  // The first session is created with the series, even if it is later than that.
  return Math.max(1, starts.filter((at) => at < now + days * DAY).length);
}
