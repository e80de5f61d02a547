// The data of a goal's heat map: the level of each day and the total of each week. Pure.
import { type Day, daysFrom, plusDays, weekOf } from "~/domain/days";
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

/** Weeks that begin on Monday, oldest first, without days after `today`. Levels 1 to 4 share the largest value. */
export function heatMap(
  days: readonly DayTotals[],
  measure: Measure,
  today: Day,
  weeks = HEAT_WEEKS,
): HeatWeek[] {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const start = heatStart(today, weeks);
  const values = days.filter(({ day }) => day >= start && day <= today).map((day) => day[measure]);
  const most = Math.max(0, ...values);
  const levelOf = (value: number): HeatDay["level"] =>
    value <= 0 || most === 0
      ? 0
      : (Math.min(4, Math.max(1, Math.ceil((value / most) * 4))) as HeatDay["level"]);
  return Array.from({ length: weeks }, (_, index) => {
    const monday = plusDays(start, index * 7);
    const last = plusDays(monday, 6);
    const shown = daysFrom(monday, last > today ? today : last).map((day): HeatDay => {
      const totals = byDay.get(day);
      const value = totals?.[measure] ?? 0;
      return { day, value, level: levelOf(value), isSkipped: totals?.isSkipped ?? false };
    });
    return { monday, days: shown, total: shown.reduce((sum, { value }) => sum + value, 0) };
  });
}
