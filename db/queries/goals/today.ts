// The statement that lists the goals of the page Today, with everything that a row shows (R-85); use cases run it.
import { desc, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { literal } from "#db/schema/columns";
import type { Day } from "~/domain/days";
import { GOAL_STATUS } from "~/domain/goals/goals";
import type { DayTotals } from "~/domain/goals/recurrence";
import { asDayTotals, type DayRow, daysOf } from "./goals";
import { measuresColumn } from "./measures";
import { IS_OPEN_LOG } from "./open-logs";

const { goals } = schema;

/** How many of the newest recurring goals Today reads; it shows those that are due. */
const MAX_RECURRING_GOALS = 200;
/** How many of the newest goals without a repetition Today shows. */
const MAX_OTHER_GOALS = 5;

/** The user's open goals: those that recur, with their days from `since` on, those that run, and the newest others. */
export function listGoalsOfToday(
  db: Database,
  userId: number,
  { since, yesterday }: { since: Day; yesterday: Day },
) {
  const isOpenPersonalGoal = sql`user_id = ${userId} AND session_id IS NULL AND activity_id IS NULL AND status = ${literal(GOAL_STATUS.open)}`;
  const ids = sql`SELECT id FROM (SELECT id FROM goals WHERE ${isOpenPersonalGoal} AND recurrence IS NOT NULL ORDER BY id DESC LIMIT ${MAX_RECURRING_GOALS})
    UNION SELECT id FROM (SELECT id FROM goals WHERE ${isOpenPersonalGoal} AND recurrence IS NULL ORDER BY id DESC LIMIT ${MAX_OTHER_GOALS})
    UNION SELECT goal_id FROM logs WHERE user_id = ${userId} AND ${IS_OPEN_LOG}`;
  return db
    .select({
      id: goals.id,
      uuid: goals.uuid,
      title: goals.title,
      action: goals.action,
      unit: goals.unit,
      amount: goals.amount,
      distance: goals.distance,
      duration: goals.duration,
      actionDuration: goals.actionDuration,
      completionsRequired: goals.completionsRequired,
      isInterval: goals.isInterval,
      timers: goals.timers,
      quickLogButtons: goals.quickLogButtons,
      status: goals.status,
      recurrence: goals.recurrence,
      amountElapsed: goals.amountElapsed,
      durationElapsed: goals.durationElapsed,
      distanceElapsed: goals.distanceElapsed,
      startedAt: goals.startedAt,
      createdAt: goals.createdAt,
      days: sql<
        DayTotals[]
      >`${daysOf(sql`goals.id`, sql`${userId}`, sql`CASE WHEN goals.recurrence IS NULL THEN ${yesterday} ELSE ${since} END`)}`
        .mapWith((text: string) => (JSON.parse(text) as DayRow[]).map(asDayTotals))
        .as("days_of_today"),
      measures: measuresColumn,
    })
    .from(goals)
    .where(sql`${goals.id} IN (${ids}) AND +${goals.userId} = ${userId} AND ${isOpenPersonalGoal}`)
    .orderBy(desc(goals.id));
}
