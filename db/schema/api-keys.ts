// Personal keys, with which other programs make JSON calls on a user's behalf (O-01 to O-09).
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts/accounts";
import { instantColumn } from "./columns";
import { goals } from "./goals/goals";

export const apiKeys = sqliteTable(
  "api_keys",
  {
    /** SHA-256 of the key. */
    keyHash: text("key_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** The first characters of the key, by which its owner recognises it. */
    start: text("start").notNull(),
    /** Comma-separated. */
    scopes: text("scopes").notNull(),
    /** The only goal of a key with the scope `log`. Deleting the goal deletes the key (W-04). */
    goalId: integer("goal_id").references(() => goals.id, { onDelete: "cascade" }),
    createdAt: instantColumn("created_at").notNull(),
    expiresAt: instantColumn("expires_at").notNull(),
    /** Written at most once an hour. */
    lastUsedAt: instantColumn("last_used_at"),
    /** When the owner was warned that the key expires. */
    warnedAt: instantColumn("warned_at"),
  },
  (t) => [
    index("api_keys_by_user").on(t.userId),
    index("api_keys_by_expiry").on(t.expiresAt),
    index("api_keys_by_goal").on(t.goalId).where(sql`goal_id IS NOT NULL`),
  ],
);
