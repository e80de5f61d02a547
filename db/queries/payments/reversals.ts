// Statements on reversed payments: they take tokens back, record spent tokens as a debt, and restore both; use cases
// run them.
import { eq, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { returnTokens, selectNextEntryIds } from "#db/queries/tokens";
import type { Instant } from "~/domain/time";

const { tokenLots, tokenEntries, poolEntries, tokenPool } = schema;

export type ReversalRow = {
  /** The provider's id of the refund or dispute; each takes once. */
  id: string;
  /** The reference of the lot or pool entry that the payment granted. */
  grant: string;
  /** The amount taken back, and the amount paid. */
  cents: number;
  paidCents: number;
  now: Instant;
};

const referenceOf = ({ grant, id }: Pick<ReversalRow, "grant" | "id">): string => `reversal:${grant}:${id}`;

/** All reversals of one grant and their restorations: two ranges of the index on `reference`. */
const isOfGrant = (grant: string) => {
  const [reversalPrefix, restoredPrefix] = [`reversal:${grant}:`, `restored:reversal:${grant}:`];
  // ";" follows ":" in the order of characters.
  const endOf = (prefix: string) => `${prefix.slice(0, -1)};`;
  return sql`((reference > ${reversalPrefix} AND reference < ${endOf(reversalPrefix)}) OR (reference > ${restoredPrefix} AND reference < ${endOf(restoredPrefix)}))`;
};

/**
 * The grant's share of the reversal in whole hundredths, at most what other reversals have left. CAST, because D1
 * binds numbers as floating point.
 */
const computeClaim = (row: ReversalRow, claimed: ReturnType<typeof sql>) =>
  sql`min(CAST(granted * ${row.cents} / ${row.paidCents} AS INTEGER), granted - (${claimed}))`;

/**
 * Takes a reversed payment's unspent tokens out of its lot, and records the rest as a debt (B-12). Two idempotent
 * statements.
 */
export function reverseLot(db: Database, row: ReversalRow): Statement[] {
  const reference = referenceOf(row);
  const claimed = sql`SELECT -coalesce(sum(amount), 0) FROM token_entries WHERE ${isOfGrant(row.grant)}`;
  return [
    insertFrom(
      db,
      tokenEntries,
      {
        id: selectNextEntryIds(sql`part.payer`),
        userId: sql`part.payer`,
        lotId: sql`part.lot`,
        amount: sql`part.amount`,
        reason: sql`part.reason`,
        reference,
        createdAt: row.now,
        paidBefore: sql`part.before`,
      },
      sql`FROM (
        WITH claim AS (
          SELECT id, user_id, remaining, ${computeClaim(row, claimed)} AS claim FROM token_lots
          WHERE reference = ${row.grant}
            AND NOT EXISTS (SELECT 1 FROM token_entries WHERE reference = ${reference})
        )
        SELECT user_id AS payer, id AS lot, -min(remaining, claim) AS amount, 'reversed' AS reason, 0 AS before
        FROM claim WHERE min(remaining, claim) > 0
        UNION ALL
        SELECT user_id, NULL, remaining - claim, 'owed', remaining FROM claim WHERE claim > remaining
      ) part`,
    ),
    // Recomputed from grant and entries, so that a repeat changes nothing.
    db
      .update(tokenLots)
      .set({
        remaining: sql`granted + (SELECT coalesce(sum(e.amount), 0) FROM token_entries e WHERE e.user_id = token_lots.user_id AND e.lot_id = token_lots.id)`,
      })
      .where(eq(tokenLots.reference, row.grant)),
  ];
}

/** Returns once what `reverseLot` took, and cancels its debt: the refund failed, or the dispute was won. */
export const restoreLot = (db: Database, row: ReversalRow): Statement[] =>
  returnTokens(db, { reference: referenceOf(row), reason: "restored", now: row.now });

/** Like `reverseLot`, for tokens in the shared pool. A repeat breaks `pool_entry_written_once`. */
export function reversePool(db: Database, row: ReversalRow): Statement[] {
  const reference = referenceOf(row);
  // Without its own entries, so that both statements compute the same share.
  const isOtherReversal = sql`${isOfGrant(row.grant)} AND reference <> ${reference}`;
  const claimed = sql`
    SELECT -coalesce(sum(amount), 0) FROM (
      SELECT amount FROM pool_entries WHERE ${isOtherReversal}
      UNION ALL SELECT amount FROM token_entries WHERE ${isOtherReversal})`;
  const claim = sql`
    SELECT user_id, (SELECT remaining FROM token_pool) AS held, ${computeClaim(row, claimed)} AS claim
    FROM (SELECT user_id, amount AS granted FROM pool_entries WHERE reference = ${row.grant})`;
  return [
    insertFrom(
      db,
      tokenEntries,
      {
        id: selectNextEntryIds(sql`claim.user_id`),
        userId: sql`user_id`,
        amount: sql`held - claim`,
        reason: "owed",
        reference,
        createdAt: row.now,
      },
      sql`FROM (${claim}) claim WHERE claim > held`,
    ),
    insertFrom(
      db,
      poolEntries,
      {
        userId: sql`user_id`,
        amount: sql`-min(held, claim)`,
        reason: "reversed",
        reference,
        createdAt: row.now,
      },
      sql`FROM (${claim}) claim`,
    ),
    raisePool(db, reference),
  ];
}

/** Returns the tokens to the pool and cancels the debt. A repeat breaks `pool_entry_written_once`. */
export function restorePool(db: Database, row: ReversalRow): Statement[] {
  const reference = referenceOf(row);
  const restoredReference = `restored:${reference}`;
  return [
    insertFrom(
      db,
      poolEntries,
      {
        userId: sql`user_id`,
        amount: sql`-amount`,
        reason: "restored",
        reference: restoredReference,
        createdAt: row.now,
      },
      sql`FROM pool_entries WHERE reference = ${reference}`,
    ),
    raisePool(db, restoredReference),
    ...restoreLot(db, row),
  ];
}

/** Adds the amount of the pool entry with this reference; nothing when the batch has written none. */
const raisePool = (db: Database, reference: string): Statement =>
  db
    .update(tokenPool)
    .set({
      remaining: sql`remaining + coalesce((SELECT amount FROM pool_entries WHERE reference = ${reference}), 0)`,
    })
    .where(eq(tokenPool.id, 1));
