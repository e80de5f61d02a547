// Idempotency keys of repeatable writes, and locks of operations that a user runs one at a time.
import { and, eq, gte, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { type Database, schema } from "#db/connect.server";
import type { RawStatement } from "#db/intercept.server";
import type { Instant } from "~/domain/time";

const t = schema.repeatedRequests;
const same = (userId: number, key: string) => and(eq(t.userId, userId), eq(t.key, key));
const dialect = new SQLiteSyncDialect();
const raw = (query: SQL): RawStatement => dialect.sqlToQuery(query);

export type RequestKey = { userId: number; key: string; call: string; bodyHash: string };

/**
 * Writes the key in the batch of its work, after deleting it if it has expired. `request_once` refuses it when a
 * concurrent run was first. `made` becomes the id of the inserted row.
 */
export const requestKeyWrites = (row: RequestKey, now: Instant, before: Instant) => ({
  before: [
    raw(sql`DELETE FROM ${t} WHERE ${same(row.userId, row.key)} AND ${lt(t.createdAt, before)}`),
    raw(
      sql`INSERT INTO ${t} (user_id, key, call, body_hash, created_at) VALUES (${row.userId}, ${row.key}, ${row.call}, ${row.bodyHash}, ${now})`,
    ),
  ],
  afterInsert: raw(
    sql`UPDATE ${t} SET made = last_insert_rowid() WHERE ${same(row.userId, row.key)} AND changes() > 0`,
  ),
  table: "repeated_requests",
});

/** The stored request of this key, if it is younger than `since`. */
export const findRequest = (db: Database, userId: number, key: string, since: Instant) =>
  db
    .select()
    .from(t)
    .where(and(same(userId, key), gte(t.createdAt, since)))
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
    .insert(t)
    .values({ ...row, createdAt: now })
    .onConflictDoUpdate({
      target: [t.userId, t.key],
      set: { ...row, createdAt: now },
      setWhere: or(isNull(t.status), lt(t.createdAt, since)),
    })
    .returning({ key: t.key });

/** Takes a lock; no row while another run holds it. A lock older than `before` belongs to a crashed run. */
export const takeLock = (
  db: Database,
  lock: { userId: number; key: string; holder: string; before: Instant; now: Instant },
) =>
  db
    .insert(t)
    .values({ userId: lock.userId, key: lock.key, call: lock.holder, createdAt: lock.now })
    .onConflictDoUpdate({
      target: [t.userId, t.key],
      set: { call: lock.holder, createdAt: lock.now },
      setWhere: lt(t.createdAt, lock.before),
    })
    .returning({ key: t.key });

export const findLock = (db: Database, userId: number, key: string) =>
  db.select({ holder: t.call }).from(t).where(same(userId, key)).limit(1);

export const releaseLock = (db: Database, userId: number, key: string) =>
  db.delete(t).where(same(userId, key));

export const deleteOldRequests = (db: Database, before: Instant) =>
  db.delete(t).where(lt(t.createdAt, before));
