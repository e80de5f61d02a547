// The place of a goal on a day: due, later this week, a long goal, or reached; and the data of Today. Pure.
import { type Day, daysFrom, plusDays, weekOf } from "~/domain/days";
import { DAY, type Instant } from "~/domain/time";
import { GOAL_STATUS, type Goal, isProgressComplete, progressOf, type Totals } from "./goals";
import type { LogShown } from "./logs";
import { type DayTotals, isDoneOn, isDueOn, periodProgress } from "./recurrence";
import { type GoalMeasure, type GoalTarget, goalOn } from "./target-changes";

/** The facts of a goal that its days depend on; `days` reach back at least to the Monday of the day in question. */
export type GoalOfDays = GoalTarget &
  Totals &
  Pick<Goal, "status" | "recurrence"> & {
    days: readonly DayTotals[];
    measures: readonly GoalMeasure[];
  };

/** `off`: completed, or nothing more this week. */
export type PlaceOnDay = "due" | "week" | "long" | "reached" | "off";

const totalsOf = ({ days }: Pick<GoalOfDays, "days">, day: Day) => days.find((totals) => totals.day === day);
const measuredOn = (goal: GoalOfDays, day: Day) => {
  const goalOfDay = goalOn<GoalTarget & Pick<Goal, "recurrence">>(goal, goal.measures, day);
  return { ...goalOfDay, recurrence: goalOfDay.recurrence ?? goal.recurrence };
};
/** The day is done or skipped. */
const isOver = (goal: GoalOfDays, day: Day): boolean => {
  const totals = totalsOf(goal, day);
  return totals?.isSkipped === true || isDoneOn(measuredOn(goal, day), totals);
};

export function placeOn(goal: GoalOfDays, day: Day): PlaceOnDay {
  if (goal.status !== GOAL_STATUS.open) return "off";
  const { recurrence } = measuredOn(goal, day);
  if (goal.recurrence === null || recurrence === null)
    return isProgressComplete(goal, goal) ? "reached" : "long";
  const sunday = plusDays(weekOf(day), 6);
  const period = periodProgress({ ...goal, recurrence: goal.recurrence }, goal.days, day, goal.measures);
  if (period.isDone) return "reached";
  if (recurrence.every === "week") {
    if (period.isResting) return "off";
    const openDays = daysFrom(day, sunday).filter((laterDay) => !isOver(goal, laterDay));
    return openDays[0] === day && period.asked - period.done >= openDays.length ? "due" : "week";
  }
  if (!period.isResting) return "due";
  return daysFrom(plusDays(day, 1), sunday).some((laterDay) => isDueOn(recurrence, laterDay))
    ? "week"
    : "off";
}

/**
 * The recurrence names the day, and the day is neither skipped nor done. "N times a week" names it when only as many days
 * are left as times are missing.
 */
export const isDue = (goal: GoalOfDays, day: Day): boolean => placeOn(goal, day) === "due";

/** True if a goal's own reminder fires (N-23): it is due, or may be done on this day and is open. */
export function isOpenOn(goal: GoalOfDays, day: Day): boolean {
  const place = placeOn(goal, day);
  if (place === "due") return true;
  if (place === "long") return totalsOf(goal, day)?.isSkipped !== true;
  return place === "week" && measuredOn(goal, day).recurrence?.every === "week" && !isOver(goal, day);
}

/** The days that a long goal still takes at its pace since `from`; null before its first progress or day. */
export function daysAtPace(
  goal: GoalTarget & Totals,
  { from, now }: { from: Instant; now: Instant },
): number | null {
  const progress = progressOf(goal, goal);
  const days = Math.max(1, (now - from) / DAY);
  return progress <= 0 || progress >= 1 ? null : Math.ceil((days * (1 - progress)) / progress);
}

const ORDER: Record<PlaceOnDay, number> = { due: 0, week: 1, long: 2, reached: 3, off: 4 };
/** The goals in the order of Today; goals of one place keep their order. */
export const sortByPlace = <T extends { place: PlaceOnDay }>(goals: readonly T[]): T[] =>
  [...goals].sort((a, b) => ORDER[a.place] - ORDER[b.place]);

/** A row of Today. `totals`: of the day, or of a goal without a repetition all of them. */
export type TodayGoal = Pick<
  Goal,
  | "id"
  | "uuid"
  | "title"
  | "action"
  | "unit"
  | "amount"
  | "distance"
  | "duration"
  | "actionDuration"
  | "completionsRequired"
  | "recurrence"
  | "isInterval"
  | "timers"
  | "quickLogButtons"
> & {
  place: PlaceOnDay;
  totals: Totals;
  /** `isLowerBound`: the streak may be longer. */
  streak: { current: number; unit: "day" | "week"; isLowerBound: boolean } | null;
  /** For "N times a week": the days done and required this week. */
  week: { done: number; asked: number } | null;
  /** Days that a long goal still takes at its pace. */
  daysLeft: number | null;
};
export type Today = {
  /** Logs that run or are paused. */
  openLogs: LogShown[];
  goals: TodayGoal[];
  /** The goals with progress on the day before. */
  yesterday: string[];
};
