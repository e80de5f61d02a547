// The rooms that may hold chat lines or contributions of a user, for the export and for the erasure after deletion. Statements; use
// cases run them.
import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";

const { chatErasures, users } = schema;

/** The session's id in the reference of a chat block. */
const ofReference = sql`CAST(substr(e.reference, 6, instr(substr(e.reference, 6), ':') - 1) AS INTEGER)`;
/** Finds rooms by seats, contributions, logs and the ledger's chat entries, so that sessions that the user left are included. */
const roomsOf = (userId: number): SQL =>
  sql`SELECT p.session_id AS id FROM participants p WHERE p.user_id = ${userId}
    UNION SELECT s.id FROM token_entries e JOIN sessions s ON s.id = ${ofReference}
      WHERE e.user_id = ${userId} AND e.reference >= 'chat:' AND e.reference < 'chat;'
    UNION SELECT c.session_id FROM contributions c WHERE c.user_id = ${userId}
    UNION SELECT l.session_id FROM logs l WHERE l.user_id = ${userId} AND l.session_id IS NOT NULL`;

export const listRoomsOf = (db: Database, userId: number, after: number, limit: number) =>
  db
    .select({ id: sql<number>`id`.as("id") })
    .from(sql`(${roomsOf(userId)}) rooms`)
    .where(sql`id > ${after}`)
    .orderBy(sql`id`)
    .limit(limit);

/** To be run before the user's ledger is deleted. */
export const insertErasures = (db: Database, userId: number) =>
  insertFrom(
    db,
    chatErasures,
    { userId, sessionId: sql`id` },
    sql`FROM (${roomsOf(userId)}) rooms WHERE true`,
  ).onConflictDoNothing();

/** With the name that the batch of the erasure gave the user. */
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
