// The memory of repeatable writes.
import { and, eq, isNull, lt } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const t = schema.repeatedRequests;
const same = (userId: number, key: string) => and(eq(t.userId, userId), eq(t.key, key));

/** Claims the key; returns no row when somebody has it already. */
export const claimRequest = (
  db: Database,
  row: { userId: number; key: string; call: string; now: Instant },
) =>
  db
    .insert(t)
    .values({ userId: row.userId, key: row.key, call: row.call, createdAt: row.now })
    .onConflictDoNothing()
    .returning({ key: t.key });

/** Takes over a claim that never got an answer (its run died). */
export const reclaimRequest = (
  db: Database,
  row: { userId: number; key: string; before: Instant; now: Instant },
) =>
  db
    .update(t)
    .set({ createdAt: row.now })
    .where(and(same(row.userId, row.key), isNull(t.answer), lt(t.createdAt, row.before)))
    .returning({ key: t.key });

export const findRequest = (db: Database, userId: number, key: string) =>
  db.select().from(t).where(same(userId, key)).limit(1);

export const answerRequest = (db: Database, userId: number, key: string, status: number, answer: string) =>
  db.update(t).set({ status, answer }).where(same(userId, key));

export const forgetRequest = (db: Database, userId: number, key: string) =>
  db.delete(t).where(and(same(userId, key), isNull(t.answer)));

export const deleteOldRequests = (db: Database, before: Instant) =>
  db.delete(t).where(lt(t.createdAt, before));
