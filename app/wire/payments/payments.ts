// The wire format of plans, subscriptions, cards and tokens (E-03, E-04).
import type { Plan, SubscriptionView } from "~/domain/payments/products";
import type { Instant } from "~/domain/time";
import { tokensOf } from "~/domain/tokens";
import { flagOut, instantOut } from "~/wire/values";

/** `price` in dollars. */
export const planOut = (plan: Plan) => ({
  id: plan.id,
  name: plan.name,
  title: plan.title,
  price: plan.cents / 100,
  tokens: tokensOf(plan.tokens),
  content: plan.content,
});

export const subscriptionOut = (subscription: SubscriptionView) => ({
  id: subscription.id,
  product: planOut(subscription.plan),
  next_product: subscription.nextPlan,
  start_date: instantOut(subscription.startDate),
  end_date: instantOut(subscription.endDate),
  period_end: instantOut(subscription.periodEnd),
  stripe_sub_status: subscription.status,
  is_subscribed: subscription.isSubscribed ? 1 : 0,
});

export const cardOut = (card: { id: string; brand: string; last4: string }) => ({
  id: card.id,
  card: { brand: card.brand, last4: card.last4 },
});

type Lot = {
  id: number;
  kind: string;
  granted: number;
  remaining: number;
  expiresAt: Instant | null;
  createdAt: Instant;
};
export const lotOut = (lot: Lot) => ({
  id: lot.id,
  kind: lot.kind,
  granted: tokensOf(lot.granted),
  remaining: tokensOf(lot.remaining),
  expires_at: instantOut(lot.expiresAt),
  created_at: instantOut(lot.createdAt),
});

type Entry = { id: number; lotId: number | null; amount: number; reason: string; createdAt: Instant };
export const entryOut = (entry: Entry) => ({
  id: entry.id,
  lot_id: entry.lotId,
  tokens: tokensOf(entry.amount),
  reason: entry.reason,
  created_at: instantOut(entry.createdAt),
});

type Purchase = { id: number; cents: number; tokens: number; toPool: boolean; createdAt: Instant };
export const purchaseOut = (purchase: Purchase) => ({
  id: purchase.id,
  usd: purchase.cents / 100,
  tokens: tokensOf(purchase.tokens),
  token_pool: flagOut(purchase.toPool),
  created_at: instantOut(purchase.createdAt),
});
