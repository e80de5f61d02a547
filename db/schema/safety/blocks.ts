// Blocks between two users.
import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";
import { users } from "../accounts/accounts";
import { instantColumn } from "../columns";

/** A block covers all persons of both users; `person_id` is the person shown in the list of blocks. */
export const blocks = sqliteTable(
  "blocks",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blockedId: integer("blocked_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    personId: integer("person_id").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    primaryKey({ name: "one_block_per_pair", columns: [t.userId, t.blockedId] }),
    index("blocks_by_blocked").on(t.blockedId, t.userId),
  ],
);
