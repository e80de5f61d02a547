// Statements that find the rooms with chat lines or contributions of a user, for the export and for the erasure after
// deletion; use cases run them.
import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";

const { chatErasures, users } = schema;

/** The session's id in the reference of a chat block. */
const sessionIdOfReference = sql`CAST(substr(e.reference, 6, instr(substr(e.reference, 6), ':') - 1) AS INTEGER)`;
/**
 * Finds rooms by seats, contributions, logs, the ledger's chat entries and attendance, so that sessions that the user left
 * are included. A line on all screens has no entry in the ledger.
 */
const selectRoomsOf = (userId: number): SQL =>
  sql`SELECT p.session_id AS id FROM participants p WHERE p.user_id = ${userId}
    UNION SELECT s.id FROM token_entries e JOIN sessions s ON s.id = ${sessionIdOfReference}
      WHERE e.user_id = ${userId} AND e.reference >= 'chat:' AND e.reference < 'chat;'
    UNION SELECT c.session_id FROM contributions c WHERE c.user_id = ${userId}
    UNION SELECT l.session_id FROM logs l WHERE l.user_id = ${userId} AND l.session_id IS NOT NULL
    UNION SELECT s.id FROM attendance a JOIN sessions s ON s.id = a.session_id WHERE a.user_id = ${userId}`;

export const listRoomsOf = (db: Database, userId: number, afterId: number, limit: number) =>
  db
    .select({ id: sql<number>`id`.as("id") })
    .from(sql`(${selectRoomsOf(userId)}) rooms`)
    .where(sql`id > ${afterId}`)
    .orderBy(sql`id`)
    .limit(limit);

/** Runs before the user's ledger is deleted, because only the ledger names some rooms that the user left. */
export const insertErasures = (db: Database, userId: number) =>
  insertFrom(
    db,
    chatErasures,
    { userId, sessionId: sql`id` },
    sql`FROM (${selectRoomsOf(userId)}) rooms WHERE true`,
  ).onConflictDoNothing();

/** `username` is the name that the erased user has since. */
export const listErasures = (db: Database, limit: number) =>
  db
    .select({ ...getTableColumns(chatErasures), username: users.username })
    .from(chatErasures)
    .innerJoin(users, eq(users.id, chatErasures.userId))
    .orderBy(asc(chatErasures.userId), asc(chatErasures.sessionId))
    .limit(limit);
export const deleteErasure = (db: Database, erasure: { userId: number; sessionId: number }) =>
  db
    .delete(chatErasures)
    .where(and(eq(chatErasures.userId, erasure.userId), eq(chatErasures.sessionId, erasure.sessionId)));
