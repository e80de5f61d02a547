// The longest current streak of a user's newest goals, for home and for a profile that shows it.
import type { Database } from "#db/connect.server";
import { listGoalDays } from "#db/queries/goals/days";
import * as goals from "#db/queries/goals/goals";
import { type Day, plusDays, weekOf } from "~/domain/days";
import { GOAL_STATUS } from "~/domain/goals/goals";
import { streakOf } from "~/domain/goals/streaks";

const GOALS_READ = 5;
const DAYS_OF_STREAK = 35;
const firstDayRead = (today: Day): Day => plusDays(weekOf(today), -DAYS_OF_STREAK);

/** Two statements: the running goals, and the newest open ones. */
export const goalsWithStreaks = (db: Database, userId: number, today: Day) =>
  goals.listGoals(db, {
    userId,
    since: firstDayRead(today),
    page: 1,
    perPage: GOALS_READ,
    status: GOAL_STATUS.open,
    words: null,
    tag: null,
  });
export type StreakGoals = Awaited<ReturnType<typeof goals.listGoals>[number]>;

/** `isLeast`: it may have begun before the days that were read. */
export function longestStreak(rows: StreakGoals, today: Day) {
  const begun = plusDays(firstDayRead(today), 7);
  const streaks = rows.flatMap(({ recentDays, recurrence, measures, ...one }) => {
    if (!recurrence) return [];
    const { current, unit, isDoneNow, since } = streakOf({ ...one, recurrence }, recentDays, today, measures);
    const isLeast = since !== null && since <= begun;
    return current > 0
      ? [{ goalId: one.id, title: one.title, count: current, unit, isDoneNow, isLeast }]
      : [];
  });
  const [streak = null] = streaks.sort((a, b) => b.count - a.count);
  return streak;
}

/** The longest streak with its whole length, for which a long one is read to its beginning. */
export async function wholeStreak(db: Database, rows: StreakGoals, userId: number, today: Day) {
  const streak = longestStreak(rows, today);
  const goal = rows.find(({ id }) => id === streak?.goalId);
  if (!streak?.isLeast || !goal?.recurrence) return streak;
  const days = await listGoalDays(db, goal.id, userId, "0000-01-01");
  const { current } = streakOf({ ...goal, recurrence: goal.recurrence }, days, today, goal.measures);
  return { ...streak, count: current, isLeast: false };
}
