// Goals that begin anew: daily, on chosen weekdays, n times a week. Nothing is reset by a clock: what is done in the
// present period is read from the totals of its days, which were kept in the person's own zone. Pure.
import { type Day, daysFrom, plusDays, weekdayOf, weekOf } from "./days";
import { type Goal, progressOf, type Recurrence, targetSpan } from "./goals";

/** What was done of a goal on one day: thousandths, milliseconds, thousandths, logs that count. */
export type DayTotals = {
  day: Day;
  amount: number;
  duration: number;
  distance: number;
  logs: number;
  /** Put aside by hand. */
  isSkipped: boolean;
};

type Targets = Pick<Goal, "amount" | "distance" | "duration" | "actionDuration" | "completionsRequired">;

const asTotals = (day: Pick<DayTotals, "amount" | "duration" | "distance">) => ({
  amountElapsed: day.amount,
  durationElapsed: day.duration,
  distanceElapsed: day.distance,
});

/** What a goal came to on one day, in the shape of its totals. */
export const totalsOn = (days: readonly DayTotals[], day: Day) =>
  asTotals(days.find((totals) => totals.day === day) ?? { amount: 0, duration: 0, distance: 0 });

/** How far a goal was got on one day; a goal that asks for nothing measurable is done with any log. */
function progressOnDay(goal: Targets, day: DayTotals | undefined): number {
  if (!day) return 0;
  const asks = (goal.amount ?? 0) > 0 || (goal.distance ?? 0) > 0 || targetSpan(goal) > 0;
  return asks ? progressOf(goal, asTotals(day)) : day.logs > 0 ? 1 : 0;
}
export const isDoneOn = (goal: Targets, day: DayTotals | undefined): boolean => progressOnDay(goal, day) >= 1;

/** Whether the goal asks for anything on this day. */
export const isAskedOn = (recurrence: Recurrence, day: Day): boolean =>
  recurrence.every !== "weekdays" || recurrence.weekdays.includes(weekdayOf(day));

/** How many of a week's days it takes: those put aside are not asked for. */
export const timesAsked = (recurrence: Extract<Recurrence, { every: "week" }>, skipped: number): number =>
  Math.min(recurrence.times, 7 - skipped);

export type PeriodProgress = {
  /** Done and asked for, in days for `week`; for a day, the progress itself out of 1. */
  done: number;
  asked: number;
  isDone: boolean;
  /** Nothing is asked for today: a day off, or put aside. */
  isResting: boolean;
};

/** Where a recurring goal stands in its present period. */
export function periodProgress(
  goal: Targets & { recurrence: Recurrence },
  days: readonly DayTotals[],
  today: Day,
): PeriodProgress {
  const { recurrence } = goal;
  const byDay = new Map(days.map((day) => [day.day, day]));
  if (recurrence.every !== "week") {
    const totals = byDay.get(today);
    const progress = progressOnDay(goal, totals);
    return {
      done: Math.min(1, progress),
      asked: 1,
      isDone: progress >= 1,
      isResting: progress < 1 && (!isAskedOn(recurrence, today) || totals?.isSkipped === true),
    };
  }
  // The week goes from Monday to Sunday.
  const monday = weekOf(today);
  const week = daysFrom(monday, plusDays(monday, 6)).map((day) => byDay.get(day));
  const asked = timesAsked(recurrence, week.filter((day) => day?.isSkipped).length);
  const done = week.filter((day) => isDoneOn(goal, day)).length;
  return { done, asked, isDone: asked > 0 && done >= asked, isResting: asked === 0 };
}

/** In words: "every day", "on Mon, Wed and Fri", "3 times a week". */
export function describeRecurrence(recurrence: Recurrence): string {
  if (recurrence.every === "day") return "every day";
  if (recurrence.every === "week")
    return recurrence.times === 1 ? "once a week" : `${recurrence.times} times a week`;
  const { weekdays } = recurrence;
  if (weekdays.join() === "1,2,3,4,5") return "on weekdays";
  // The week begins on Monday.
  const names = [...weekdays].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map((day) => WEEKDAYS[day]);
  const last = names.pop() ?? "";
  return `on ${names.length > 0 ? `${names.join(", ")} and ${last}` : last}`;
}
export const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
