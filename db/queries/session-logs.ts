// What a participant did in a session: running timers and totals. The logs themselves are logs.ts.
import { and, eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { logs, sessionTotals, goals } = schema;

/** My running timers of a session's goals: few, by the index of open logs. */
export const listMyRunning = (db: Database, sessionId: number, userId: number) =>
  db
    .select({ id: logs.id, goalId: logs.goalId })
    .from(logs)
    .where(
      and(
        eq(logs.userId, userId),
        sql`${logs.status} IN (1, 3)`,
        eq(logs.status, 1),
        eq(logs.isTimed, true),
        // Few are open; a session's logs may be many: the first index is the one to walk.
        sql`+${logs.sessionId} = ${sessionId}`,
      ),
    );

/** What one participant did of each goal. */
export const listMyTotals = (db: Database, sessionId: number, userId: number) =>
  db
    .select()
    .from(sessionTotals)
    .where(and(eq(sessionTotals.sessionId, sessionId), eq(sessionTotals.userId, userId)));

/**
 * The goal a log in a session is about: one of the session's, or one's own that is attached to it. A copy of the
 * session's goal (E-27) is found by the uuid it was copied from.
 */
export const findLoggedGoal = (db: Database, sessionId: number, userId: number, uuid: string) =>
  db
    .select()
    .from(goals)
    .where(
      and(
        sql`(${goals.uuid} = ${uuid} OR ${goals.uuid} = (SELECT c.uuid FROM goals c WHERE c.attached_session_id = ${sessionId} AND c.user_id = ${userId} AND c.copied_from_uuid = ${uuid} LIMIT 1))`,
        sql`(${goals.sessionId} = ${sessionId} OR (${goals.attachedSessionId} = ${sessionId} AND ${goals.userId} = ${userId}))`,
      ),
    )
    .orderBy(sql`${goals.sessionId} IS NULL`)
    .limit(1);
