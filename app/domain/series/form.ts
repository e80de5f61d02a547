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

/**
 * The rule's text; `parseRule` checks it. `first` is the local day of the first start, `ownDays` the days of the stored
 * rule, as text, in place of those of the fields.
 */
export function ruleOfTyped(typedRule: RuleTyped, first: Day, ownDays: string[] | null = null): string {
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
    ...(ownDays ?? [days && `BYDAY=${days.toUpperCase()}`]),
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

/** The fields that choose the days are as the form shows them for the stored rule, which may have days without a field. */
export const hasDaysOf = (typedRule: RuleTyped, stored: SeriesRule): boolean => {
  const shown = typedOfRule(stored, "", "", { count: null, until: null });
  return (
    typedRule.every === shown.every && typedRule.every !== "WEEKLY" && typedRule.monthly === shown.monthly
  );
};

/** The form's fields of a stored rule, with a new first start and the end as it is from there on. */
export function typedOfRule(
  rule: SeriesRule,
  timeZone: string,
  startedAt: string,
  { count, until }: { count: number | null; until: Day | null },
): RuleTyped {
  const { every, interval, days } = rule;
  const [first] = days;
  return {
    every,
    interval: String(interval),
    days:
      every === "WEEKLY" ? days.map(({ weekday }) => RULE_DAYS[weekday] as RuleTyped["days"][number]) : [],
    monthly: every !== "MONTHLY" || !first ? "date" : first.ordinal === -1 ? "last" : "weekday",
    count: count === null ? "" : String(count),
    until: until ?? "",
    startedAt,
    timeZone,
  };
}
