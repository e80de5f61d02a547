// Statements on the timers, totals and logged goals of a participant in a session; use cases run them.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { ownedGoalColumns } from "#db/queries/goals/columns";
import { IS_OPEN_LOG } from "#db/queries/goals/open-logs";
import { LOG_STATUS } from "~/domain/goals/log-state";

const { logs, sessionTotals, goals } = schema;

/** The user's running timers on a session's goals, read by the index of open logs, which are few. */
export const listRunningOf = (db: Database, sessionId: number, userId: number) =>
  db
    .select({ id: logs.id, goalId: logs.goalId })
    .from(logs)
    .where(
      and(
        eq(logs.userId, userId),
        IS_OPEN_LOG,
        eq(logs.status, LOG_STATUS.active),
        eq(logs.isTimed, true),
        // The `+` keeps the planner off the index by session, whose logs may be many; the user's open logs are few.
        sql`+${logs.sessionId} = ${sessionId}`,
      ),
    );

/** A participant's totals per goal. */
export const listTotalsOf = (db: Database, sessionId: number, userId: number) =>
  db
    .select()
    .from(sessionTotals)
    .where(and(eq(sessionTotals.sessionId, sessionId), eq(sessionTotals.userId, userId)));

/**
 * The goal of a log in a session: one of the session's, or the user's own goal attached to it. A copy of the
 * session's goal (E-27) is found by its original's uuid.
 */
export const findLoggedGoal = (db: Database, sessionId: number | SQL, userId: number, uuid: string) =>
  db
    .select(ownedGoalColumns)
    .from(goals)
    .where(
      and(
        sql`(${goals.uuid} = ${uuid} OR ${goals.uuid} = (SELECT c.uuid FROM goals c WHERE c.attached_session_id = ${sessionId} AND c.user_id = ${userId} AND c.copied_from_uuid = ${uuid} LIMIT 1))`,
        sql`(${goals.sessionId} = ${sessionId} OR (${goals.attachedSessionId} = ${sessionId} AND ${goals.userId} = ${userId}))`,
      ),
    )
    .orderBy(sql`${goals.sessionId} IS NULL`)
    .limit(1);

/** The sessions in which the logs of this goal appear, the latest first. */
export const listSessionsOfGoal = (db: Database, goalId: number, limit: number) =>
  db
    .selectDistinct({ sessionId: sql<number>`${logs.sessionId}`.as("session_of_log") })
    .from(logs)
    .where(sql`${logs.goalId} = ${goalId} AND ${logs.sessionId} IS NOT NULL`)
    .orderBy(sql`session_of_log DESC`)
    .limit(limit);
