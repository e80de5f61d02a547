// A participant's running timers and totals in a session; goals/logs.ts has the logs.
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { ownedGoalColumns } from "#db/queries/goals/columns";
import { IS_OPEN_LOG } from "#db/queries/goals/open-logs";
import { LOG_STATUS } from "~/domain/goals/log-state";

const { logs, sessionTotals, goals, logMarks } = schema;

/** The user's running timers on a session's goals, few rows by the index of open logs. */
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

// ---- marks of logs that their room must correct

/** The marks of a session, few rows: a room drops what it has read. */
export const listMarks = (db: Database, sessionId: number) =>
  db.select().from(logMarks).where(eq(logMarks.sessionId, sessionId)).orderBy(asc(logMarks.uuid));
const isMarked = (sessionId: number) =>
  sql`${logs.uuid} IN (SELECT m.uuid FROM log_marks m WHERE m.session_id = ${sessionId}) AND ${logs.sessionId} = ${sessionId}`;
/** The marked logs that still exist, and the goals of these. */
export const listMarkedLogs = (db: Database, sessionId: number) =>
  db.select().from(logs).where(isMarked(sessionId));
export const listMarkedGoals = (db: Database, sessionId: number) =>
  db
    .select(ownedGoalColumns)
    .from(goals)
    .where(sql`${goals.id} IN (SELECT ${logs.goalId} FROM ${logs} WHERE ${isMarked(sessionId)})`);

/** A mark with another version stays: its log has changed since. */
export const dropMarks = (
  db: Database,
  sessionId: number,
  readMarks: readonly { uuid: string; version: number }[],
): Statement => {
  const json = JSON.stringify(readMarks.map(({ uuid, version }) => ({ uuid, version })));
  return db
    .delete(logMarks)
    .where(
      sql`session_id = ${sessionId} AND (uuid, version) IN (SELECT value ->> 'uuid', value ->> 'version' FROM json_each(${json}))`,
    );
};

export const listMarkedSessions = (db: Database, limit: number) =>
  db
    .selectDistinct({ sessionId: logMarks.sessionId })
    .from(logMarks)
    .orderBy(asc(logMarks.sessionId))
    .limit(limit);

/** The sessions in which the logs of this goal appear, the latest first. */
export const listSessionsOfGoal = (db: Database, goalId: number, limit: number) =>
  db
    .selectDistinct({ sessionId: sql<number>`${logs.sessionId}`.as("session_of_log") })
    .from(logs)
    .where(sql`${logs.goalId} = ${goalId} AND ${logs.sessionId} IS NOT NULL`)
    .orderBy(sql`session_of_log DESC`)
    .limit(limit);
