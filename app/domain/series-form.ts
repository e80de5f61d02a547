// The rule of a series as its form asks for it. Pure.
import { type Day, weekdayOf } from "./days";

/** From Sunday on, as in `weekdayOf`. */
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
export function ruleOfTyped(typed: RuleTyped, first: Day): string {
  const nth = Math.ceil(Number(first.slice(8)) / 7);
  const place = typed.monthly === "last" || nth > 4 ? -1 : nth;
  const days =
    typed.every === "WEEKLY"
      ? typed.days.join(",")
      : typed.every === "MONTHLY" && typed.monthly !== "date"
        ? `${place}${RULE_DAYS[weekdayOf(first)]}`
        : "";
  return [
    `FREQ=${typed.every}`,
    `INTERVAL=${typed.interval}`,
    days && `BYDAY=${days.toUpperCase()}`,
    typed.count && `COUNT=${typed.count}`,
    typed.until && `UNTIL=${typed.until.replaceAll("-", "")}`,
  ]
    .filter(Boolean)
    .join(";");
}
