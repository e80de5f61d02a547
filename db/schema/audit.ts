// The audit: acts of moderators and super admins, and changes of roles, owners and hosts. Triggers of the migration
// refuse to change a row, and to delete it before its time.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AuditAction, AuditTarget } from "~/domain/audit";
import { instantColumn } from "./columns";

export const audit = sqliteTable("audit", {
  /** Without an index beside it, so that an act writes a single row. */
  id: integer("id").primaryKey(),
  at: instantColumn("at").notNull(),
  actorId: integer("actor_id").notNull(),
  action: text("action").$type<AuditAction>().notNull(),
  targetKind: text("target_kind").$type<AuditTarget>().notNull(),
  /** An id; of a chat line its session and number, `12:5`. */
  targetId: text("target_id").notNull(),
  /** The user whom the act concerns. */
  userId: integer("user_id"),
  reason: text("reason").notNull().default(""),
  /** What the act replaced, e.g. the role before. */
  previous: text("previous").notNull().default(""),
});
