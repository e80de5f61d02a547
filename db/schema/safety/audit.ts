// The audit: acts of moderators and super admins, and changes of roles, owners and hosts. The database refuses
// every update, and deletion before the retention ends.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AuditAction, AuditTarget } from "~/domain/safety/audit";
import { instantColumn } from "../columns";

/** Triggers (triggers.sql): `audit_is_kept`, `audit_never_changes`. */
export const audit = sqliteTable("audit", {
  /** The only key: the table has no further index, so that an act writes a single row. */
  id: integer("id").primaryKey(),
  at: instantColumn("at").notNull(),
  actorId: integer("actor_id").notNull(),
  action: text("action").$type<AuditAction>().notNull(),
  targetKind: text("target_kind").$type<AuditTarget>().notNull(),
  /** An id; for a chat line its session and number, `12:5`. */
  targetId: text("target_id").notNull(),
  /** The user who is affected by the act. */
  userId: integer("user_id"),
  reason: text("reason").notNull().default(""),
  /** The value that the act replaced, e.g. the previous role. */
  previous: text("previous").notNull().default(""),
});
