// Statements on the progress of a goal per day in the user's zone, which the heat map and the streak show; use cases
// run them.
import { and, asc, eq, gte, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import type { Day } from "~/domain/days";

const { goalDays } = schema;

/** The days of a goal and user from `since` on, oldest first; days without progress have no row. */
export const listGoalDays = (db: Database, goalId: number, userId: number, since: Day, limit = 4000) =>
  db
    .select({
      day: goalDays.day,
      amount: goalDays.amount,
      duration: goalDays.duration,
      distance: goalDays.distance,
      logs: goalDays.logs,
      isSkipped: goalDays.isSkipped,
    })
    .from(goalDays)
    .where(and(eq(goalDays.goalId, goalId), eq(goalDays.userId, userId), gte(goalDays.day, since)))
    .orderBy(asc(goalDays.day))
    .limit(limit);

/** Excludes a day of the user's own goal from its streak, or includes it again. */
export const setDaySkipped = (
  db: Database,
  change: { goalId: number; userId: number; day: Day; isSkipped: boolean },
) =>
  insertFrom(
    db,
    goalDays,
    {
      goalId: sql`g.id`,
      userId: sql`g.user_id`,
      day: change.day,
      isSkipped: change.isSkipped,
      isShared: sql`g.session_id IS NOT NULL OR g.activity_id IS NOT NULL`,
    },
    sql`FROM goals g WHERE g.id = ${change.goalId} AND g.user_id = ${change.userId}`,
  )
    .onConflictDoUpdate({
      target: [goalDays.goalId, goalDays.userId, goalDays.day],
      set: { isSkipped: sql`excluded.is_skipped` },
    })
    .returning({ day: goalDays.day });
