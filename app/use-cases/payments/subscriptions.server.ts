// Subscriptions to plans: subscribe, upgrade, cancel, resume, renew (B-16 to B-18, R-09, R-10). Each event makes the app
// read the provider's current state, which `settle` writes, so events may repeat and arrive in any order.
import { runBatch, type Statement } from "#db/connect.server";
import type { SubscriptionRow } from "#db/queries/payments/payments";
import * as payments from "#db/queries/payments/payments";
import { AppError } from "~/domain/errors";
import {
  findPlan,
  isOpenStatus,
  isPaid,
  isSubscribed,
  PLANS,
  type PlanName,
  type SubscriptionView,
  unpaidLimit,
} from "~/domain/payments/products";
import * as paymentRefusals from "~/domain/payments/refusals";
import { requireUser } from "~/domain/permissions";
import type { Instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { runEachRow } from "~/use-cases/each-row.server";
import { withLock } from "~/use-cases/idempotency.server";
import type { Card, Confirmed, PracticeConfirmation, ProviderSubscription } from "~/use-cases/ports.server";
import { countUse } from "~/use-cases/rate-limits.server";
import { logMoney } from "./money-log.server";
import { customerOf } from "./purchases.server";
import { periodReference } from "./reversals.server";

/** The provider has begun a later period than the last paid one. */
const isNewPeriod = (remote: ProviderSubscription, local: SubscriptionRow | null): boolean =>
  local?.periodStart == null || remote.periodStart > local.periodStart;

/** Writes the provider's state of a subscription: status, period, and one token lot for each paid period. */
async function settle(
  app: App,
  userId: number,
  remote: ProviderSubscription,
  local: SubscriptionRow | null,
): Promise<SubscriptionRow> {
  const hasNewPeriod = isNewPeriod(remote, local);
  // A downgrade within a period applies from the next one; an unpaid change does not apply yet.
  const keepsPlan =
    local !== null &&
    (!remote.isPeriodPaid || (!hasNewPeriod && PLANS[remote.product].rank < PLANS[local.product].rank));
  const isOver = !isOpenStatus(remote.status);
  const columns = {
    product: keepsPlan ? local.product : remote.product,
    // An unpaid upgrade does not count. An unpaid period after a downgrade already has the lower plan.
    nextProduct:
      keepsPlan && remote.product !== local.product && (remote.isPeriodPaid || hasNewPeriod)
        ? remote.product
        : null,
    stripeSubStatus: remote.status,
    endDate: isOver || remote.cancelAtPeriodEnd ? (local?.endDate ?? app.now) : null,
    // An unpaid period does not count yet.
    periodStart: remote.isPeriodPaid ? remote.periodStart : (local?.periodStart ?? null),
    periodEnd: remote.isPeriodPaid ? remote.periodEnd : (local?.periodEnd ?? null),
    updatedAt: app.now,
  };
  const statements: Statement[] = [
    payments.insertSubscription(app.db, {
      ...columns,
      userId,
      providerId: remote.id,
      startDate: app.now,
      createdAt: app.now,
    }),
    payments.updateSubscription(app.db, remote.id, columns),
  ];
  if (remote.isPeriodPaid) {
    const plan = PLANS[columns.product];
    statements.push(
      payments.grantPeriod(app.db, {
        userId,
        reference: periodReference(remote.id, remote.periodStart),
        tokens: plan.tokens,
        scope: plan.scope,
        expiresAt: remote.periodEnd,
        now: app.now,
      }),
    );
    if (plan.scope === "all") statements.push(payments.widenLots(app.db, userId));
  }
  statements.push(payments.findSubscriptionByProvider(app.db, remote.id));
  const [row] = (await runBatch(app.db, statements)).at(-1) as SubscriptionRow[];
  if (!row) throw new Error(`Subscription ${remote.id} was not written.`);
  return row;
}

/** A paid upgrade reverts a cancellation (B-17, R-09); a refused or pending one does not. */
async function resumeUpgraded(
  app: App,
  remote: ProviderSubscription,
  local: SubscriptionRow | null,
): Promise<ProviderSubscription> {
  const isPaidUpgrade =
    local !== null && remote.isPeriodPaid && PLANS[remote.product].rank > PLANS[local.product].rank;
  return isPaidUpgrade && remote.cancelAtPeriodEnd
    ? app.payments.setCancelAtPeriodEnd(remote.id, false)
    : remote;
}

/**
 * Ends a plan that is over while its period is unpaid, because the provider would still charge it: after a cancellation
 * (B-17), after a payment that was given up, and 30 days after the paid time (B-18).
 */
async function endUnpaid(
  app: App,
  remote: ProviderSubscription,
  local: SubscriptionRow | null,
): Promise<ProviderSubscription> {
  const isUnpaid = isOpenStatus(remote.status) && !remote.isPeriodPaid && isNewPeriod(remote, local);
  // The provider says that the payment was refused. Our own row may be old.
  const isLate = remote.status === "past_due" || remote.status === "unpaid";
  const isTooLate = isLate && local?.periodEnd != null && local.periodEnd <= unpaidLimit(app.now);
  // Without a known period, the payment may be that of an upgrade, which leaves the plan as it was.
  const isGivenUp = local?.periodStart != null && remote.isGivenUp;
  if (!isUnpaid || !(remote.cancelAtPeriodEnd || isGivenUp || isTooLate)) return remote;
  await app.payments.endSubscription(remote.id, { onlyUnpaid: true });
  return (await app.payments.getSubscription(remote.id)) ?? remote;
}

/** Reads a subscription from the provider and writes it (webhook, cron, waiting pages). */
export async function syncSubscription(app: App, providerId: string): Promise<SubscriptionRow | null> {
  const remote = await app.payments.getSubscription(providerId);
  const [local] = await payments.findSubscriptionByProvider(app.db, providerId);
  if (!remote) return local ?? null;
  const [customer] = local
    ? [{ userId: local.userId }]
    : await payments.findCustomerUser(app.db, remote.customer);
  if (!customer) return null;
  const resumed = await resumeUpgraded(app, remote, local ?? null);
  return settle(app, customer.userId, await endUnpaid(app, resumed, local ?? null), local ?? null);
}

/** The user's subscription, refreshed if something is pending or due. */
async function currentSubscription(app: App, userId: number): Promise<SubscriptionRow | null> {
  const [row] = await payments.findSubscription(app.db, userId);
  return refreshIfDue(app, row);
}

async function refreshIfDue(app: App, row: SubscriptionRow | undefined): Promise<SubscriptionRow | null> {
  if (!row) return null;
  const isPending = row.stripeSubStatus === "incomplete" || row.stripeSubStatus === "past_due";
  const isDue = isOpenStatus(row.stripeSubStatus) && row.periodEnd !== null && row.periodEnd <= app.now;
  return isPending || isDue ? syncSubscription(app, row.providerId) : row;
}

export const subscriptionView = (row: SubscriptionRow, now: Instant): SubscriptionView => ({
  id: row.id,
  plan: PLANS[row.product],
  nextPlan: row.nextProduct,
  status: row.stripeSubStatus,
  startDate: row.startDate,
  endDate: row.endDate,
  periodEnd: row.periodEnd,
  isSubscribed: isSubscribed(row, now),
  isPaid: isPaid(row, now),
});

/** The data of /subscribe, /pricing and /account: plans, the viewer's subscription, saved cards. */
export async function viewSubscribe(app: App) {
  const plans = Object.values(PLANS);
  const { isPractice, publishableKey } = app.payments;
  if (!app.user) return { plans, subscription: null, cards: [] as Card[], isPractice, publishableKey };
  const [[subscription], cards] = await app.db.batch([
    payments.findSubscription(app.db, app.user.id),
    payments.listCards(app.db, app.user.id),
  ]);
  const row = await refreshIfDue(app, subscription);
  return {
    plans,
    subscription: row && subscriptionView(row, app.now),
    cards: cards.map(({ id, brand, last4 }) => ({ id, brand, last4 })),
    isPractice,
    publishableKey,
  };
}

export type Subscribed = {
  type: "payment" | "setup" | null;
  clientSecret: string | null;
  subscription: SubscriptionView;
};

/** Subscribe, upgrade, downgrade at the period's end, or revert a cancellation (C-26, R-09, B-17). */
export async function createSubscription(
  app: App,
  input: { product: string; method: string | null; key?: string | undefined },
): Promise<Subscribed> {
  const user = requireUser(app.user, paymentRefusals.signInToSubscribe);
  const plan = findPlan(input.product);
  if (!plan) throw new AppError("NOT_FOUND", paymentRefusals.noPlan);
  await countUse(app, "pay", user.id);
  const customer = await customerOf(app, user);
  if (input.method) await requireOwnCard(app, customer, input.method);
  const { method, key = app.newId() } = input;
  // Two simultaneous tabs would create two subscriptions and two payments at the provider.
  return withLock(app, user.id, "subscribe", async () => {
    const local = await currentSubscription(app, user.id);
    const requested = await requestPlan(app, { plan: plan.name, customer, method, key, local });
    const sameLocal = local && local.providerId === requested.id ? local : null;
    const remote = await resumeUpgraded(app, requested, sameLocal);
    const row = await settle(app, user.id, remote, sameLocal);
    return {
      type: remote.secretType,
      clientSecret: remote.clientSecret,
      subscription: subscriptionView(row, app.now),
    };
  });
}

/**
 * The answer to a repeated request to subscribe: the subscription, with the provider's secret while the payment needs it.
 * Subscribes if the first run ended before that.
 */
export async function readSubscribed(
  app: App,
  input: Parameters<typeof createSubscription>[1],
): Promise<Subscribed> {
  const local = await currentSubscription(app, requireUser(app.user, paymentRefusals.signInToSubscribe).id);
  const isDone =
    local !== null &&
    // The first run would have replaced a lapsed subscription.
    (local.stripeSubStatus === "incomplete" || isRunning(local, app.now)) &&
    local.endDate === null &&
    (local.nextProduct ?? local.product) === findPlan(input.product)?.name;
  const remote = isDone ? await app.payments.getSubscription(local.providerId) : null;
  if (!isDone || !remote) return createSubscription(app, input);
  return {
    type: remote.secretType,
    clientSecret: remote.clientSecret,
    subscription: subscriptionView(local, app.now),
  };
}

const isRunning = (row: SubscriptionRow, now: Instant): boolean =>
  isOpenStatus(row.stripeSubStatus) && isSubscribed(row, now);

/** Asks the provider for the plan: a new subscription, a change of its product, or the end of a cancellation. */
async function requestPlan(
  app: App,
  request: {
    plan: PlanName;
    customer: string;
    method: string | null;
    key: string;
    local: SubscriptionRow | null;
  },
): Promise<ProviderSubscription> {
  const { local, plan, key, customer, method } = request;
  const isOther = local !== null && plan !== (local.nextProduct ?? local.product);
  // After a refused renewal another plan replaces the unpaid one.
  const isReplaced = isOther && local.stripeSubStatus === "past_due" && !isPaid(local, app.now);
  if (!local || !isRunning(local, app.now) || isReplaced) {
    if (local && isOpenStatus(local.stripeSubStatus)) {
      // A repeat under the key of the unfinished payment pays for it, whether or not its first answer arrived.
      const remote = await app.payments.getSubscription(local.providerId);
      if (remote?.status === "incomplete" && remote.orderKey === key) return remote;
      // Paid since it was read, in another tab: the page reads it again.
      if (remote?.isPeriodPaid) throw new AppError("CONFLICT", paymentRefusals.subscribed);
      // A new attempt replaces an unfinished payment.
      await app.payments.endSubscription(local.providerId, { onlyUnpaid: true });
      await syncSubscription(app, local.providerId);
    }
    return app.payments.createSubscription({ customer, product: plan, method, key });
  }
  if (!isPaid(local, app.now)) {
    if (isOther) throw new AppError("CONFLICT", paymentRefusals.renewing);
    return readRenewal(app, local);
  }
  if (!isOther) {
    if (local.endDate === null) throw new AppError("CONFLICT", paymentRefusals.subscribed);
    return app.payments.setCancelAtPeriodEnd(local.providerId, false);
  }
  const isUp = PLANS[plan].rank > PLANS[local.product].rank;
  // Another card is left out: it would also have to pay the renewals of the present plan if the change stays unpaid.
  return app.payments.changeProduct({
    subscription: local.providerId,
    product: plan,
    at: isUp ? "now" : "period-end",
    key,
  });
}

/** The open payment of a renewal that was refused, which another card may make. It never begins a second one (B-18). */
async function readRenewal(app: App, local: SubscriptionRow): Promise<ProviderSubscription> {
  const isFailed = local.stripeSubStatus === "past_due";
  const remote = isFailed ? await app.payments.getSubscription(local.providerId) : null;
  if (!remote?.clientSecret || remote.isPeriodPaid)
    throw new AppError("CONFLICT", paymentRefusals.subscribed);
  return remote;
}

async function requireOwnCard(app: App, customer: string, method: string): Promise<void> {
  const cards = await app.payments.listMethods(customer);
  if (!cards.some((card) => card.id === method)) throw new AppError("NOT_FOUND", paymentRefusals.noCard);
}

/** Stops the renewal at the provider; the paid period stays usable (B-17). */
async function stopRenewal(app: App, local: SubscriptionRow): Promise<SubscriptionRow> {
  // Stripe lets nobody change a subscription whose first payment is not made.
  if (local.stripeSubStatus === "incomplete") {
    await app.payments.endSubscription(local.providerId, { onlyUnpaid: true });
    return (await syncSubscription(app, local.providerId)) ?? local;
  }
  const remote = await app.payments.setCancelAtPeriodEnd(local.providerId, true);
  return settle(app, local.userId, await endUnpaid(app, remote, local), local);
}

/** Cancels the viewer's plan (C-27, B-17). A repeat answers the cancelled plan. */
export async function cancelSubscription(
  app: App,
  input: { id?: number | undefined },
): Promise<SubscriptionView> {
  const user = requireUser(app.user);
  // Two simultaneous tabs would end a plan here and pay for it there. Repeats share the key, so that they wait.
  return withLock({ ...app, requestKey: "cancel" }, user.id, "subscribe", async () => {
    const local = await currentSubscription(app, user.id);
    if (!local || (input.id !== undefined && input.id !== local.id))
      throw new AppError("NOT_FOUND", paymentRefusals.noSubscription);
    const row = isOpenStatus(local.stripeSubStatus) ? await stopRenewal(app, local) : local;
    return subscriptionView(row, app.now);
  });
}

/** Saves a card that the provider knows (C-28). */
export async function addPaymentMethod(app: App, input: { method: string }): Promise<Card> {
  const user = requireUser(app.user);
  await countUse(app, "pay", user.id);
  const card = await app.payments.attachMethod({
    customer: await customerOf(app, user),
    method: input.method,
  });
  const [, [subscription]] = await app.db.batch([
    payments.insertCard(app.db, { ...card, userId: user.id, createdAt: app.now }),
    payments.findSubscription(app.db, user.id),
  ]);
  // The card may have just paid for a change of the plan, whose subscription was active all the while. If this fails, an
  // event of the provider makes the app read it.
  if (subscription && isOpenStatus(subscription.stripeSubStatus))
    await syncSubscription(app, subscription.providerId).catch((error) =>
      logMoney("write-failed", { what: `subscription:${subscription.id}`, error }),
    );
  return card;
}

/**
 * The practice provider's card form; `save` stores the card. NOT_FOUND with real keys. A decline is INVALID with
 * the provider's sentence.
 */
export async function confirmPractice(app: App, input: PracticeConfirmation): Promise<Confirmed> {
  const { confirm } = app.payments;
  if (!confirm) throw new AppError("NOT_FOUND");
  const user = requireUser(app.user);
  const confirmed = await confirm(await customerOf(app, user), input);
  if (input.save && confirmed.status === "succeeded")
    await addPaymentMethod(app, { method: confirmed.method });
  return confirmed;
}

/** Reads every subscription whose period has passed from the provider again (B-18). Limited per run. */
export async function renewSubscriptions(
  app: App,
  limit = 50,
): Promise<{ asked: number; renewed: number; failed: number }> {
  const dueSubscriptions = await payments.listDueSubscriptions(app.db, app.now, limit);
  const { done, failed } = await runEachRow(app, dueSubscriptions, {
    job: "renew-subscriptions",
    nameOf: ({ id }) => id,
    async runRow(row) {
      const synced = await syncSubscription(app, row.providerId);
      // The provider does not know the subscription. A later `updatedAt` lets others come first in the next run.
      if (synced?.updatedAt === row.updatedAt)
        await payments.updateSubscription(app.db, row.providerId, { updatedAt: app.now });
      return synced?.periodEnd != null && row.periodEnd !== null && synced.periodEnd > row.periodEnd;
    },
    async whenFailed(row, error) {
      logMoney("renewal-failed", { subscription: row.id, error });
      await payments
        .updateSubscription(app.db, row.providerId, { updatedAt: app.now })
        .catch((error) => logMoney("write-failed", { what: `renewal:${row.id}`, error }));
    },
  });
  return {
    asked: dueSubscriptions.length,
    renewed: done.filter(({ result }) => result).length,
    failed: failed.length,
  };
}

/** Stops the renewal of an account that is suspended or about to be deleted. Idempotent. */
export async function stopRenewalOf(app: App, userId: number): Promise<void> {
  const local = await currentSubscription(app, userId);
  if (local && isOpenStatus(local.stripeSubStatus)) await stopRenewal(app, local);
}

/** Ends the subscription of a deleted account at the provider. */
export async function endSubscriptionsOf(app: App, userId: number): Promise<void> {
  const [row] = await payments.findSubscription(app.db, userId);
  if (row && isOpenStatus(row.stripeSubStatus)) await app.payments.endSubscription(row.providerId);
}
