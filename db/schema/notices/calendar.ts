// The secret addresses of personal calendar feeds (F-02).
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "../accounts/accounts";
import { instantColumn } from "../columns";

/** A user's calendar address. Only its owner knows the secret; WITHOUT ROWID. */
export const calendarFeeds = sqliteTable("calendar_feeds", {
  /** SHA-256 of the secret. */
  secretHash: text("secret_hash").primaryKey(),
  userId: integer("user_id")
    .notNull()
    .unique("one_feed_per_user")
    .references(() => users.id, { onDelete: "cascade" }),
  createdAt: instantColumn("created_at").notNull(),
});
