// The longest current streak of a user's newest goals, for home and for a profile that shows it.
import type { Database } from "#db/connect.server";
import * as goals from "#db/queries/goals/goals";
import { type Day, plusDays, weekOf } from "~/domain/days";
import { GOAL_STATUS } from "~/domain/goals/goals";
import { streakOf } from "~/domain/goals/streaks";

const GOALS_READ = 5;
/** A longer streak is counted from here; its goal's page counts it whole. */
const DAYS_OF_STREAK = 35;

/** Two statements: the running goals, and the newest open ones. */
export const goalsWithStreaks = (db: Database, userId: number, today: Day) =>
  goals.listGoals(db, {
    userId,
    since: plusDays(weekOf(today), -DAYS_OF_STREAK),
    page: 1,
    perPage: GOALS_READ,
    status: GOAL_STATUS.open,
    words: [],
    tag: null,
  });
export type StreakGoals = Awaited<ReturnType<typeof goals.listGoals>[number]>;

export function longestStreak(rows: StreakGoals, today: Day) {
  const streaks = rows.flatMap(({ recentDays, recurrence, ...one }) => {
    if (!recurrence) return [];
    const { current, unit, isDoneNow } = streakOf({ ...one, recurrence }, recentDays, today);
    return current > 0 ? [{ goalId: one.id, title: one.title, count: current, unit, isDoneNow }] : [];
  });
  const [streak = null] = streaks.sort((a, b) => b.count - a.count);
  return streak;
}
