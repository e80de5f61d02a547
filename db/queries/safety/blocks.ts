// Statements on blocks between users, and the conditions with which lists hide blocked users; use cases run them.
import { type AnyColumn, and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import type { Viewer } from "#db/queries/visibility";

const { blocks, persons } = schema;

/** The users hidden from this user by a block, in either direction. */
const selectHiddenUsers = (userId: Viewer): SQL =>
  sql`(SELECT blocked_id FROM blocks WHERE user_id = ${userId} UNION ALL SELECT user_id FROM blocks WHERE blocked_id = ${userId})`;

/** The condition of every list of user texts: no block exists between `author` and `userId`. */
export const isShownTo = (author: AnyColumn | SQL, userId: Viewer): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM blocks WHERE user_id = ${userId} AND blocked_id = ${author})
    AND NOT EXISTS (SELECT 1 FROM blocks WHERE user_id = ${author} AND blocked_id = ${userId})`;

/** Selects all persons of the users hidden from this user, as JSON. */
export const selectHiddenPersons = (userId: Viewer): SQL =>
  sql`(SELECT json_group_array(json_object('userId', hidden.user_id, 'username', hidden.username)) FROM persons hidden WHERE hidden.user_id IN ${selectHiddenUsers(userId)})`;

export const findAnyBlock = (db: Database, userId: number) =>
  db
    .select({ userId: blocks.userId })
    .from(blocks)
    .where(sql`${blocks.userId} = ${userId} OR ${blocks.blockedId} = ${userId}`)
    .limit(1);

export const findPersonByName = (db: Database, username: string) =>
  db
    .select({ id: persons.id, userId: persons.userId, username: persons.username, title: persons.title })
    .from(persons)
    .where(sql`lower(${persons.username}) = lower(${username})`)
    .limit(1);

export type NewBlock = typeof blocks.$inferInsert;

/** Does nothing when the block exists already, or the user has `limit` blocks. */
export const insertBlock = (db: Database, block: NewBlock, limit: number) =>
  insertFrom(
    db,
    blocks,
    {
      userId: block.userId,
      blockedId: block.blockedId,
      personId: block.personId,
      createdAt: block.createdAt,
    },
    sql`WHERE (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE user_id = ${block.userId} LIMIT ${limit})) < ${limit}`,
  )
    .onConflictDoNothing()
    .returning({ blockedId: blocks.blockedId });

const isBlock = ({ userId, blockedId }: Pick<NewBlock, "userId" | "blockedId">) =>
  and(eq(blocks.userId, userId), eq(blocks.blockedId, blockedId));

export const findBlock = (db: Database, block: Pick<NewBlock, "userId" | "blockedId">) =>
  db.select({ createdAt: blocks.createdAt }).from(blocks).where(isBlock(block)).limit(1);

/** A block between two users, in either direction. */
export const findBlockBetween = (db: Database, a: number, b: number) =>
  db
    .select({ userId: blocks.userId })
    .from(blocks)
    .where(sql`(user_id = ${a} AND blocked_id = ${b}) OR (user_id = ${b} AND blocked_id = ${a})`)
    .limit(1);

/** The block of the user behind a person's name. */
export const findBlockOfName = (db: Database, userId: number, username: string) =>
  db
    .select({ createdAt: blocks.createdAt })
    .from(blocks)
    .where(
      and(
        eq(blocks.userId, userId),
        sql`${blocks.blockedId} = (SELECT user_id FROM persons WHERE lower(username) = lower(${username}))`,
      ),
    )
    .limit(1);

export const deleteBlock = (db: Database, block: Pick<NewBlock, "userId" | "blockedId">) =>
  db.delete(blocks).where(isBlock(block)).returning({ blockedId: blocks.blockedId });

/** The persons that this user has blocked, by name. */
export const listBlocks = (db: Database, userId: number) =>
  db
    .select({ username: persons.username, createdAt: blocks.createdAt })
    .from(blocks)
    .innerJoin(persons, eq(persons.id, blocks.personId))
    .where(eq(blocks.userId, userId))
    .orderBy(asc(sql`lower(${persons.username})`));

/** The users that each of these users has blocked. */
export const listBlocksOf = (db: Database, userIds: readonly number[]) =>
  db
    .select({ userId: blocks.userId, blockedId: blocks.blockedId })
    .from(blocks)
    .where(sql`${blocks.userId} IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`);

/** All persons of participants whom a block hides from another participant of the session (J-10). */
export const listHiddenInSession = (db: Database, sessionId: number | SQL) => {
  const seats = sql`(SELECT user_id FROM participants WHERE session_id = ${sessionId})`;
  return db
    .select({ userId: sql<number>`${persons.userId}`.as("hidden_id"), username: persons.username })
    .from(persons)
    .where(
      sql`${persons.userId} IN (SELECT value FROM blocks, json_each(json_array(user_id, blocked_id)) WHERE user_id IN ${seats} AND blocked_id IN ${seats})`,
    );
};
