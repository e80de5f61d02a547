// The ledger. Everything counts hundredths of a token. A lot is tokens that came in; an entry is what was
// taken from or returned to one lot. `remaining` = `granted` + the sum of the lot's entries, always (B-12).
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";
import { idColumn, instantColumn } from "./columns";

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
    /** What granted it, e.g. `welcome:7` or `period:sub_1:2026-11-01`: nothing grants twice. */
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
    id: idColumn(),
    userId: integer("user_id").notNull(),
    lotId: integer("lot_id").references(() => tokenLots.id, { onDelete: "cascade" }),
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
        "refund",
        "shortfall",
      ],
    }).notNull(),
    /** What it paid for, e.g. `goal:uuid`, `join:12:34:seat-id`. */
    reference: text("reference").notNull(),
    createdAt: instantColumn("created_at").notNull(),
    /** How much earlier lots gave towards the same: 0 for the first, so that whoever pays, nothing is paid twice. */
    paidBefore: integer("paid_before").notNull().default(0),
  },
  (t) => [
    uniqueIndex("entry_written_once").on(t.reference, t.paidBefore),
    index("token_entries_by_user").on(t.userId, t.id),
    index("token_entries_by_lot").on(t.lotId),
    // A spend that finds too little writes a row of amount 0, which this refuses: the whole batch is undone.
    check("tokens_sufficient", sql`${t.amount} <> 0`),
  ],
);

/** Chat is paid in blocks: 1 token = 100 messages in one room; what is unused returns (B-13). */
export const chatBlocks = sqliteTable(
  "chat_blocks",
  {
    /** `chat:{session}:{user}:{n}`, also the ledger reference. */
    reference: text("reference").primaryKey(),
    sessionId: integer("session_id").notNull(),
    userId: integer("user_id").notNull(),
    size: integer("size").notNull(),
    used: integer("used"),
    openedAt: instantColumn("opened_at").notNull(),
    closedAt: instantColumn("closed_at"),
  },
  (t) => [
    index("chat_blocks_by_session").on(t.sessionId, t.userId),
    check("block_not_overused", sql`${t.used} IS NULL OR (${t.used} >= 0 AND ${t.used} <= ${t.size})`),
  ],
);

/** The shared pool: one row holds what is left. */
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
    reason: text("reason", { enum: ["purchase", "add_free", "redeem"] }).notNull(),
    reference: text("reference").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("pool_entry_written_once").on(t.reference),
    index("pool_entries_by_user").on(t.userId, t.createdAt),
  ],
);
