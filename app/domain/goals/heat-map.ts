// The data of a goal's heat map: the level of each day and the total of each week. Pure.
import { type Day, daysFrom, plusDays, weekOf } from "~/domain/days";
import { SECOND } from "~/domain/time";
import { type Goal, targetSpan } from "./goals";
import type { DayTotals } from "./recurrence";

export type Measure = "amount" | "duration" | "distance" | "logs";
type HeatDay = { day: Day; value: number; level: 0 | 1 | 2 | 3 | 4; isSkipped: boolean };
export type HeatWeek = { monday: Day; days: HeatDay[]; total: number };

/** Weeks in a heat map, the current week included. */
const HEAT_WEEKS = 53;

/** The first day of the heat map, a Monday. */
export const heatStart = (today: Day, weeks = HEAT_WEEKS): Day => plusDays(weekOf(today), -7 * (weeks - 1));

/** The measure to draw: amount before distance, duration and number of logs. */
export function measureOf(days: readonly DayTotals[]): Measure {
  const sums = days.reduce(
    (sum, day) => ({
      amount: sum.amount + Math.abs(day.amount),
      duration: sum.duration + day.duration,
      distance: sum.distance + Math.abs(day.distance),
    }),
    { amount: 0, duration: 0, distance: 0 },
  );
  if (sums.amount > 0) return "amount";
  if (sums.distance > 0) return "distance";
  return sums.duration > 0 ? "duration" : "logs";
}

/** The weeks from the one of a goal's first day until today, at most those of a year. */
export function weeksSince(first: Day, today: Day): number {
  let weeks = 1;
  while (weeks < HEAT_WEEKS && heatStart(today, weeks) > first) weeks += 1;
  return weeks;
}

type Targets = Pick<
  Goal,
  "amount" | "distance" | "duration" | "actionDuration" | "completionsRequired" | "recurrence"
>;

/** The value that a recurring goal requires on a day; null for other goals, which have no daily target. */
export function dailyTarget(goal: Targets, measure: Measure): number | null {
  if (!goal.recurrence) return null;
  const perCompletion = {
    amount: goal.amount ?? 0,
    distance: goal.distance ?? 0,
    duration: targetSpan(goal) * SECOND,
    logs: 1,
  }[measure];
  return perCompletion > 0
    ? perCompletion * (measure === "logs" ? 1 : Math.max(1, goal.completionsRequired))
    : null;
}

/** `targetOn`: the target that held on a day. */
type HeatOptions = { weeks?: number; targetOn?: (day: Day) => number | null };

/**
 * Weeks that begin on Monday, oldest first, without days after `today`. Levels 1 to 3 are shares of the target, 4 is the
 * target reached; without a target levels 1 to 4 share the largest value.
 */
export function heatMap(
  days: readonly DayTotals[],
  measure: Measure,
  today: Day,
  { weeks = HEAT_WEEKS, targetOn = () => null }: HeatOptions = {},
): HeatWeek[] {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const start = heatStart(today, weeks);
  const values = days.filter(({ day }) => day >= start && day <= today).map((day) => day[measure]);
  const largest = Math.max(0, ...values);
  const rawLevel = (value: number, target: number | null): number => {
    if (target === null) return Math.ceil((value / largest) * 4);
    return value >= target ? 4 : Math.ceil((value / target) * 3);
  };
  const levelOf = (value: number, day: Day): HeatDay["level"] =>
    value <= 0 ? 0 : (Math.max(1, rawLevel(value, targetOn(day))) as HeatDay["level"]);
  return Array.from({ length: weeks }, (_, index) => {
    const monday = plusDays(start, index * 7);
    const last = plusDays(monday, 6);
    const heatDays = daysFrom(monday, last > today ? today : last).map((day): HeatDay => {
      const totals = byDay.get(day);
      const value = totals?.[measure] ?? 0;
      return { day, value, level: levelOf(value, day), isSkipped: totals?.isSkipped ?? false };
    });
    return { monday, days: heatDays, total: heatDays.reduce((sum, { value }) => sum + value, 0) };
  });
}
