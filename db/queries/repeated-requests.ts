// Statements on idempotency keys of repeatable writes, and on locks of operations that a user runs one at a
// time; use cases run them.
import { and, eq, gte, isNull, lt, or, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { rawStatement } from "#db/intercept.server";
import type { Instant } from "~/domain/time";

const requests = schema.repeatedRequests;
const isSameRequest = (userId: number, key: string) =>
  and(eq(requests.userId, userId), eq(requests.key, key));

export type RequestKey = { userId: number; key: string; call: string; bodyHash: string };

/**
 * Builds the statements that write the key in the batch of its work, after deleting an expired one. `request_once`
 * refuses the batch when a concurrent run was first. The column `made` gets the id of the row that the work inserts.
 */
export const buildRequestKeyStatements = (row: RequestKey, now: Instant, expiredBefore: Instant) => ({
  before: [
    rawStatement(
      sql`DELETE FROM ${requests} WHERE ${isSameRequest(row.userId, row.key)} AND ${lt(requests.createdAt, expiredBefore)}`,
    ),
    rawStatement(
      sql`INSERT INTO ${requests} (user_id, key, call, body_hash, created_at) VALUES (${row.userId}, ${row.key}, ${row.call}, ${row.bodyHash}, ${now})`,
    ),
  ],
  afterInsert: rawStatement(
    sql`UPDATE ${requests} SET made = last_insert_rowid() WHERE ${isSameRequest(row.userId, row.key)} AND changes() > 0`,
  ),
  table: "repeated_requests",
});

/** The stored request of this key, if it is younger than `since`. */
export const findRequest = (db: Database, userId: number, key: string, since: Instant) =>
  db
    .select()
    .from(requests)
    .where(and(isSameRequest(userId, key), gte(requests.createdAt, since)))
    .limit(1);
export type RememberedRequest = Awaited<ReturnType<typeof findRequest>>[number];

/**
 * Stores the first answer of a request; a later answer returns no row. `answer` is null when it is too long to store
 * and must be read again.
 */
export const rememberAnswer = (
  db: Database,
  { now, ...row }: RequestKey & { status: number; answer: string | null; now: Instant },
  since: Instant,
) =>
  db
    .insert(requests)
    .values({ ...row, createdAt: now })
    .onConflictDoUpdate({
      target: [requests.userId, requests.key],
      set: { ...row, createdAt: now },
      setWhere: or(isNull(requests.status), lt(requests.createdAt, since)),
    })
    .returning({ key: requests.key });

/** Takes a lock; no row while another run holds it. A lock older than `before` belongs to a crashed run. */
export const takeLock = (
  db: Database,
  lock: { userId: number; key: string; holder: string; before: Instant; now: Instant },
) =>
  db
    .insert(requests)
    .values({ userId: lock.userId, key: lock.key, call: lock.holder, createdAt: lock.now })
    .onConflictDoUpdate({
      target: [requests.userId, requests.key],
      set: { call: lock.holder, createdAt: lock.now },
      setWhere: lt(requests.createdAt, lock.before),
    })
    .returning({ key: requests.key });

export const findLock = (db: Database, userId: number, key: string) =>
  db.select({ holder: requests.call }).from(requests).where(isSameRequest(userId, key)).limit(1);

export const releaseLock = (db: Database, userId: number, key: string) =>
  db.delete(requests).where(isSameRequest(userId, key));

export const deleteOldRequests = (db: Database, before: Instant) =>
  db.delete(requests).where(lt(requests.createdAt, before));
