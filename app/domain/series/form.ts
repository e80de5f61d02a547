// The rule of a series as the fields of its form. Pure.
import { type Day, weekdayOf } from "~/domain/days";
import { parseRule, type SeriesRule } from "./rule";

/** The sessions of a series that a change applies to (G-10). */
export const SCOPES = ["this", "later", "all"] as const;
export type Scope = (typeof SCOPES)[number];

/** Hosts in turn, invited people included (G-17). */
export const MAX_HOSTS = 10;

/** The weekdays from Sunday on, as in `weekdayOf`. */
export const RULE_DAYS = ["su", "mo", "tu", "we", "th", "fr", "sa"] as const;
export type RuleTyped = {
  every: "DAILY" | "WEEKLY" | "MONTHLY";
  interval: string;
  days: (typeof RULE_DAYS)[number][];
  /** A month's date, its n-th weekday, or its last. */
  monthly: "date" | "weekday" | "last";
  count: string;
  until: string;
  /** The text of the picker; empty for the default. */
  startedAt: string;
  timeZone: string;
};

/** The rule's text; `parseRule` checks it. `first` is the local day of the first start. */
export function ruleOfTyped(typedRule: RuleTyped, first: Day): string {
  const weekOfMonth = Math.ceil(Number(first.slice(8)) / 7);
  const ordinal = typedRule.monthly === "last" || weekOfMonth > 4 ? -1 : weekOfMonth;
  const days =
    typedRule.every === "WEEKLY"
      ? typedRule.days.join(",")
      : typedRule.every === "MONTHLY" && typedRule.monthly !== "date"
        ? `${ordinal}${RULE_DAYS[weekdayOf(first)]}`
        : "";
  return [
    `FREQ=${typedRule.every}`,
    `INTERVAL=${typedRule.interval}`,
    days && `BYDAY=${days.toUpperCase()}`,
    typedRule.count && `COUNT=${typedRule.count}`,
    typedRule.until && `UNTIL=${typedRule.until.replaceAll("-", "")}`,
  ]
    .filter(Boolean)
    .join(";");
}

/** The sentence for a start that is missing or unreadable. */
export const FIRST_START = "Please choose the first start.";
const ONE_END_ONLY = "Please choose one of the two ends.";
/** The sentence of each field with which no rule can be made (G-05, R-86). */
export function problemsOfTyped(
  typedRule: RuleTyped,
): Partial<Record<"interval" | "count" | "until", string>> {
  const canMakeRule = (rule: Partial<RuleTyped>) => {
    const { interval, count, until } = { interval: "1", count: "", until: "", ...rule };
    const text = `FREQ=DAILY;INTERVAL=${interval}${count && `;COUNT=${count}`}`;
    return parseRule(until ? `${text};UNTIL=${until.replaceAll("-", "")}` : text) !== null;
  };
  const { interval, count, until } = typedRule;
  const isPlain = (text: string) => /^[\d-]*$/.test(text);
  return {
    ...(isPlain(interval) && canMakeRule({ interval })
      ? {}
      : { interval: "Please give a whole number from 1 to 12." }),
    ...(isPlain(count) && canMakeRule({ count })
      ? {}
      : { count: "Please give a whole number from 1 to 500." }),
    ...(isPlain(until) && canMakeRule({ until })
      ? count && until
        ? { until: ONE_END_ONLY }
        : {}
      : { until: "Please give a day." }),
  };
}

/** The form's fields of a stored rule, with a new first start. */
export function typedOfRule(rule: SeriesRule, timeZone: string, startedAt: string): RuleTyped {
  const { every, interval, days, count, until } = rule;
  const [first] = days;
  return {
    every,
    interval: String(interval),
    days:
      every === "WEEKLY" ? days.map(({ weekday }) => RULE_DAYS[weekday] as RuleTyped["days"][number]) : [],
    monthly: every !== "MONTHLY" || !first ? "date" : first.ordinal === -1 ? "last" : "weekday",
    count: count === null ? "" : String(count),
    until: until && "day" in until ? until.day : "",
    startedAt,
    timeZone,
  };
}
