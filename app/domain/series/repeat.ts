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

const isOn: Record<Repeat, (day: Day, nth: number, first: Day) => boolean> = {
  week: (_, nth) => nth % 7 === 0,
  fortnight: (_, nth) => nth % 14 === 0,
  day: () => true,
  weekdays: (day) => weekdayOf(day) % 6 !== 0,
  month: (day, _, first) => day.slice(8) === first.slice(8),
};

/** The first `most` starts at this local time, that of the form included if its day is one of the rule. */
export function startsOf(repeat: Repeat, startedAt: Instant, timeZone: string, most: number): Instant[] {
  const first = dayAt(startedAt, timeZone);
  const time = formatFormDate(startedAt, timeZone).slice(11);
  const starts: Instant[] = [];
  // A month without its day is left out, so that four months may take eight.
  for (let nth = 0; starts.length < most && nth < 366; nth++) {
    const day = plusDays(first, nth);
    if (!isOn[repeat](day, nth, first)) continue;
    const at = parseFormDate(`${day} ${time}`, timeZone);
    if (at !== null) starts.push(at);
  }
  return starts;
}

/** How many sessions are made at once: those of the days that are laid out ahead (G-08). */
export function countAhead(
  repeat: Repeat,
  startedAt: Instant,
  timeZone: string,
  { now, count, days }: { now: Instant; count: number | null; days: number },
): number {
  const starts = startsOf(repeat, startedAt, timeZone, Math.min(count ?? days, days));
  // The first is made with the series, however far ahead it is.
  return Math.max(1, starts.filter((at) => at < now + days * DAY).length);
}
