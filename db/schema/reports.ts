// Reports of texts and users.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ReportKind, ReportReason } from "~/domain/reports";
import { users } from "./accounts";
import { instantColumn } from "./columns";

export const reports = sqliteTable(
  "reports",
  {
    kind: text("kind").$type<ReportKind>().notNull(),
    /** The id that `ReportTarget` uses. */
    targetId: text("target_id").notNull(),
    reporterId: integer("reporter_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    reason: text("reason").$type<ReportReason>().notNull(),
    text: text("text").notNull().default(""),
    /** The state of the target when it was reported; later edits and deletions do not change it. */
    authorId: integer("author_id").notNull(),
    authorName: text("author_name").notNull(),
    kept: text("kept").notNull(),
    path: text("path").notNull(),
    createdAt: instantColumn("created_at").notNull(),
    updatedAt: instantColumn("updated_at").notNull(),
    /** null while the report is open. */
    closedAt: instantColumn("closed_at"),
  },
  (t) => [
    primaryKey({ name: "one_report_per_target", columns: [t.kind, t.targetId, t.reporterId] }),
    index("reports_by_reporter").on(t.reporterId),
    index("reports_open").on(t.createdAt).where(sql`closed_at IS NULL`),
  ],
);
