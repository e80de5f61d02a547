// Statements on log marks; use cases run them. A mark tells a room to correct a changed log in its history.
import { asc, eq, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { ownedGoalColumns } from "#db/queries/goals/columns";

const { logs, goals, logMarks } = schema;

/** The marks of a session. They are few, because the room deletes the marks that it has read. */
export const listLogMarks = (db: Database, sessionId: number) =>
  db.select().from(logMarks).where(eq(logMarks.sessionId, sessionId)).orderBy(asc(logMarks.uuid));
const isMarked = (sessionId: number) =>
  sql`${logs.uuid} IN (SELECT m.uuid FROM log_marks m WHERE m.session_id = ${sessionId}) AND ${logs.sessionId} = ${sessionId}`;
/** The marked logs that still exist. */
export const listMarkedLogs = (db: Database, sessionId: number) =>
  db.select().from(logs).where(isMarked(sessionId));
/** The goals of the marked logs. */
export const listMarkedGoals = (db: Database, sessionId: number) =>
  db
    .select(ownedGoalColumns)
    .from(goals)
    .where(sql`${goals.id} IN (SELECT ${logs.goalId} FROM ${logs} WHERE ${isMarked(sessionId)})`);

/** Deletes marks that the room has read, but keeps a mark whose version has changed since then. */
export const deleteReadMarks = (
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
