// The rule of a series as the fields of its form and back, so that a form saved as it is changes no date (G-05, G-10).
import { type Day, plusDays } from "~/domain/days";
import { hasDaysOf, type RuleTyped, ruleOfTyped, typedOfRule } from "~/domain/series/form";
import { dayFields, parseRule, type SeriesRule } from "~/domain/series/rule";
import { DAY, type Instant, instant } from "~/domain/time";
import { loadSeriesDates } from "~/use-cases/load-series-dates.server";
import type { SeriesTimes } from "~/use-cases/series-dates.server";

/** The fields from the date of the day `first` on: the number of dates is that of the remaining ones. */
export async function typedOfSeries(times: SeriesTimes, first: Day | null): Promise<RuleTyped> {
  const { datesOf, instantOf, localStartOf } = await loadSeriesDates();
  const { rule, localStart, timeZone } = times;
  const time = localStart.slice(11);
  const { count, until } = rule;
  const countBefore =
    count === null || first === null
      ? 0
      : datesOf(times, { from: instant(0), before: instantOf(first, time, timeZone) }).length;
  /** The last day whose start is not after the end. */
  const lastDayUntil = (end: Instant): Day => {
    const day = localStartOf(end, timeZone).slice(0, 10);
    return instantOf(day, time, timeZone) > end ? plusDays(day, -1) : day;
  };
  return typedOfRule(rule, timeZone, first === null ? "" : `${first}T${time}`, {
    count: count === null ? null : count - countBefore,
    until: until && ("day" in until ? until.day : lastDayUntil(until.at)),
  });
}

/**
 * The rule's text by the fields of a form. The days of the stored rule remain if their fields are as the form shows them
 * and the first start is on one of these days, because the form cannot show all of them.
 */
export async function ruleTextFor(
  typed: RuleTyped,
  { startedAt, timeZone }: { startedAt: Instant; timeZone: string },
  stored: SeriesRule | null,
): Promise<string> {
  const { datesOf, localStartOf } = await loadSeriesDates();
  const localStart = localStartOf(startedAt, timeZone);
  const first = localStart.slice(0, 10);
  const byFields = ruleOfTyped(typed, first);
  if (!stored || !hasDaysOf(typed, stored)) return byFields;
  const ownRule = ruleOfTyped(typed, first, dayFields(stored));
  const rule = parseRule(ownRule);
  if (!rule) return byFields;
  const times = { rule: { ...rule, count: null, until: null }, localStart, timeZone };
  const around = { from: instant(startedAt - DAY), before: instant(startedAt + DAY) };
  return datesOf(times, around).some(({ day }) => day === first) ? ownRule : byFields;
}
