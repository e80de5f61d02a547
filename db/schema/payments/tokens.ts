// The ledger, in hundredths of a token: a lot is a grant, an entry takes from or returns to a lot. Always,
// `remaining` = `granted` + the sum of the lot's entries (B-12).
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../accounts/accounts";
import { idColumn, instantColumn } from "../columns";

export const tokenLots = sqliteTable(
  "token_lots",
  {
    id: idColumn(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["welcome", "purchased", "pool", "subscription"] }).notNull(),
    /** Lots of the Basic product pay for goals, logs and notes only (B-10). */
    scope: text("scope", { enum: ["all", "goals"] })
      .notNull()
      .default("all"),
    granted: integer("granted").notNull(),
    remaining: integer("remaining").notNull(),
    expiresAt: instantColumn("expires_at"),
    /** The origin, e.g. `welcome:7` or `period:sub_1:2026-11-01`; unique, so that nothing grants twice. */
    reference: text("reference").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("lot_granted_once").on(t.reference),
    index("token_lots_by_user").on(t.userId, t.expiresAt),
    check("tokens_not_negative", sql`${t.remaining} >= 0`),
    check("lot_not_overfilled", sql`${t.remaining} <= ${t.granted}`),
  ],
);

export const tokenEntries = sqliteTable(
  "token_entries",
  {
    /** Counts the user's entries; the newest has the highest. */
    id: integer("id").notNull(),
    userId: integer("user_id").notNull(),
    /** Null: a debt for the spent part of a reversed payment; no lot's remainder counts it. */
    lotId: integer("lot_id"),
    /** Negative: spent. Positive: returned. */
    amount: integer("amount").notNull(),
    reason: text("reason", {
      enum: [
        "goal",
        "join",
        "host_join",
        "follow",
        "log",
        "note",
        "post",
        "chat",
        "chat_return",
        "log_return",
        "refund",
        "shortfall",
        "reversed",
        "owed",
        "restored",
        "moved",
      ],
    }).notNull(),
    /**
     * The purpose, e.g. `goal:uuid`, `log:uuid` or a seat. It stays after a deletion, so that nothing is paid twice.
     */
    reference: text("reference").notNull(),
    createdAt: instantColumn("created_at").notNull(),
    /**
     * The sum that earlier lots paid for the same purpose; 0 for the first lot, so that a repeat collides whichever
     * lot pays.
     */
    paidBefore: integer("paid_before").notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    uniqueIndex("entry_written_once").on(t.reference, t.paidBefore),
    index("token_entries_owed").on(t.userId).where(sql`lot_id IS NULL`),
    index("token_entries_chat").on(t.userId, t.createdAt).where(sql`reason = 'chat'`),
    // A spend that finds too little writes a row of amount 0; this check refuses it and undoes the batch.
    check("tokens_sufficient", sql`${t.amount} <> 0`),
  ],
);

/** The shared pool, whose single row holds the remaining tokens. */
export const tokenPool = sqliteTable(
  "token_pool",
  { id: integer("id").primaryKey(), remaining: integer("remaining").notNull() },
  (t) => [check("pool_not_negative", sql`${t.remaining} >= 0`), check("one_pool", sql`${t.id} = 1`)],
);

export const poolEntries = sqliteTable(
  "pool_entries",
  {
    id: idColumn(),
    userId: integer("user_id").notNull(),
    amount: integer("amount").notNull(),
    reason: text("reason", { enum: ["purchase", "add_free", "redeem", "reversed", "restored"] }).notNull(),
    reference: text("reference").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("pool_entry_written_once").on(t.reference),
    index("pool_entries_by_user").on(t.userId, t.createdAt),
  ],
);
