// Statements on customers, cards, purchases, subscriptions and the shared pool; use cases run them.
import { and, asc, desc, eq, getTableColumns, inArray, lt, lte, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import type { Instant } from "~/domain/time";
import { REDEEMED_TOKENS } from "~/domain/tokens";

const {
  customers,
  paymentMethods,
  openPayments,
  purchases,
  subscriptions,
  tokenLots,
  tokenPool,
  poolEntries,
} = schema;

/** The columns of a purchase as its buyer reads them. */
const { userId: _, ...purchaseColumns } = getTableColumns(purchases);

export type SubscriptionRow = typeof subscriptions.$inferSelect;

export const findCustomer = (db: Database, userId: number) =>
  db.select().from(customers).where(eq(customers.userId, userId)).limit(1);
export const findCustomerUser = (db: Database, providerId: string) =>
  db
    .select({ userId: customers.userId })
    .from(customers)
    .where(eq(customers.providerId, providerId))
    .limit(1);
export const insertCustomer = (db: Database, row: typeof customers.$inferInsert) =>
  db.insert(customers).values(row).onConflictDoNothing();

export const listCards = (db: Database, userId: number) =>
  db
    .select()
    .from(paymentMethods)
    .where(eq(paymentMethods.userId, userId))
    .orderBy(desc(paymentMethods.createdAt))
    .limit(20);
export const insertCard = (db: Database, row: typeof paymentMethods.$inferInsert) =>
  db.insert(paymentMethods).values(row).onConflictDoNothing();

export const findPurchase = (db: Database, paymentIntent: string) =>
  db.select().from(purchases).where(eq(purchases.paymentIntent, paymentIntent)).limit(1);
export const listPurchases = (db: Database, userId: number) =>
  db
    .select(purchaseColumns)
    .from(purchases)
    .where(eq(purchases.userId, userId))
    .orderBy(desc(purchases.createdAt))
    .limit(50);

/** Stores a payment under way; cron asks the provider about it from `lookAt` on. */
export const insertOpenPayment = (db: Database, row: typeof openPayments.$inferInsert) =>
  db.insert(openPayments).values(row).onConflictDoNothing();
export const listOpenPayments = (db: Database, now: Instant, limit: number) =>
  db
    .select()
    .from(openPayments)
    .where(lte(openPayments.lookAt, now))
    .orderBy(asc(openPayments.lookAt))
    .limit(limit);
export const updateLookAt = (db: Database, paymentIntent: string, lookAt: Instant) =>
  db.update(openPayments).set({ lookAt }).where(eq(openPayments.paymentIntent, paymentIntent));
export const closePayment = (db: Database, paymentIntent: string) =>
  db.delete(openPayments).where(eq(openPayments.paymentIntent, paymentIntent));

/**
 * Records a purchase and grants its lot: statements for one batch. A payment credits once (`payment_credited_once`).
 */
export function creditPurchase(db: Database, row: Omit<typeof purchases.$inferInsert, "id">) {
  const record = db.insert(purchases).values(row);
  const reference = `purchase:${row.paymentIntent}`;
  if (row.toPool) {
    return [
      record,
      ...fillPool(db, {
        userId: row.userId,
        amount: row.tokens,
        reason: "purchase",
        reference,
        now: row.createdAt,
      }),
    ] as const;
  }
  const lot = db.insert(tokenLots).values({
    userId: row.userId,
    kind: "purchased",
    granted: row.tokens,
    remaining: row.tokens,
    reference,
    createdAt: row.createdAt,
  });
  return [record, lot] as const;
}

/** Adds to the shared pool, once per reference. */
export const fillPool = (
  db: Database,
  entry: { userId: number; amount: number; reason: "purchase" | "add_free"; reference: string; now: Instant },
) =>
  [
    db.insert(poolEntries).values({
      userId: entry.userId,
      amount: entry.amount,
      reason: entry.reason,
      reference: entry.reference,
      createdAt: entry.now,
    }),
    db
      .insert(tokenPool)
      .values({ id: 1, remaining: entry.amount })
      .onConflictDoUpdate({
        target: tokenPool.id,
        set: { remaining: sql`${tokenPool.remaining} + ${entry.amount}` },
      }),
  ] as const;

/**
 * Takes 500 tokens from the pool unless the user did so since `since`: statements for one batch. An empty pool breaks
 * `pool_not_negative`, which undoes the batch. The last statement returns the lot, or no row on a second attempt.
 */
export function redeemPool(
  db: Database,
  redemption: { userId: number; reference: string; since: Instant; now: Instant },
) {
  const { userId, reference, since, now } = redemption;
  const isRedeemed = sql`EXISTS (SELECT 1 FROM pool_entries WHERE reference = ${reference})`;
  return [
    // Before its first filling, the pool has no row.
    db.insert(tokenPool).values({ id: 1, remaining: 0 }).onConflictDoNothing(),
    insertFrom(
      db,
      poolEntries,
      { userId, amount: -REDEEMED_TOKENS, reason: "redeem", reference, createdAt: now },
      sql`WHERE NOT EXISTS (SELECT 1 FROM pool_entries WHERE user_id = ${userId} AND reason = 'redeem' AND created_at > ${since})`,
    ),
    db
      .update(tokenPool)
      .set({ remaining: sql`remaining - ${REDEEMED_TOKENS}` })
      .where(and(eq(tokenPool.id, 1), isRedeemed)),
    db
      .update(schema.users)
      .set({ poolRedeemedAt: now })
      .where(and(eq(schema.users.id, userId), isRedeemed)),
    insertFrom(
      db,
      tokenLots,
      {
        userId,
        kind: "pool",
        granted: REDEEMED_TOKENS,
        remaining: REDEEMED_TOKENS,
        reference,
        createdAt: now,
      },
      sql`WHERE ${isRedeemed}`,
    ).returning({ id: tokenLots.id }),
  ] as const;
}

export const readPool = (db: Database) => db.select().from(tokenPool).where(eq(tokenPool.id, 1)).limit(1);
export const findLastRedemption = (db: Database, userId: number) =>
  db
    .select({ at: poolEntries.createdAt })
    .from(poolEntries)
    .where(and(eq(poolEntries.userId, userId), eq(poolEntries.reason, "redeem")))
    .orderBy(desc(poolEntries.createdAt))
    .limit(1);

/** The subscription that may still grant tokens, otherwise the latest: the provider may report an older one last. */
export const findSubscription = (db: Database, userId: number) =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(sql`stripe_sub_status IN ('canceled', 'incomplete_expired')`, desc(subscriptions.id))
    .limit(1);
export const findSubscriptionByProvider = (db: Database, providerId: string) =>
  db.select().from(subscriptions).where(eq(subscriptions.providerId, providerId)).limit(1);
export const insertSubscription = (db: Database, row: Omit<typeof subscriptions.$inferInsert, "id">) =>
  db.insert(subscriptions).values(row).onConflictDoNothing({ target: subscriptions.providerId });
export const updateSubscription = (db: Database, providerId: string, set: Partial<SubscriptionRow>) =>
  db.update(subscriptions).set(set).where(eq(subscriptions.providerId, providerId));

/** Subscriptions whose period has passed and that may renew, or that must end after 30 unpaid days (B-18). */
export const listDueSubscriptions = (db: Database, now: Instant, limit: number) =>
  db
    .select()
    .from(subscriptions)
    .where(
      and(
        lt(subscriptions.periodEnd, now),
        inArray(subscriptions.stripeSubStatus, ["active", "past_due", "unpaid", "trialing"]),
      ),
    )
    // Least recently checked first, so that subscriptions without news delay no other.
    .orderBy(asc(subscriptions.updatedAt))
    .limit(limit);

/** Grants a period's lot, once (B-18). */
export const grantPeriod = (
  db: Database,
  period: {
    userId: number;
    reference: string;
    tokens: number;
    scope: "all" | "goals";
    expiresAt: Instant;
    now: Instant;
  },
) =>
  db
    .insert(tokenLots)
    .values({
      userId: period.userId,
      kind: "subscription",
      scope: period.scope,
      granted: period.tokens,
      remaining: period.tokens,
      expiresAt: period.expiresAt,
      reference: period.reference,
      createdAt: period.now,
    })
    .onConflictDoNothing();

/** On an upgrade, the remaining Basic lots may pay for everything. */
export const widenLots = (db: Database, userId: number) =>
  db
    .update(tokenLots)
    .set({ scope: "all" })
    .where(and(eq(tokenLots.userId, userId), eq(tokenLots.scope, "goals")));
