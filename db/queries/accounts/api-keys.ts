// Statements on personal keys (O-01 to O-09); use cases run them.
import { and, desc, eq, gt, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { recordEvent } from "#db/queries/notices/events";
import type { NewEvent } from "~/domain/notices/cause";
import type { Instant } from "~/domain/time";
import { actingUser } from "./logins";

const { apiKeys, users, persons } = schema;

/** The user of a live key, and the key. */
export const findUserOfKey = (db: Database, keyHash: string, now: Instant) =>
  db
    .select({
      ...actingUser(now),
      scopes: apiKeys.scopes,
      goalId: apiKeys.goalId,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .innerJoin(persons, eq(persons.id, users.personId))
    .where(and(eq(apiKeys.keyHash, keyHash), gt(apiKeys.expiresAt, now)))
    .limit(1);

export const touchKey = (db: Database, keyHash: string, now: Instant) =>
  db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.keyHash, keyHash));

export const listKeys = (db: Database, userId: number, now: Instant) =>
  db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), gt(apiKeys.expiresAt, now)))
    .orderBy(desc(apiKeys.createdAt))
    .limit(150);

export type NewKey = Pick<
  typeof apiKeys.$inferInsert,
  "keyHash" | "userId" | "name" | "start" | "scopes" | "goalId" | "createdAt" | "expiresAt"
>;

/** No row when the account has `limit` live keys already. Keys for only one goal have a limit of their own. */
export const insertKey = (db: Database, key: NewKey, limit: number) =>
  insertFrom(
    db,
    apiKeys,
    {
      keyHash: key.keyHash,
      userId: key.userId,
      name: key.name,
      start: key.start,
      scopes: key.scopes,
      goalId: key.goalId ?? null,
      createdAt: key.createdAt,
      expiresAt: key.expiresAt,
    },
    sql`WHERE (SELECT count(*) FROM api_keys
          WHERE user_id = ${key.userId} AND expires_at > ${key.createdAt} AND (goal_id IS NULL) = ${key.goalId == null ? 1 : 0}) < ${limit}`,
  ).returning({ keyHash: apiKeys.keyHash });

export const deleteKey = (db: Database, userId: number, keyHash: string) =>
  db
    .delete(apiKeys)
    .where(and(eq(apiKeys.userId, userId), eq(apiKeys.keyHash, keyHash)))
    .returning({ name: apiKeys.name });

export const deleteKeysOf = (db: Database, owner: SQL | number) =>
  db.delete(apiKeys).where(sql`${apiKeys.userId} = ${owner}`);

export const deleteExpiredKeys = (db: Database, now: Instant) =>
  db.delete(apiKeys).where(lt(apiKeys.expiresAt, now));

/** Live keys that expire by `until` and whose owners have had no warning yet. */
export const listExpiringKeys = (db: Database, now: Instant, until: Instant, limit: number) =>
  db
    .select({
      keyHash: apiKeys.keyHash,
      userId: apiKeys.userId,
      name: apiKeys.name,
      start: apiKeys.start,
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .where(and(gt(apiKeys.expiresAt, now), lte(apiKeys.expiresAt, until), isNull(apiKeys.warnedAt)))
    .orderBy(apiKeys.expiresAt)
    .limit(limit);

/**
 * Marks the key as warned and, if it was not marked before, records the cause of the notice: two statements for one
 * batch.
 */
export const recordKeyWarning = (db: Database, keyHash: string, cause: NewEvent<"key-ends">): Statement[] => [
  db
    .update(apiKeys)
    .set({ warnedAt: cause.at })
    .where(and(eq(apiKeys.keyHash, keyHash), isNull(apiKeys.warnedAt))),
  recordEvent(db, cause, { condition: sql`changes() > 0` }),
];
