// The current streaks of goals: of each for Today, and the longest for a profile that shows it.
import type { Database } from "#db/connect.server";
import { listGoalDays } from "#db/queries/goals/days";
import * as goals from "#db/queries/goals/goals";
import { type Day, plusDays, weekOf } from "~/domain/days";
import { GOAL_STATUS, type Goal } from "~/domain/goals/goals";
import type { DayTotals } from "~/domain/goals/recurrence";
import { type Streak, streakOf } from "~/domain/goals/streaks";
import type { GoalMeasure, GoalTarget } from "~/domain/goals/target-changes";

const MAX_GOALS_READ = 5;
const DAYS_OF_STREAK = 35;
export const firstDayRead = (today: Day): Day => plusDays(weekOf(today), -DAYS_OF_STREAK);

/** Two statements: the running goals, and the newest open ones. */
export const goalsWithStreaks = (db: Database, userId: number, today: Day) =>
  goals.listGoals(db, {
    userId,
    since: firstDayRead(today),
    page: 1,
    perPage: MAX_GOALS_READ,
    status: GOAL_STATUS.open,
    words: null,
    tag: null,
  });
type StreakGoals = Awaited<ReturnType<typeof goals.listGoals>[number]>;

/** `isLowerBound`: the streak may have begun before the days that were read. */
export type StreakShown = Pick<Streak, "current" | "unit"> & { isLowerBound: boolean };

/** The streak of a goal from its recent days; null without one. */
export function recentStreak(
  goal: Pick<Goal, "recurrence"> & GoalTarget,
  { days, measures }: { days: readonly DayTotals[]; measures: readonly GoalMeasure[] },
  today: Day,
): StreakShown | null {
  const { recurrence } = goal;
  if (!recurrence) return null;
  const { current, unit, since } = streakOf({ ...goal, recurrence }, days, today, measures);
  const lastUncertainDay = plusDays(firstDayRead(today), 7);
  return current > 0 ? { current, unit, isLowerBound: since !== null && since <= lastUncertainDay } : null;
}

/**
 * The longest streak in full. Streaks that may have begun before the days that were read are read again, in one batch.
 */
export async function longestStreak(db: Database, rows: StreakGoals, userId: number, today: Day) {
  const streaks = rows.flatMap(({ recentDays: days, measures, recurrence, ...goal }) => {
    const streak = recentStreak({ ...goal, recurrence }, { days, measures }, today);
    return streak && recurrence ? [{ goal: { ...goal, recurrence }, measures, streak }] : [];
  });
  const [first, ...others] = streaks
    .filter(({ streak }) => streak.isLowerBound)
    .map(({ goal }) => listGoalDays(db, goal.id, userId, "0000-01-01"));
  const daysRead = first ? await db.batch([first, ...others]) : [];
  const lengths = streaks.map(({ goal, measures, streak }) => {
    const days = streak.isLowerBound ? daysRead.shift() : undefined;
    const count = days ? streakOf(goal, days, today, measures).current : streak.current;
    return { goalId: goal.id, count, unit: streak.unit };
  });
  const [longest = null] = lengths.sort((a, b) => b.count - a.count);
  return longest;
}
