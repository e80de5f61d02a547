// Reports of texts and users, the decisions on them, and appeals.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ReportKind } from "~/domain/safety/report-targets";
import type { DecidedAct, ReportReason } from "~/domain/safety/reports";
import { users } from "../accounts/accounts";
import { instantColumn } from "../columns";

export const reports = sqliteTable(
  "reports",
  {
    kind: text("kind").$type<ReportKind>().notNull(),
    /** The id that `ReportTarget` uses, such as a username or the sequence number of a chat line. */
    targetId: text("target_id").notNull(),
    reporterId: integer("reporter_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    reason: text("reason").$type<ReportReason>().notNull(),
    text: text("text").notNull().default(""),
    // The next four are the target as it was reported. Later edits and deletions do not change them.
    authorId: integer("author_id").notNull(),
    authorName: text("author_name").notNull(),
    snapshot: text("kept").notNull(),
    path: text("path").notNull(),
    createdAt: instantColumn("created_at").notNull(),
    updatedAt: instantColumn("updated_at").notNull(),
    /** Null while the report is open. */
    closedAt: instantColumn("closed_at"),
  },
  (t) => [
    // Each reporter has one report per target.
    primaryKey({ name: "one_report_per_target", columns: [t.kind, t.targetId, t.reporterId] }),
    index("reports_by_reporter").on(t.reporterId),
    index("reports_open").on(t.createdAt).where(sql`closed_at IS NULL`),
  ],
);

/** A decision about the author of a target. Stores the hash of the appeal link's secret. */
export const decisions = sqliteTable(
  "decisions",
  {
    tokenHash: text("token_hash").primaryKey(),
    kind: text("kind").$type<ReportKind>().notNull(),
    targetId: text("target_id").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The author's name at the decision. */
    authorName: text("author_name").notNull(),
    act: text("act").$type<DecidedAct>().notNull(),
    reason: text("reason").notNull(),
    snapshot: text("kept").notNull(),
    path: text("path").notNull(),
    decidedAt: instantColumn("decided_at").notNull(),
    appeal: text("appeal").notNull().default(""),
    appealedAt: instantColumn("appealed_at"),
    isGranted: integer("is_granted", { mode: "boolean" }),
    answer: text("answer").notNull().default(""),
    answeredAt: instantColumn("answered_at"),
  },
  (t) => [
    index("decisions_by_user").on(t.userId, t.decidedAt),
    index("appeals_open").on(t.appealedAt).where(sql`appealed_at IS NOT NULL AND answered_at IS NULL`),
  ],
);
