// A year of a goal as a calendar of squares, and what each week came to. Pure; the picture is
// components/goals/heat-map.tsx, and the same numbers stand in a table beside it.
import { type Day, daysFrom, plusDays, weekOf } from "./days";
import type { DayTotals } from "./recurrence";

export type Measure = "amount" | "duration" | "distance" | "logs";
type HeatDay = { day: Day; value: number; level: 0 | 1 | 2 | 3 | 4; isSkipped: boolean };
export type HeatWeek = { monday: Day; days: HeatDay[]; total: number };

/** How many weeks the picture shows, the present one included. */
const HEAT_WEEKS = 53;

/** The first day the picture shows: a Monday. */
export const heatStart = (today: Day, weeks = HEAT_WEEKS): Day => plusDays(weekOf(today), -7 * (weeks - 1));

/** What is drawn: what most of the logs measured. */
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

/** Weeks from Monday on, oldest first; days ahead of `today` are left out. Four levels between nothing and the most. */
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
