// Sanctions: who may not write or not take part, where and until when. Triggers of the migration delete the
// rows of a session or hut that is deleted.
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SanctionKind, SanctionScope } from "~/domain/safety";
import { users } from "./accounts";
import { instantColumn } from "./columns";

export const sanctions = sqliteTable(
  "sanctions",
  {
    scope: text("scope").$type<SanctionScope>().notNull(),
    /** The session or hut; 0 for the site. */
    targetId: integer("target_id").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").$type<SanctionKind>().notNull(),
    /** Null: no end. A lifted sanction ends when it is lifted, and stays as a record. */
    until: instantColumn("until"),
    reason: text("reason").notNull().default(""),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    primaryKey({ name: "sanction_once", columns: [t.scope, t.targetId, t.userId, t.kind] }),
    index("sanctions_by_user").on(t.userId),
    check(
      "sanction_known",
      sql`${t.scope} IN ('session', 'hut') AND ${t.kind} IN ('mute', 'ban') OR ${t.scope} = 'site' AND ${t.targetId} = 0 AND ${t.kind} = 'ban'`,
    ),
  ],
);
