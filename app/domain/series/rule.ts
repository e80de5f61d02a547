// The rule of a series: the allowed part of RFC 5545's RRULE, read, written and described (G-05, G-06). Pure.
import { type Day, formatDay, isDay, weekdayOf } from "~/domain/days";
import { type Instant, instant } from "~/domain/time";

/** 0 is Sunday, as in `weekdayOf`. `ordinal` counts within the month: 1 is the first, -1 the last; null is every one. */
type RuleDay = { weekday: number; ordinal: number | null };
/** The last possible occurrence: a day of the series' zone, or an instant. */
type RuleUntil = { day: Day } | { at: Instant };
export type SeriesRule = {
  every: "DAILY" | "WEEKLY" | "MONTHLY";
  interval: number;
  days: RuleDay[];
  monthDays: number[];
  count: number | null;
  until: RuleUntil | null;
};

export const RULE_REFUSED = "We cannot repeat a session that way.";
const MAX_INTERVAL = 12;
const MAX_COUNT = 500;
const CODES = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"] as const;
const NAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const FIELDS = ["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "COUNT", "UNTIL"];

const wholeFrom = (text: string | undefined, least: number, most: number): number | null => {
  const value = /^-?\d{1,3}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
};

/** Null for everything outside the allowed part (G-05). */
export function parseRule(text: string): SeriesRule | null {
  const fields = new Map<string, string>();
  for (const field of text.trim().toUpperCase().split(";")) {
    const [name = "", value = "", ...extraParts] = field.split("=");
    if (!FIELDS.includes(name) || value === "" || extraParts.length > 0 || fields.has(name)) return null;
    fields.set(name, value);
  }
  const frequency = fields.get("FREQ");
  if (frequency !== "DAILY" && frequency !== "WEEKLY" && frequency !== "MONTHLY") return null;
  const interval = wholeFrom(fields.get("INTERVAL") ?? "1", 1, MAX_INTERVAL);
  const days = readDays(fields.get("BYDAY"), frequency === "MONTHLY");
  const monthDays = readMonthDays(fields.get("BYMONTHDAY"));
  const count = fields.has("COUNT") ? wholeFrom(fields.get("COUNT"), 1, MAX_COUNT) : undefined;
  const until = fields.has("UNTIL") ? readUntil(fields.get("UNTIL") ?? "") : undefined;
  if (interval === null || days === null || monthDays === null || count === null || until === null)
    return null;
  if (count !== undefined && until !== undefined) return null;
  // RFC 5545 forbids days of the month in a weekly rule.
  if (frequency === "WEEKLY" && monthDays.length > 0) return null;
  // Programs disagree on whether "every Monday and the first Friday" is the one, the other or both.
  if (new Set(days.map(({ ordinal }) => ordinal === null)).size > 1) return null;
  return { every: frequency, interval, days, monthDays, count: count ?? null, until: until ?? null };
}

function readDays(text: string | undefined, allowsOrdinals: boolean): RuleDay[] | null {
  const days: RuleDay[] = [];
  for (const entry of text?.split(",") ?? []) {
    const [, ordinal, code = ""] = /^([+-]?[1-5])?(SU|MO|TU|WE|TH|FR|SA)$/.exec(entry) ?? [];
    const weekday = CODES.indexOf(code as (typeof CODES)[number]);
    if (weekday < 0 || (ordinal !== undefined && !allowsOrdinals)) return null;
    days.push({ weekday, ordinal: ordinal === undefined ? null : Number(ordinal) });
  }
  return uniqueOrNull(days, ({ weekday, ordinal }) => `${ordinal} ${weekday}`);
}

function readMonthDays(text: string | undefined): number[] | null {
  const days = text?.split(",").map((entry) => wholeFrom(entry, -31, 31)) ?? [];
  if (days.some((day) => day === null || day === 0)) return null;
  return uniqueOrNull(days as number[], String);
}

/** The values; null if two of them have the same name. */
const uniqueOrNull = <T>(values: T[], nameOf: (value: T) => string): T[] | null =>
  new Set(values.map(nameOf)).size === values.length ? values : null;

function readUntil(text: string): RuleUntil | null {
  const [, year, month, date, time] = /^(\d{4})(\d{2})(\d{2})(?:T(\d{6})Z)?$/.exec(text) ?? [];
  const day = `${year}-${month}-${date}`;
  if (!isDay(day)) return null;
  if (time === undefined) return { day };
  const clock = `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}`;
  const at = Date.parse(`${day}T${clock}Z`);
  return Number.isNaN(at) ? null : { at: instant(at) };
}

/** The fields of the RRULE text that name its days; empty without any. */
export const dayFields = ({ days, monthDays }: SeriesRule): string[] => [
  days.length > 0 ? `BYDAY=${days.map(({ weekday, ordinal }) => `${ordinal ?? ""}${CODES[weekday]}`)}` : "",
  monthDays.length > 0 ? `BYMONTHDAY=${monthDays}` : "",
];

/** The rule as canonical RRULE text. */
export function formatRule(rule: SeriesRule): string {
  const compactInstant = (text: string) => text.replace(/[-:]|\.\d{3}/g, "");
  const { count, until } = rule;
  return [
    `FREQ=${rule.every}`,
    rule.interval === 1 ? "" : `INTERVAL=${rule.interval}`,
    ...dayFields(rule),
    count === null ? "" : `COUNT=${count}`,
    until === null
      ? ""
      : `UNTIL=${compactInstant("day" in until ? until.day : new Date(until.at).toISOString())}`,
  ]
    .filter(Boolean)
    .join(";");
}

// ---- in words

const listWords = (words: readonly string[], conjunction: "and" | "or" = "and"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
const ORDINALS = ["", "first", "second", "third", "fourth", "fifth"];
const ordinalWord = (ordinal: number): string =>
  ordinal > 0 ? (ORDINALS[ordinal] ?? "") : ordinal === -1 ? "last" : `${ORDINALS[-ordinal]}-to-last`;
const ORDINAL_RULES = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
const ordinalNumber = (n: number): string => `${n}${SUFFIXES[ORDINAL_RULES.select(n)] ?? "th"}`;
const dayOfMonthText = (n: number): string =>
  n > 0 ? ordinalNumber(n) : n === -1 ? "last day" : `${ordinalNumber(-n)}-to-last day`;
/** Weeks begin on Monday. */
const namesOf = (days: readonly RuleDay[]): string[] =>
  [...days]
    .sort((a, b) => ((a.weekday + 6) % 7) - ((b.weekday + 6) % 7))
    .map(({ weekday }) => NAMES[weekday] ?? "");

const UNITS = { DAILY: "day", WEEKLY: "week", MONTHLY: "month" } as const;

function monthlyDays(rule: SeriesRule, start: Day): string {
  const { days, monthDays } = rule;
  const dates = monthDays.map((day) => `the ${dayOfMonthText(day)}`);
  if (days.length === 0)
    return `on ${listWords(dates.length > 0 ? dates : [`the ${dayOfMonthText(Number(start.slice(8)))}`])}`;
  const weekdayTexts = days.map(({ weekday, ordinal }) =>
    ordinal === null ? `every ${NAMES[weekday]}` : `the ${ordinalWord(ordinal)} ${NAMES[weekday]}`,
  );
  return dates.length > 0
    ? `on ${listWords(weekdayTexts)} if it is ${listWords(dates, "or")}`
    : `on ${listWords(weekdayTexts)}`;
}

function daysInWords(rule: SeriesRule, start: Day): string {
  const { every, interval } = rule;
  const days = rule.days.length > 0 ? rule.days : [{ weekday: weekdayOf(start), ordinal: null }];
  if (every === "WEEKLY")
    return interval === 1
      ? `Every ${listWords(namesOf(days))}`
      : `Every ${interval} weeks on ${listWords(namesOf(days))}`;
  const unit = interval === 1 ? `Every ${UNITS[every]}` : `Every ${interval} ${UNITS[every]}s`;
  if (every === "MONTHLY") return `${unit} ${monthlyDays(rule, start)}`;
  const limits = [
    ...(rule.days.length > 0 ? [`a ${listWords(namesOf(rule.days), "or")}`] : []),
    ...(rule.monthDays.length > 0
      ? [
          listWords(
            rule.monthDays.map((day) => `the ${dayOfMonthText(day)}`),
            "or",
          ),
        ]
      : []),
  ];
  return limits.length > 0 ? `${unit} that is ${limits.join(" and ")}` : unit;
}

/** "Every Tuesday and Thursday at 09:00, Europe/Berlin" (G-06). `localStart`: "2026-11-24T09:00". */
export function describeRule(rule: SeriesRule, localStart: string, timeZone: string): string {
  const day = localStart.slice(0, 10);
  const { count, until } = rule;
  const last =
    until && ("day" in until ? formatDay(noonOf(until.day), "UTC") : formatDay(until.at, timeZone));
  const end = count !== null ? `, ${count === 1 ? "once" : `${count} times`}` : last ? `, until ${last}` : "";
  return `${daysInWords(rule, day)} at ${localStart.slice(11, 16)}, ${timeZone}${end}`;
}
const noonOf = (day: Day): Instant => instant(Date.parse(`${day}T12:00:00Z`));
