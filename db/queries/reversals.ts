// Payments that the provider took back: what their tokens lose, what is owed, and how it is restored. Statements, run
// by use cases.
import { eq, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";
import { nextEntry, returnTokens } from "./tokens";

const { tokenLots, tokenEntries, poolEntries, tokenPool } = schema;

export type ReversalRow = {
  /** The provider's id of the refund or dispute: each takes once. */
  id: string;
  /** What the payment granted: the reference of a lot or of an entry of the pool. */
  grant: string;
  /** How much of the payment was taken back, and how much was paid. */
  cents: number;
  paidCents: number;
  now: Instant;
};

const referenceOf = ({ grant, id }: Pick<ReversalRow, "grant" | "id">): string => `reversal:${grant}:${id}`;

/** Entries of all reversals of one grant, and of their restorations: two ranges of an index on `reference`. */
const ofGrant = (grant: string) => {
  const [taken, restored] = [`reversal:${grant}:`, `restored:reversal:${grant}:`];
  // ";" follows ":" in the order of characters.
  const after = (prefix: string) => `${prefix.slice(0, -1)};`;
  return sql`((reference > ${taken} AND reference < ${after(taken)}) OR (reference > ${restored} AND reference < ${after(restored)}))`;
};

/**
 * The payment's share of the grant in whole hundredths, at most what no other reversal claims already. Parameters reach
 * SQLite as floating-point numbers, so the division is cut here.
 */
const claimOf = (row: ReversalRow, claimed: ReturnType<typeof sql>) =>
  sql`min(CAST(granted * ${row.cents} / ${row.paidCents} AS INTEGER), granted - (${claimed}))`;

/**
 * Takes a reversed payment's tokens out of its lot as far as they are unspent, and writes the rest as owed (B-12).
 * Two statements; a repeat changes nothing.
 */
export function reverseLot(db: Database, row: ReversalRow): Statement[] {
  const reference = referenceOf(row);
  const claimed = sql`SELECT -coalesce(sum(amount), 0) FROM token_entries WHERE ${ofGrant(row.grant)}`;
  return [
    db.insert(tokenEntries).select(sql`
      WITH claim AS (
        SELECT id, user_id, remaining, ${claimOf(row, claimed)} AS claim FROM token_lots
        WHERE reference = ${row.grant}
          AND NOT EXISTS (SELECT 1 FROM token_entries WHERE reference = ${reference})
      )
      SELECT ${nextEntry(sql`part.payer`)}, part.payer, lot, amount, reason, ${reference}, ${row.now}, before FROM (
        SELECT user_id AS payer, id AS lot, -min(remaining, claim) AS amount, 'reversed' AS reason, 0 AS before
        FROM claim WHERE min(remaining, claim) > 0
        UNION ALL
        SELECT user_id, NULL, remaining - claim, 'owed', remaining FROM claim WHERE claim > remaining
      ) part`),
    // What a lot holds is what was granted and its entries, so that this may be repeated.
    db
      .update(tokenLots)
      .set({
        remaining: sql`granted + (SELECT coalesce(sum(e.amount), 0) FROM token_entries e WHERE e.user_id = token_lots.user_id AND e.lot_id = token_lots.id)`,
      })
      .where(eq(tokenLots.reference, row.grant)),
  ];
}

/** Gives back what `reverseLot` took and owed, once: the refund failed, or the dispute was won. */
export const restoreLot = (db: Database, row: ReversalRow): Statement[] =>
  returnTokens(db, { reference: referenceOf(row), reason: "restored", now: row.now });

/** As `reverseLot`, for tokens given to the shared pool. A repeat breaks `pool_entry_written_once`. */
export function reversePool(db: Database, row: ReversalRow): Statement[] {
  const reference = referenceOf(row);
  // Without its own entries, so that both statements read the same claim.
  const others = sql`${ofGrant(row.grant)} AND reference <> ${reference}`;
  const claimed = sql`
    SELECT -coalesce(sum(amount), 0) FROM (
      SELECT amount FROM pool_entries WHERE ${others}
      UNION ALL SELECT amount FROM token_entries WHERE ${others})`;
  const claim = sql`
    SELECT user_id, (SELECT remaining FROM token_pool) AS held, ${claimOf(row, claimed)} AS claim
    FROM (SELECT user_id, amount AS granted FROM pool_entries WHERE reference = ${row.grant})`;
  return [
    db.insert(tokenEntries).select(sql`
      SELECT ${nextEntry(sql`claim.user_id`)}, user_id, NULL, held - claim, 'owed', ${reference}, ${row.now}, 0
      FROM (${claim}) claim WHERE claim > held`),
    db.insert(poolEntries).select(sql`
      SELECT NULL, user_id, -min(held, claim), 'reversed', ${reference}, ${row.now} FROM (${claim}) claim`),
    raisePool(db, reference),
  ];
}

/** Gives back to the pool, and strikes what was owed. A repeat breaks `pool_entry_written_once`. */
export function restorePool(db: Database, row: ReversalRow): Statement[] {
  const reference = referenceOf(row);
  const restored = `restored:${reference}`;
  return [
    db.insert(poolEntries).select(sql`
      SELECT NULL, user_id, -amount, 'restored', ${restored}, ${row.now} FROM pool_entries WHERE reference = ${reference}`),
    raisePool(db, restored),
    ...restoreLot(db, row),
  ];
}

/** The amount of the entry just written; nothing where none was. */
const raisePool = (db: Database, reference: string): Statement =>
  db
    .update(tokenPool)
    .set({
      remaining: sql`remaining + coalesce((SELECT amount FROM pool_entries WHERE reference = ${reference}), 0)`,
    })
    .where(eq(tokenPool.id, 1));
