// Statements on rows of jobs that failed, for super admins; use cases run them.
import { desc, lt, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { failedRows } = schema;

/** Inserts a failure of the row, or counts another. */
export const recordFailedRow = (db: Database, failure: Omit<typeof failedRows.$inferInsert, "tries">) =>
  db
    .insert(failedRows)
    .values(failure)
    .onConflictDoUpdate({
      target: [failedRows.job, failedRows.row],
      set: { tries: sql`tries + 1`, reason: failure.reason, at: failure.at },
    });

/** Newest first. */
export const listFailedRows = (db: Database, limit: number) =>
  db.select().from(failedRows).orderBy(desc(failedRows.at)).limit(limit);

/** Deletes rows that have not failed since `before`. */
export const deleteOldFailedRows = (db: Database, before: Instant) =>
  db.delete(failedRows).where(lt(failedRows.at, before));
