// Recurring goals: daily, on weekdays, n times a week. No job resets them: the progress of the current period comes
// from the totals of its days, in the person's time zone. Pure.
import { type Day, daysFrom, plusDays, weekdayOf, weekOf } from "~/domain/days";
import { type Goal, progressOf, type Recurrence, targetSpan } from "./goals";
import { type GoalMeasure, goalOn } from "./target-changes";

/** The totals of a goal on one day, in thousandths, milliseconds and millimetres, and its number of logs. */
export type DayTotals = {
  day: Day;
  amount: number;
  duration: number;
  distance: number;
  logs: number;
  /** Skipped by the user. */
  isSkipped: boolean;
};

type Targets = Pick<Goal, "amount" | "distance" | "duration" | "actionDuration" | "completionsRequired">;

const asTotals = (day: Pick<DayTotals, "amount" | "duration" | "distance">) => ({
  amountElapsed: day.amount,
  durationElapsed: day.duration,
  distanceElapsed: day.distance,
});

/** The totals of a goal on one day; zeros without logs. */
export const totalsOn = (days: readonly DayTotals[], day: Day) =>
  asTotals(days.find((totals) => totals.day === day) ?? { amount: 0, duration: 0, distance: 0 });

/** The progress of a goal on one day; any log completes a goal without a measurable target. */
function progressOnDay(goal: Targets, day: DayTotals | undefined): number {
  if (!day) return 0;
  const hasTarget = (goal.amount ?? 0) > 0 || (goal.distance ?? 0) > 0 || targetSpan(goal) > 0;
  return hasTarget ? progressOf(goal, asTotals(day)) : day.logs > 0 ? 1 : 0;
}
export const isDoneOn = (goal: Targets, day: DayTotals | undefined): boolean => progressOnDay(goal, day) >= 1;

/** True if the goal is due on this day. */
export const isDueOn = (recurrence: Recurrence, day: Day): boolean =>
  recurrence.every !== "weekdays" || recurrence.weekdays.includes(weekdayOf(day));

/** The number of days that a week requires, reduced by its skipped days. */
export const requiredTimesOf = (
  recurrence: Extract<Recurrence, { every: "week" }>,
  skipped: number,
): number => Math.min(recurrence.times, 7 - skipped);

export type PeriodProgress = {
  /** Progress and target: days for `week`; for a day, the progress out of 1. */
  done: number;
  asked: number;
  isDone: boolean;
  /** Nothing is due today: a day off, or a skipped day. */
  isResting: boolean;
};

/** The progress of a recurring goal in its current period. */
export function periodProgress(
  goal: Targets & { recurrence: Recurrence },
  days: readonly DayTotals[],
  today: Day,
  measures: readonly GoalMeasure[] = [],
): PeriodProgress {
  const current = goalOn<Targets & { recurrence: Recurrence | null }>(goal, measures, today);
  const recurrence = current.recurrence ?? goal.recurrence;
  const byDay = new Map(days.map((day) => [day.day, day]));
  if (recurrence.every !== "week") {
    const totals = byDay.get(today);
    const progress = progressOnDay(current, totals);
    return {
      done: Math.min(1, progress),
      asked: 1,
      isDone: progress >= 1,
      isResting: progress < 1 && (!isDueOn(recurrence, today) || totals?.isSkipped === true),
    };
  }
  // Weeks run from Monday to Sunday.
  const monday = weekOf(today);
  const week = daysFrom(monday, plusDays(monday, 6));
  const requiredTimes = requiredTimesOf(recurrence, week.filter((day) => byDay.get(day)?.isSkipped).length);
  const doneTimes = week.filter((day) => isDoneOn(goalOn(current, measures, day), byDay.get(day))).length;
  return {
    done: doneTimes,
    asked: requiredTimes,
    isDone: requiredTimes > 0 && doneTimes >= requiredTimes,
    isResting: requiredTimes === 0,
  };
}

export const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** The recurrence in words: "every day", "on Mon, Wed and Fri", "3 times a week". */
export function describeRecurrence(recurrence: Recurrence): string {
  if (recurrence.every === "day") return "every day";
  if (recurrence.every === "week")
    return recurrence.times === 1 ? "once a week" : `${recurrence.times} times a week`;
  const { weekdays } = recurrence;
  if (weekdays.join() === "1,2,3,4,5") return "on weekdays";
  // Weeks begin on Monday.
  const names = [...weekdays].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map((day) => WEEKDAYS[day]);
  const last = names.pop() ?? "";
  return `on ${names.length > 0 ? `${names.join(", ")} and ${last}` : last}`;
}
