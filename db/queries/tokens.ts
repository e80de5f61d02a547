// Statements on the ledger of tokens; use cases run them in the batch of the operation that they pay for (B-12).
import { and, asc, desc, eq, getTableColumns, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteInsertValue } from "drizzle-orm/sqlite-core";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import type { Instant } from "~/domain/time";
import { BASIC_SCOPE, PRICES, type Priced, REFUND_PERIOD } from "~/domain/tokens";

const { tokenLots, tokenEntries } = schema;

/** The columns of these rows as their user reads them. */
const { userId: _, ...lotColumns } = getTableColumns(tokenLots);
const { userId: __, ...entryColumns } = getTableColumns(tokenEntries);

export type Spend = {
  /** The payer, as SQL where only the batch knows them. */
  userId: number | SQL;
  /** The purchase: it gives the price and the eligible lots. */
  what: Priced;
  /** Pays for several in advance: up to this amount if the lots hold it, and at least the price. */
  upTo?: number;
  /** The reason in the history; by default `what`. */
  reason?: (typeof tokenEntries.$inferInsert)["reason"] | SQL;
  /** Each reference pays once: `goal:{uuid}`, `log:{uuid}`, a seat …, as SQL where only the batch knows it. */
  reference: string | SQL;
  now: Instant;
  /** Spends only if this SQL condition holds inside the batch, e.g. that the seat was taken just now. */
  condition?: ReturnType<typeof sql>;
};

/** The condition of the lots that may pay: none of an account that waits for its deletion (R-67). */
const isEligible = ({ userId, what, now }: Pick<Spend, "userId" | "what" | "now">): SQL =>
  sql`user_id = ${userId} AND remaining > 0 AND (expires_at IS NULL OR expires_at > ${now}) AND ${BASIC_SCOPE.includes(what) ? sql`1` : sql`scope = 'all'`}
    AND NOT EXISTS (SELECT 1 FROM users payer WHERE payer.id = ${userId} AND payer.deletion_due_at IS NOT NULL)`;

/** A condition inside the batch: `spendTokens` would succeed. */
export const canPay = (spend: Pick<Spend, "userId" | "what" | "now">): SQL =>
  sql`(SELECT coalesce(sum(remaining), 0) FROM token_lots WHERE ${isEligible(spend)}) >= ${PRICES[spend.what]}`;

/**
 * Two statements: take the price from the eligible lots, earliest expiry first; then lower those lots. When the lots
 * hold too little, a row of amount 0 breaks `tokens_sufficient`, which undoes the batch: INSUFFICIENT_TOKENS. A
 * repeat of the reference breaks `entry_written_once`, whichever lots would pay now: its first row also has nothing
 * paid before it. With empty lots the first row has amount -1, so that a repeat is detected before the shortfall.
 */
export function spendTokens(db: Database, spend: Spend): [Statement, Statement] {
  const { userId, what, reference, now } = spend;
  const reason = spend.reason ?? (what as NonNullable<Spend["reason"]>);
  const cost = PRICES[what];
  const maxAmount = spend.upTo ?? cost;
  const condition = spend.condition ?? sql`1`;
  return [
    insertFrom(
      db,
      tokenEntries,
      {
        id: selectNextEntryIds(sql`${userId}`),
        userId,
        lotId: sql`part.lot`,
        amount: sql`part.amount`,
        reason: sql`part.reason`,
        reference,
        createdAt: now,
        paidBefore: sql`part.before`,
      },
      sql`FROM (
        WITH eligible AS (
          SELECT id, remaining,
            sum(remaining) OVER (ORDER BY coalesce(expires_at, 9e15), id ROWS UNBOUNDED PRECEDING) - remaining AS before
          FROM token_lots WHERE ${isEligible(spend)}
        )
        SELECT id AS lot, -min(remaining, ${maxAmount} - before) AS amount, ${reason} AS reason, before
        FROM eligible WHERE before < ${maxAmount} AND (${condition})
        UNION ALL
        SELECT NULL, step.value, 'shortfall', 0
        FROM (SELECT coalesce(sum(remaining), 0) AS held FROM eligible) JOIN json_each('[-1,0]') AS step
        WHERE (${condition}) AND held < ${cost} AND (held = 0 OR step.value = 0)
      ) part`,
    ),
    db
      .update(tokenLots)
      .set({
        remaining: sql`remaining + (SELECT amount FROM token_entries WHERE reference = ${reference} AND lot_id = token_lots.id)`,
      })
      .where(sql`id IN (SELECT lot_id FROM token_entries WHERE reference = ${reference}) AND (${condition})`),
  ];
}

/** Selects the ids of the entries that a statement inserts. Each user's entries count from 1. */
export const selectNextEntryIds = (userId: SQL, window = sql``): SQL =>
  sql`(SELECT coalesce(max(id), 0) FROM token_entries WHERE user_id = ${userId}) + row_number() OVER (${window})`;

/**
 * Refunds what `reference` took, at most once (B-14). `upTo` (hundredths) refunds only that much, for the unused rest
 * of a chat block.
 */
export function returnTokens(
  db: Database,
  refund: {
    reference: string;
    reason: "refund" | "chat_return" | "log_return" | "restored";
    upTo?: number;
    now: Instant;
    condition?: ReturnType<typeof sql>;
  },
): Statement[] {
  const returnReference = `${refund.reason}:${refund.reference}`;
  const limit = refund.upTo ?? Number.MAX_SAFE_INTEGER;
  const condition = refund.condition ?? sql`1`;
  const refundRows = sql`
    SELECT user_id, lot_id, min(taken, ${limit} - before) AS amount, ${returnReference} AS reference, before AS paid_before FROM (
      SELECT user_id, lot_id, -amount AS taken,
        sum(-amount) OVER (ORDER BY paid_before DESC ROWS UNBOUNDED PRECEDING) + amount AS before
      FROM token_entries WHERE reference = ${refund.reference} AND amount < 0)
    WHERE before < ${limit} AND (${condition})`;
  return giveBack(db, refundRows, refund);
}

/**
 * Gives the amounts of `refundRows` (`user_id, lot_id, amount, reference, paid_before`) back to the lots that paid,
 * each reference at most once (B-14): four statements. For an expired lot, a new lot of the same product gets the
 * amount (R-89). A debt has no lot.
 */
export function giveBack(
  db: Database,
  refundRows: SQL,
  { reason, now }: { reason: "refund" | "chat_return" | "log_return" | "restored"; now: Instant },
): Statement[] {
  // A payment that is restored gives its own period back, also when that is over.
  const isExpired = reason === "restored" ? sql`0` : sql`coalesce(l.expires_at <= ${now}, 0)`;
  const lotReference = sql`owed.reference || ':' || l.reference`;
  const fromRefundRows = sql`FROM (${refundRows}) owed LEFT JOIN token_lots l ON l.id = owed.lot_id`;
  const isDue = sql`NOT EXISTS (SELECT 1 FROM token_entries r WHERE r.reference = owed.reference)`;
  const entry = {
    userId: sql`owed.user_id`,
    lotId: sql`owed.lot_id`,
    createdAt: now,
    paidBefore: sql`owed.paid_before`,
  };
  return [
    raiseLots(
      db,
      sql`SELECT owed.lot_id, sum(owed.amount) AS amount ${fromRefundRows} WHERE ${isDue} AND NOT ${isExpired} GROUP BY owed.lot_id`,
    ),
    insertFrom(
      db,
      tokenLots,
      {
        userId: sql`owed.user_id`,
        kind: sql`l.kind`,
        scope: sql`l.scope`,
        granted: sql`owed.amount`,
        remaining: sql`owed.amount`,
        expiresAt: sql`${now} + ${REFUND_PERIOD}`,
        reference: lotReference,
        createdAt: now,
      },
      // Lots get tokens back in the reverse order of their paying; of lots that end at one instant the older one paid
      // first.
      sql`${fromRefundRows} WHERE ${isDue} AND ${isExpired} ORDER BY owed.user_id, l.expires_at DESC, l.id DESC`,
    ),
    insertFrom(
      db,
      tokenEntries,
      {
        ...entry,
        id: selectNextEntryIds(sql`owed.user_id`, sql`PARTITION BY owed.user_id`),
        amount: sql`owed.amount`,
        reason,
        reference: sql`owed.reference`,
      },
      sql`${fromRefundRows} WHERE ${isDue}`,
    ),
    // After the entries above, so that a repeat finds its lot moved already.
    insertFrom(
      db,
      tokenEntries,
      {
        ...entry,
        id: selectNextEntryIds(sql`owed.user_id`, sql`PARTITION BY owed.user_id`),
        amount: sql`-owed.amount`,
        reason: "moved",
        reference: sql`'moved:' || ${lotReference}`,
      },
      sql`${fromRefundRows} WHERE EXISTS (SELECT 1 FROM token_lots g WHERE g.reference = ${lotReference})
        AND NOT EXISTS (SELECT 1 FROM token_entries m WHERE m.reference = 'moved:' || ${lotReference})`,
    ),
  ];
}

/** Adds `amount` to each `lot_id` of `refundRows`. The entries follow in the same batch, so that it happens once. */
export const raiseLots = (db: Database, refundRows: SQL): Statement =>
  db
    .update(tokenLots)
    .set({ remaining: sql`remaining + owed.amount` })
    .from(sql`(${refundRows}) owed`)
    .where(sql`token_lots.id = owed.lot_id`);

/** Grants a lot to a user inserted in the same batch. */
export const grantLotByEmail = (
  db: Database,
  email: string,
  lot: Omit<SQLiteInsertValue<typeof tokenLots>, "remaining" | "userId">,
) =>
  db.insert(tokenLots).values({
    ...lot,
    remaining: lot.granted,
    userId: sql`(SELECT id FROM users WHERE lower(email) = lower(${email}))`,
  });

const isUnexpired = (userId: number, now: Instant) =>
  and(eq(tokenLots.userId, userId), or(isNull(tokenLots.expiresAt), gt(tokenLots.expiresAt, now)));

export const listLots = (db: Database, userId: number, now: Instant) =>
  db
    .select(lotColumns)
    .from(tokenLots)
    .where(isUnexpired(userId, now))
    .orderBy(asc(sql`coalesce(${tokenLots.expiresAt}, 9e15)`), asc(tokenLots.id));

/** Grants, newest first, whatever is left of them. */
export const listGrants = (db: Database, userId: number, limit: number) =>
  db
    .select(lotColumns)
    .from(tokenLots)
    .where(eq(tokenLots.userId, userId))
    .orderBy(desc(tokenLots.id))
    .limit(limit);

/** Newest first; `before` is the last id of the previous page. */
export const listEntries = (db: Database, userId: number, before: number, limit: number) =>
  db
    .select(entryColumns)
    .from(tokenEntries)
    .where(and(eq(tokenEntries.userId, userId), sql`${tokenEntries.id} < ${before}`))
    .orderBy(desc(tokenEntries.id))
    .limit(limit);
