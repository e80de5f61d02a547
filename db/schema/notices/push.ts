// Push subscriptions of browsers, and the pushes that a local run keeps.
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { logins, users } from "../accounts/accounts";
import { idColumn, instantColumn, jsonColumn } from "../columns";

/** A browser's subscription belongs to its login, and is deleted however the login ends (N-41). WITHOUT ROWID. */
export const pushSubscriptions = sqliteTable(
  "push_subscriptions",
  {
    loginHash: text("login_hash")
      .primaryKey()
      .references(() => logins.tokenHash, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The push service's address for this browser; a bearer secret, never shown. */
    endpoint: text("endpoint").notNull(),
    /** The browser's public key and its authentication secret, base64url (RFC 8291). */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("push_endpoint_once").on(t.endpoint),
    index("push_subscriptions_by_user").on(t.userId, t.createdAt),
  ],
);

/** Pushes of a local run, as their browser would get them (N-38). */
export const pushBox = sqliteTable("push_box", {
  id: idColumn(),
  endpoint: text("endpoint").notNull(),
  /** The payload before its encryption. */
  payload: text("payload").notNull(),
  headers: jsonColumn<Record<string, string>>("headers").notNull(),
  /** The encrypted body, base64. */
  body: text("body").notNull(),
  sentAt: instantColumn("sent_at").notNull(),
});
