// The wire format of plans, subscriptions and cards (E-03, E-04).
import type { Plan, SubscriptionView } from "~/domain/payments/products";
import { tokensOf } from "~/domain/tokens";
import { instantOut } from "~/wire/values";

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
