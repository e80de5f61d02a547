// Sanctions: mutes and bans of users, with place and end. Triggers delete the rows of a deleted
// session or hut.
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SanctionKind, SanctionScope } from "~/domain/safety/sanctions";
import { users } from "../accounts/accounts";
import { instantColumn, personColumn } from "../columns";

export const sanctions = sqliteTable(
  "sanctions",
  {
    scope: text("scope").$type<SanctionScope>().notNull(),
    /** The session's, series' or hut's id; 0 for the site. */
    targetId: integer("target_id").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The name that the sanction was set by; lists show this one. */
    personId: personColumn(),
    kind: text("kind").$type<SanctionKind>().notNull(),
    /** Null: no end. Lifting sets the end to that instant, and the row stays as a record. */
    until: instantColumn("until"),
    reason: text("reason").notNull().default(""),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    primaryKey({ name: "sanction_once", columns: [t.scope, t.targetId, t.userId, t.kind] }),
    index("sanctions_by_user").on(t.userId),
    check(
      "sanction_known",
      sql`${t.scope} IN ('session', 'series', 'hut') AND ${t.kind} IN ('mute', 'ban') OR ${t.scope} = 'site' AND ${t.targetId} = 0 AND ${t.kind} = 'ban'`,
    ),
  ],
);
