// Stripe. Every create carries an idempotency key; what Stripe says is read back, never assumed. Amounts in cents.
import Stripe from "stripe";
import { AppError, invalid } from "~/domain/errors";
import { CURRENCY, findPlan, PERIOD_DAYS, PLANS, type PlanName } from "~/domain/products";
import { type Instant, instant } from "~/domain/time";
import type {
  Card,
  IntentStatus,
  PaymentIntent,
  Payments,
  ProviderEvent,
  ProviderSubscription,
} from "~/use-cases/ports.server";
import type { Env } from "../env";

/** `fetchFn` is for tests against a stand-in; `STRIPE_API_BASE` points a running app at one. */
export function createStripePayments(env: Env, fetchFn?: typeof fetch): Payments {
  const base = env.STRIPE_API_BASE && env.LOCAL_RUN === "yes" ? new URL(env.STRIPE_API_BASE) : null;
  const stripe = new Stripe(env.STRIPE_SECRET_KEY ?? "", {
    httpClient: Stripe.createFetchHttpClient(fetchFn),
    maxNetworkRetries: 2,
    ...(base
      ? {
          host: base.hostname,
          port: Number(base.port) || (base.protocol === "https:" ? 443 : 80),
          protocol: base.protocol === "https:" ? ("https" as const) : ("http" as const),
        }
      : {}),
  });

  /** The price of a plan, found by its lookup key, made from the product table when Stripe has none. */
  async function priceOf(name: PlanName): Promise<string> {
    const plan = PLANS[name];
    const lookupKey = `bothy_${name}_${plan.cents}`;
    const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
    if (data[0]) return data[0].id;
    const product = await stripe.products.create(
      { name: plan.title, metadata: { plan: name } },
      { idempotencyKey: `product:${lookupKey}` },
    );
    const price = await stripe.prices.create(
      {
        product: product.id,
        currency: CURRENCY,
        unit_amount: plan.cents,
        recurring: { interval: "day", interval_count: PERIOD_DAYS },
        lookup_key: lookupKey,
        metadata: { plan: name },
      },
      { idempotencyKey: `price:${lookupKey}` },
    );
    return price.id;
  }

  const retrieve = (id: string) => stripe.subscriptions.retrieve(id, { expand: EXPAND });

  return {
    isPractice: false,
    publishableKey: env.STRIPE_PUBLISHABLE_KEY ?? "",
    async createCustomer(user) {
      const customer = await stripe.customers.create(
        { email: user.email, metadata: { user: String(user.id) } },
        { idempotencyKey: `customer:${user.id}` },
      );
      return customer.id;
    },
    async createPaymentIntent(order) {
      const intent = await stripe.paymentIntents.create(
        {
          amount: order.cents,
          currency: CURRENCY,
          customer: order.customer,
          automatic_payment_methods: { enabled: true, allow_redirects: "never" },
          metadata: { purpose: "tokens", to_pool: order.toPool ? "1" : "0" },
        },
        { idempotencyKey: `intent:${order.key}` },
      );
      return intentOf(intent);
    },
    async getPaymentIntent(id) {
      if (!/^pi_\w+$/.test(id)) return null;
      return orNull(async () => intentOf(await stripe.paymentIntents.retrieve(id)));
    },
    async attachMethod({ customer, method }) {
      return said("payment_method", async () => {
        const attached = await stripe.paymentMethods.attach(method, { customer });
        await stripe.customers.update(customer, {
          invoice_settings: { default_payment_method: attached.id },
        });
        return cardOf(attached);
      });
    },
    async listMethods(customer) {
      const { data } = await stripe.customers.listPaymentMethods(customer, { type: "card", limit: 20 });
      return data.map(cardOf);
    },
    async createSubscription(order) {
      return said("default_payment_method", async () => {
        const subscription = await stripe.subscriptions.create(
          {
            customer: order.customer,
            items: [{ price: await priceOf(order.product) }],
            payment_behavior: "default_incomplete",
            payment_settings: { save_default_payment_method: "on_subscription" },
            ...(order.method ? { default_payment_method: order.method } : {}),
            expand: EXPAND,
          },
          { idempotencyKey: `subscription:${order.key}` },
        );
        return subscriptionOf(subscription);
      });
    },
    getSubscription: (id) => orNull(async () => subscriptionOf(await retrieve(id))),
    async changeProduct(order) {
      return said("default_payment_method", async () => {
        const current = await retrieve(order.subscription);
        const item = current.items.data[0]?.id;
        if (!item) throw new AppError("CONFLICT");
        if (current.cancel_at_period_end)
          await stripe.subscriptions.update(current.id, { cancel_at_period_end: false });
        const items = [{ id: item, price: await priceOf(order.product) }];
        const now: Stripe.SubscriptionUpdateParams = {
          items,
          billing_cycle_anchor: { type: "now" },
          proration_behavior: "always_invoice",
          payment_behavior: "pending_if_incomplete",
          expand: EXPAND,
        };
        const atPeriodEnd: Stripe.SubscriptionUpdateParams = {
          items,
          proration_behavior: "none",
          expand: EXPAND,
        };
        const changed = await stripe.subscriptions.update(
          current.id,
          order.at === "now" ? now : atPeriodEnd,
          {
            idempotencyKey: `change:${order.key}`,
          },
        );
        return subscriptionOf(changed);
      });
    },
    async setCancelAtPeriodEnd(id, cancel) {
      return subscriptionOf(
        await stripe.subscriptions.update(id, { cancel_at_period_end: cancel, expand: EXPAND }),
      );
    },
    async endSubscription(id) {
      await orNull(() => stripe.subscriptions.cancel(id));
    },
    async readEvent(rawBody, signature) {
      try {
        const event = await stripe.webhooks.constructEventAsync(
          rawBody,
          signature,
          env.STRIPE_WEBHOOK_SECRET ?? "",
          undefined,
          Stripe.createSubtleCryptoProvider(),
        );
        return eventOf(event);
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
        throw error;
      }
    },
  };
}

const EXPAND = ["latest_invoice.confirmation_secret", "pending_setup_intent"];

/** Null for what Stripe does not know. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing")
      return null;
    throw error;
  }
}

/** A refused card is the card holder's to know, at the field it belongs to. */
async function said<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) throw invalid(field, error.message);
    throw error;
  }
}

const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null);

const intentOf = (intent: Stripe.PaymentIntent): PaymentIntent => ({
  id: intent.id,
  clientSecret: intent.client_secret ?? "",
  status: (intent.status === "requires_capture" ? "processing" : intent.status) as IntentStatus,
  // What was received, not what was asked for, once it is paid.
  cents: intent.status === "succeeded" ? intent.amount_received : intent.amount,
  currency: intent.currency,
  customer: idOf(intent.customer),
  toPool: intent.metadata.to_pool === "1",
  isPurchase: intent.metadata.purpose === "tokens",
});

const cardOf = (method: Stripe.PaymentMethod): Card => ({
  id: method.id,
  brand: method.card?.brand ?? "card",
  last4: method.card?.last4 ?? "",
});

const at = (epochSeconds: number): Instant => instant(epochSeconds * 1000);

function subscriptionOf(subscription: Stripe.Subscription): ProviderSubscription {
  const item = subscription.items.data[0];
  const plan = findPlan(item?.price.metadata?.plan ?? "");
  if (!item || !plan) throw new Error(`Subscription ${subscription.id} has no price of ours.`);
  const invoice = typeof subscription.latest_invoice === "string" ? null : subscription.latest_invoice;
  const setup =
    typeof subscription.pending_setup_intent === "string" ? null : subscription.pending_setup_intent;
  const isPeriodPaid = subscription.status === "active" && invoice?.status === "paid";
  const payment = isPeriodPaid ? null : (invoice?.confirmation_secret?.client_secret ?? null);
  return {
    id: subscription.id,
    customer: idOf(subscription.customer) ?? "",
    product: plan.name,
    status: subscription.status,
    periodStart: at(item.current_period_start),
    periodEnd: at(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    isPeriodPaid,
    clientSecret: payment ?? setup?.client_secret ?? null,
    secretType: payment ? "payment" : setup?.client_secret ? "setup" : null,
  };
}

function eventOf(event: Stripe.Event): ProviderEvent {
  const object = event.data.object as { object?: string; id?: string };
  const invoice = object.object === "invoice" ? (object as Stripe.Invoice) : null;
  return {
    id: event.id,
    type: event.type,
    subscription:
      object.object === "subscription"
        ? (object.id ?? null)
        : idOf(invoice?.parent?.subscription_details?.subscription),
    paymentIntent: object.object === "payment_intent" ? (object.id ?? null) : null,
  };
}
