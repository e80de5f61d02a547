// Reports of texts and users. Statements; use cases run them.
import { asc, eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { reports } = schema;

export type NewReport = Omit<typeof reports.$inferInsert, "closedAt">;

/**
 * A second report of a target by the same user changes reason and text. After a decision it reports the target's
 * current state.
 */
export const upsertReport = (db: Database, report: NewReport) => {
  const ifDecided = (column: string) =>
    sql.raw(`CASE WHEN reports.closed_at IS NULL THEN reports.${column} ELSE excluded.${column} END`);
  return db
    .insert(reports)
    .values(report)
    .onConflictDoUpdate({
      target: [reports.kind, reports.targetId, reports.reporterId],
      set: {
        reason: report.reason,
        text: report.text ?? "",
        authorId: ifDecided("author_id"),
        authorName: ifDecided("author_name"),
        kept: ifDecided("kept"),
        path: ifDecided("path"),
        createdAt: ifDecided("created_at"),
        // Later than `created_at`, which marks a repeated report.
        updatedAt: sql`max(excluded.updated_at, reports.created_at + 1)`,
        closedAt: null,
      },
    })
    .returning();
};

export const listReportsBy = (db: Database, reporterId: number) =>
  db
    .select({
      kind: reports.kind,
      targetId: reports.targetId,
      reason: reports.reason,
      text: reports.text,
      createdAt: reports.createdAt,
      closedAt: reports.closedAt,
    })
    .from(reports)
    .where(eq(reports.reporterId, reporterId))
    .orderBy(asc(reports.createdAt));
