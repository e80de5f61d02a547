// Recomputes the stored totals of a user's logs: days, goals and sessions. Each statement may be repeated.
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { literal } from "#db/schema/columns";
import { LOG_STATUS } from "~/domain/goals/log-state";

const { goals, goalDays, logs, sessionTotals } = schema;

const DONE = literal(LOG_STATUS.done);
/** `countOf` summed over the logs `l`. */
const SUMS = {
  amount: sql`coalesce(sum(iif(l.status = ${DONE}, coalesce(l.amount, 0), 0)), 0)`,
  duration: sql`coalesce(sum(CASE WHEN l.is_timed = 1 THEN l.elapsed_duration WHEN l.status = ${DONE} THEN coalesce(l.duration, 0) * 1000 ELSE 0 END), 0)`,
  distance: sql`coalesce(sum(iif(l.status = ${DONE}, coalesce(l.distance_mm, 0), 0)), 0)`,
  logs: sql`coalesce(sum(l.status = ${DONE}), 0)`,
};
const ofGoal = (sum: SQL): SQL => sql`(SELECT ${sum} FROM logs l WHERE l.goal_id = goals.id)`;

const ofLastRelease = (userId: number) =>
  sql`user_id = ${userId} AND distance IS NOT NULL AND distance_mm IS NULL`;
const inMillimetres = sql`CAST(round(distance * 1609.344) AS INTEGER)`;

/** The days and session totals of the user's logs, and the totals of the goals that the user owns; for one batch. */
export function recountUser(db: Database, userId: number): Statement[] {
  return [
    // The last release wrote these after the migration had converted the others (H-07).
    db.update(logs).set({ distance: inMillimetres }).where(ofLastRelease(userId)),
    db.update(goals).set({ distance: inMillimetres }).where(ofLastRelease(userId)),
    insertFrom(
      db,
      goalDays,
      {
        goalId: sql`l.goal_id`,
        userId: sql`l.user_id`,
        day: sql`l.day`,
        amount: SUMS.amount,
        duration: SUMS.duration,
        distance: SUMS.distance,
        logs: SUMS.logs,
        isShared: sql`g.session_id IS NOT NULL OR g.activity_id IS NOT NULL`,
      },
      sql`FROM logs l JOIN goals g ON g.id = l.goal_id WHERE l.user_id = ${userId} GROUP BY l.goal_id, l.day`,
    ).onConflictDoUpdate({
      target: [goalDays.goalId, goalDays.userId, goalDays.day],
      set: {
        amount: sql`excluded.amount`,
        duration: sql`excluded.duration`,
        distance: sql`excluded.distance_mm`,
        logs: sql`excluded.logs`,
      },
    }),
    db
      .update(goals)
      .set({
        amountElapsed: ofGoal(sql`max(0, ${SUMS.amount})`),
        durationElapsed: ofGoal(SUMS.duration),
        distanceElapsed: ofGoal(sql`max(0, ${SUMS.distance})`),
        logsCount: ofGoal(sql`count(*)`),
      })
      .where(sql`user_id = ${userId} AND activity_id IS NULL`),
    insertFrom(
      db,
      sessionTotals,
      {
        sessionId: sql`l.session_id`,
        userId: sql`l.user_id`,
        goalUuid: sql`l.session_goal_uuid`,
        action: sql`max(l.action)`,
        amount: SUMS.amount,
        distance: SUMS.distance,
        duration: SUMS.duration,
      },
      sql`FROM logs l JOIN sessions s ON s.id = l.session_id
          WHERE l.user_id = ${userId} AND l.session_goal_uuid IS NOT NULL GROUP BY l.session_id, l.session_goal_uuid`,
    ).onConflictDoUpdate({
      target: [sessionTotals.sessionId, sessionTotals.userId, sessionTotals.goalUuid],
      set: {
        amount: sql`excluded.amount`,
        distance: sql`excluded.distance_mm`,
        duration: sql`excluded.duration`,
      },
    }),
  ];
}

/** The next users after `after`, by id. */
export const listUserIds = (db: Database, after: number, limit: number) =>
  db
    .select({ id: schema.users.id })
    .from(schema.users)
    .where(sql`id > ${after}`)
    .orderBy(schema.users.id)
    .limit(limit);
