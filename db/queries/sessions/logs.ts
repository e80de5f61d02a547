// A participant's running timers and totals in a session; goals/logs.ts has the logs.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { ownedGoalColumns } from "#db/queries/goals/columns";
import { LOG_STATUS } from "~/domain/goals/log-state";

const { logs, sessionTotals, goals } = schema;

/** The user's running timers on a session's goals, few rows by the index of open logs. */
export const listMyRunning = (db: Database, sessionId: number, userId: number) =>
  db
    .select({ id: logs.id, goalId: logs.goalId })
    .from(logs)
    .where(
      and(
        eq(logs.userId, userId),
        sql`${logs.status} IN (1, 3)`,
        eq(logs.status, LOG_STATUS.active),
        eq(logs.isTimed, true),
        // The `+` keeps the planner off the index by session, whose logs may be many; the user's open logs are few.
        sql`+${logs.sessionId} = ${sessionId}`,
      ),
    );

/** A participant's totals per goal. */
export const listMyTotals = (db: Database, sessionId: number, userId: number) =>
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
