// Buying tokens, the shared pool, and giving to it (B-04, B-15, B-19). A payment is credited once, after the provider
// has confirmed payer, amount and currency.
import { runBatch } from "#db/connect.server";
import * as payments from "#db/queries/payments/payments";
import { listReserves } from "#db/queries/payments/reserves";
import * as tokenQueries from "#db/queries/tokens";
import { formatDay } from "~/domain/days";
import { AppError, brokenConstraint, invalid, isAppError } from "~/domain/errors";
import { CURRENCY, TOKEN_PACK, tokensFor } from "~/domain/payments/products";
import * as paymentRefusals from "~/domain/payments/refusals";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import { DAY, type Instant, instant, MINUTE, SECOND } from "~/domain/time";
import { hundredthsOf, REDEEMED_TOKENS } from "~/domain/tokens";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { networkOf } from "~/use-cases/network.server";
import type { PaymentIntent } from "~/use-cases/ports.server";
import { type Attempt, countAttempts, countUse, giveBackAttempts } from "~/use-cases/rate-limits.server";
import { recordOverseen } from "~/use-cases/super-admin-acts.server";
import { logMoney } from "./money-log.server";
import { purchaseGrant, takeBack } from "./reversals.server";

/** A payment that nobody has reported is checked this long after its intent. */
const FIRST_CHECK_AFTER = 10 * MINUTE;
/** A payment that is older than this will not be completed. */
const LAST_CHECK_AFTER = 7 * DAY;
const REDEEM_EVERY = 30 * DAY;

/** The provider's customer of a user, created on first use. */
export async function customerOf(app: App, user: CurrentUser): Promise<string> {
  const [customer] = await payments.findCustomer(app.db, user.id);
  if (customer) return customer.providerId;
  // The provider returns one customer per user and key, so a repeat after a crash finds it.
  const providerId = await app.payments.createCustomer({ id: user.id, email: user.email });
  await payments.insertCustomer(app.db, { userId: user.id, providerId, createdAt: app.now });
  return providerId;
}

/** A payment intent for one pack, $10 for 10 tokens (C-19). */
export async function getPaymentIntent(
  app: App,
  input: { toPool: boolean },
): Promise<{ clientSecret: string; publishableKey: string; isPractice: boolean }> {
  const user = requireUser(app.user, paymentRefusals.signInToBuy);
  await countUse(app, "pay", user.id);
  const intent = await app.payments.createPaymentIntent({
    customer: await customerOf(app, user),
    cents: TOKEN_PACK.cents,
    toPool: input.toPool,
    key: app.newId(),
  });
  // If every report of the payment fails, cron finds the payment in this row.
  const lookAt = instant(app.now + FIRST_CHECK_AFTER);
  const openPayment = { paymentIntent: intent.id, userId: user.id, lookAt, createdAt: app.now };
  await payments.insertOpenPayment(app.db, openPayment);
  const { isPractice, publishableKey } = app.payments;
  return { clientSecret: intent.clientSecret, publishableKey, isPractice };
}

export type Purchase = { tokens: number; toPool: boolean };

/** Credits a paid intent of this user (C-20). A repeat gives the first answer. */
export async function purchaseTokens(
  app: App,
  input: { paymentIntent: string; toPool: boolean },
): Promise<Purchase> {
  const user = requireUser(app.user, paymentRefusals.signInToBuy);
  await countUse(app, "pay", user.id);
  const [[customer], [earlier]] = await app.db.batch([
    payments.findCustomer(app.db, user.id),
    payments.findPurchase(app.db, input.paymentIntent),
  ]);
  if (earlier) {
    if (earlier.userId !== user.id) throw new AppError("NOT_FOUND", paymentRefusals.noPayment);
    return inPlace({ tokens: earlier.tokens, toPool: earlier.toPool }, input);
  }
  const intent = await app.payments.getPaymentIntent(input.paymentIntent);
  if (!intent || !customer || intent.customer !== customer.providerId || !intent.isPurchase)
    throw new AppError("NOT_FOUND", paymentRefusals.noPayment);
  return inPlace(await credit(app, user.id, intent, input.toPool), input);
}

/** CONFLICT if the webhook came first and credited the payer, because the payment was not marked for the pool. */
function inPlace(purchase: Purchase, input: { toPool: boolean }): Purchase {
  if (input.toPool && !purchase.toPool) throw new AppError("CONFLICT", paymentRefusals.creditedToPayer);
  return purchase;
}

/** Credits a paid purchase once, and reverts refunds and disputes. */
export async function settlePurchase(app: App, intent: PaymentIntent | null): Promise<Purchase | null> {
  if (!intent?.isPurchase || intent.status !== "succeeded" || !intent.customer) return null;
  const [[customer], [earlier]] = await app.db.batch([
    payments.findCustomerUser(app.db, intent.customer),
    payments.findPurchase(app.db, intent.id),
  ]);
  if (earlier) await takeBack(app, intent, purchaseGrant(intent.id, earlier.toPool));
  if (!customer || earlier) return null;
  return credit(app, customer.userId, intent, intent.toPool);
}

/**
 * Credits payments that were made but never reported, because page, network and webhook all failed. Each is checked
 * after ten minutes, then at doubling intervals for a week.
 */
export async function creditPaidPurchases(
  app: App,
  limit = 50,
): Promise<{ asked: number; credited: number; failed: number }> {
  const openPayments = await payments.listOpenPayments(app.db, app.now, limit);
  const { done, failed } = await runEachRow(app, openPayments, {
    job: "credit-paid-purchases",
    nameOf: ({ paymentIntent }) => paymentIntent,
    async runRow({ paymentIntent, createdAt }) {
      const age = app.now - createdAt;
      const postponement = payments.updateLookAt(
        app.db,
        paymentIntent,
        instant(app.now + Math.max(age, FIRST_CHECK_AFTER)),
      );
      const intent = await app.payments.getPaymentIntent(paymentIntent);
      const isCredited = await settlePurchase(app, intent);
      const isSettled = intent?.status === "succeeded" || intent?.status === "canceled";
      await (isSettled || age > LAST_CHECK_AFTER
        ? payments.closePayment(app.db, paymentIntent)
        : postponement);
      return isCredited;
    },
    async whenFailed({ paymentIntent }, error) {
      logMoney("reconciliation-failed", { paymentIntent, error });
      // Others in the queue must not wait for this one.
      await payments
        .updateLookAt(app.db, paymentIntent, instant(app.now + FIRST_CHECK_AFTER))
        .catch((error) => logMoney("write-failed", { what: `look-again:${paymentIntent}`, error }));
    },
  });
  return {
    asked: openPayments.length,
    credited: done.filter(({ result }) => result).length,
    failed: failed.length,
  };
}

async function credit(app: App, userId: number, intent: PaymentIntent, toPool: boolean): Promise<Purchase> {
  if (intent.status !== "succeeded") throw new AppError("CONFLICT", paymentRefusals.unpaid);
  const tokens = tokensFor(intent.cents, intent.currency);
  if (tokens === 0) throw invalid("paymentIntent", paymentRefusals.otherPrice(CURRENCY));
  try {
    await app.db.batch([
      ...payments.creditPurchase(app.db, {
        userId,
        paymentIntent: intent.id,
        cents: intent.cents,
        tokens,
        toPool,
        createdAt: app.now,
      }),
      payments.closePayment(app.db, intent.id),
    ]);
  } catch (error) {
    // The page or the webhook was faster.
    if (brokenConstraint(error) !== "payment_credited_once") throw error;
    const [purchase] = await payments.findPurchase(app.db, intent.id);
    if (!purchase) throw error;
    await takeBack(app, intent, purchaseGrant(intent.id, purchase.toPool));
    return { tokens: purchase.tokens, toPool: purchase.toPool };
  }
  await takeBack(app, intent, purchaseGrant(intent.id, toPool));
  return { tokens, toPool };
}

/** A super admin's gift to the pool (C-21); `amount` in tokens. */
export async function addFreeTokens(
  app: App,
  input: { amount: number; key?: string | undefined },
): Promise<{ pool: number }> {
  const user = requireUser(app.user);
  allow(isSuperAdmin(user));
  const amount = hundredthsOf(input.amount);
  if (!(amount > 0 && amount <= 1e11)) throw invalid("amount", paymentRefusals.badAmount);
  const reference = `add-free:${input.key ?? app.newId()}`;
  const gift = { userId: user.id, amount, reason: "add_free" as const, reference, now: app.now };
  const act = recordOverseen(app, {
    action: "tokens-given",
    target: { kind: "site", id: 0 },
    isOwnRight: false,
    reason: `${input.amount} tokens`,
  });
  await runBatch(app.db, [...payments.fillPool(app.db, gift), ...act]).catch((error) => {
    // A gift with this key was given already.
    if (brokenConstraint(error) !== "pool_entry_written_once") throw error;
  });
  const [pool] = await payments.readPool(app.db);
  return { pool: pool?.remaining ?? 0 };
}

/** 500 tokens from the pool, once in 30 days (C-22, B-15). */
export async function redeemTokens(app: App): Promise<{ granted: number }> {
  const user = requireUser(app.user, paymentRefusals.signInToRedeem);
  await countUse(app, "redeem", user.id);
  const network: Attempt = { what: "redeem-network", by: networkOf(app) };
  await countRedemption(app, network);
  const granted = await redeem(app, user).catch(async (error) => {
    await giveBackAttempts(app, network);
    throw error;
  });
  if (granted !== null) return { granted };
  await giveBackAttempts(app, network);
  const [lastRedemption] = await payments.findLastRedemption(app.db, user.id);
  const next = instant((lastRedemption?.at ?? app.now) + REDEEM_EVERY);
  throw new AppError("CONFLICT", paymentRefusals.redeemedBefore(formattedDay(app, next)));
}

/** Redeems and returns the number of tokens, or returns null before this user's 30 days are over. */
async function redeem(app: App, user: CurrentUser): Promise<number | null> {
  const since = instant(app.now - REDEEM_EVERY);
  const reference = `redeem:${user.id}:${app.newId()}`;
  try {
    const results = await app.db.batch([
      ...payments.redeemPool(app.db, { userId: user.id, reference, since, now: app.now }),
    ]);
    return results[4][0] ? REDEEMED_TOKENS : null;
  } catch (error) {
    if (brokenConstraint(error) !== "pool_not_negative") throw error;
    const tomorrow = instant(app.now + DAY);
    throw new AppError("CONFLICT", paymentRefusals.poolTooSmall(formattedDay(app, tomorrow)));
  }
}

/** Ten a day from one network; the refusal contains the date of the next chance (M-14). */
async function countRedemption(app: App, network: Attempt): Promise<void> {
  try {
    await countAttempts(app, network);
  } catch (error) {
    if (!isAppError(error) || error.code !== "RATE_LIMITED") throw error;
    const next = instant(app.now + (error.retryAfter ?? 0) * SECOND);
    const sentence = paymentRefusals.networkRedeemed(formattedDay(app, next));
    throw new AppError("RATE_LIMITED", sentence, { retryAfter: error.retryAfter ?? 0 });
  }
}

/** The answer to a repeated redemption. */
export const readRedemption = async (): Promise<{ granted: number }> => ({ granted: REDEEMED_TOKENS });

const formattedDay = (app: App, at: Instant): string => formatDay(at, app.timeZone, app.locale);

/** /tokens: balance, pool, and whether the user may redeem now. */
export async function viewTokens(app: App) {
  if (!app.user) {
    const [pool] = await payments.readPool(app.db);
    return { tokens: null, pool: pool?.remaining ?? 0, nextRedeemAt: null };
  }
  const [[pool], [lastRedemption]] = await app.db.batch([
    payments.readPool(app.db),
    payments.findLastRedemption(app.db, app.user.id),
  ]);
  const next = lastRedemption ? lastRedemption.at + REDEEM_EVERY : 0;
  return {
    tokens: app.user.tokens,
    pool: pool?.remaining ?? 0,
    nextRedeemAt: next > app.now ? instant(next) : null,
  };
}

/** /account/tokens: lots, and entries newest first, a keyset page before `before`. */
export async function viewLedger(app: App, input: { before?: number | undefined }) {
  const user = requireUser(app.user);
  const pageSize = 30;
  const [lots, reserves, entries, purchases, granted] = await app.db.batch([
    tokenQueries.listLots(app.db, user.id, app.now),
    listReserves(app.db, user.id, app.now),
    tokenQueries.listEntries(app.db, user.id, input.before ?? Number.MAX_SAFE_INTEGER, pageSize + 1),
    payments.listPurchases(app.db, user.id),
    tokenQueries.listGrants(app.db, user.id, pageSize),
  ]);
  const listedEntries = entries.slice(0, pageSize);
  return {
    tokens: user.tokens,
    owed: user.owedTokens,
    lots,
    reserves,
    entries: listedEntries,
    olderBefore: entries.length > pageSize ? (listedEntries.at(-1)?.id ?? null) : null,
    purchases,
    granted: granted.map((lot) => ({
      ...lot,
      isExpired: lot.expiresAt !== null && lot.expiresAt <= app.now,
    })),
  };
}
