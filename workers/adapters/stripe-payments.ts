// The Stripe adapter. Amounts are in cents, and every creation has an idempotency key.
import Stripe from "stripe";
import { AppError, invalid } from "~/domain/errors";
import { CURRENCY, findPlan, PERIOD_DAYS, PLANS, type PlanName } from "~/domain/payments/products";
import { beingPaid } from "~/domain/payments/refusals";
import { type Instant, instant } from "~/domain/time";
import { logMoney } from "~/use-cases/payments/money-log.server";
import type {
  Card,
  IntentStatus,
  PaymentIntent,
  Payments,
  ProviderEvent,
  ProviderSubscription,
  Reversal,
} from "~/use-cases/ports.server";
import type { Env } from "../env";

/** For a request. A call with its retry ends within 20 seconds. */
const TIMEOUT_MS = 8_000;
const HOST = "api.stripe.com";
const UNREACHABLE =
  "Our payment provider does not answer right now. Please try again in a moment: nothing is charged twice.";
const NO_SUCH_CARD = "We do not know this card.";
const UNUSABLE_CARD = "This card cannot be used. Please choose another.";

/** Sends requests to one host, over https unless it is a local stand-in, and follows no redirect to another host. */
export const fetchFrom =
  (base: URL | null, fetchFn: typeof fetch = fetch): typeof fetch =>
  (input, init) => {
    const { host, protocol } = new URL(input instanceof Request ? input.url : input);
    const isAllowedHost = base ? host === base.host : host === HOST && protocol === "https:";
    if (!isAllowedHost) throw new Error(`No request may go to ${protocol}//${host}.`);
    return fetchFn(input, { ...init, redirect: "manual" });
  };

/** `fetchFn` and `timeout` are for tests; `STRIPE_API_BASE` connects a running app to a stand-in. */
export function createStripePayments(env: Env, fetchFn?: typeof fetch, timeout = TIMEOUT_MS): Payments {
  const base = env.STRIPE_API_BASE && env.LOCAL_RUN === "yes" ? new URL(env.STRIPE_API_BASE) : null;
  const stripe = new Stripe(env.STRIPE_SECRET_KEY ?? "", {
    httpClient: Stripe.createFetchHttpClient(fetchFrom(base, fetchFn)),
    maxNetworkRetries: 1,
    timeout,
    ...(base
      ? {
          host: base.hostname,
          port: Number(base.port) || (base.protocol === "https:" ? 443 : 80),
          protocol: base.protocol === "https:" ? ("https" as const) : ("http" as const),
        }
      : {}),
  });

  /** The price of a plan by its lookup key, created from the product table when Stripe has none. */
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

  const retrieve = (id: string) => stripe.subscriptions.retrieve(id, { expand: EXPANDED_FIELDS });

  /**
   * Makes an unpaid invoice impossible to charge: a draft is charged within the hour, and an open card form may pay any
   * other. Returns its status afterwards. CONFLICT while a payment of it is under way.
   */
  async function closeInvoice({ id, status }: Stripe.Invoice): Promise<Stripe.Invoice.Status | null> {
    if (!id) return status;
    try {
      // Stripe neither voids a draft nor deletes the draft of a subscription.
      const now = status === "draft" ? await stripe.invoices.update(id, { auto_advance: false }) : { status };
      const isUnpaid = now.status === "open" || now.status === "uncollectible";
      return isUnpaid ? (await stripe.invoices.voidInvoice(id)).status : now.status;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      // A card form has paid it meanwhile, or another request has closed it.
      const latest = await stripe.invoices.retrieve(id);
      if (latest.status !== "paid" && latest.status !== "void") throw new AppError("CONFLICT", beingPaid);
      return latest.status;
    }
  }

  /** Refunds and disputes of a charge. An inquiry moves no money and is left out. */
  async function reversalsOf(charge: Stripe.Charge): Promise<Reversal[]> {
    const refunds = charge.refunds?.has_more
      ? (await stripe.refunds.list({ charge: charge.id, limit: 100 })).data
      : (charge.refunds?.data ?? []);
    const disputes = charge.disputed
      ? (await stripe.disputes.list({ charge: charge.id, limit: 100 })).data
      : [];
    return [
      ...refunds.map(({ id, amount, status }) => ({
        id,
        cents: amount,
        isUndone: status === "failed" || status === "canceled",
      })),
      ...disputes
        .filter(({ status }) => !status.startsWith("warning_") && status !== "prevented")
        .map(({ id, amount, status }) => ({ id, cents: amount, isUndone: status === "won" })),
    ];
  }

  /** The subscription period that an intent paid for; null when it paid no subscription invoice. */
  async function periodOf(intent: string): Promise<PaymentIntent["period"]> {
    const { data } = await stripe.invoicePayments.list({
      payment: { type: "payment_intent", payment_intent: intent },
      expand: ["data.invoice"],
      limit: 1,
    });
    const invoice = data[0]?.invoice;
    if (!invoice || typeof invoice === "string" || invoice.deleted) return null;
    const subscription = idOf(invoice.parent?.subscription_details?.subscription);
    // A plan change also credits the rest of the old period; the new period is the line that is not a proration.
    const line = invoice.lines.data.find(
      ({ parent }) => parent?.subscription_item_details && !parent.subscription_item_details.proration,
    );
    return subscription && line ? { subscription, start: instantOfSeconds(line.period.start) } : null;
  }

  return {
    isPractice: false,
    publishableKey: env.STRIPE_PUBLISHABLE_KEY ?? "",
    confirm: null,
    async createCustomer(user) {
      // The email may change between two attempts, and Stripe refuses a key with other parameters.
      const key = `customer:${user.id}:${await digestOf(user.email)}`;
      return callStripe("createCustomer", async () => {
        const customer = await stripe.customers.create(
          { email: user.email, metadata: { user: String(user.id) } },
          { idempotencyKey: key },
        );
        return customer.id;
      });
    },
    async createPaymentIntent(order) {
      return callStripe("createPaymentIntent", async () => {
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
      });
    },
    async getPaymentIntent(id) {
      if (!/^pi_\w+$/.test(id)) return null;
      return callOrNull("getPaymentIntent", async () => {
        const intent = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge.refunds"] });
        const paymentIntent = intentOf(intent);
        const charge = typeof intent.latest_charge === "string" ? null : intent.latest_charge;
        if (paymentIntent.status !== "succeeded" || !charge) return paymentIntent;
        const reversals = await reversalsOf(charge);
        const period = reversals.length > 0 && !paymentIntent.isPurchase ? await periodOf(id) : null;
        return { ...paymentIntent, reversals, period };
      });
    },
    async attachMethod({ customer, method }) {
      if (!/^pm_\w+$/.test(method)) throw new AppError("NOT_FOUND", NO_SUCH_CARD);
      const card = await callOrNull(
        "attachMethod",
        async () => {
          const attached = await stripe.paymentMethods.attach(method, { customer });
          await stripe.customers.update(customer, {
            invoice_settings: { default_payment_method: attached.id },
          });
          return cardOf(attached);
        },
        "payment_method",
      );
      if (!card) throw new AppError("NOT_FOUND", NO_SUCH_CARD);
      return card;
    },
    async listMethods(customer) {
      return callStripe("listMethods", async () => {
        const { data } = await stripe.customers.listPaymentMethods(customer, { type: "card", limit: 20 });
        return data.map(cardOf);
      });
    },
    async createSubscription(order) {
      return callStripe(
        "createSubscription",
        async () =>
          requireOurs(
            await stripe.subscriptions.create(
              {
                customer: order.customer,
                items: [{ price: await priceOf(order.product) }],
                payment_behavior: "default_incomplete",
                payment_settings: { save_default_payment_method: "on_subscription" },
                metadata: { order: order.key },
                ...(order.method ? { default_payment_method: order.method } : {}),
                expand: EXPANDED_FIELDS,
              },
              { idempotencyKey: `subscription:${order.key}` },
            ),
          ),
        "default_payment_method",
      );
    },
    getSubscription: (id) => callOrNull("getSubscription", async () => subscriptionOf(await retrieve(id))),
    async changeProduct(order) {
      return callStripe(
        "changeProduct",
        async () => {
          const current = await retrieve(order.subscription);
          const item = current.items.data[0]?.id;
          if (!item) throw new AppError("CONFLICT");
          const price = await priceOf(order.product);
          // Made under another key. Made again at once, it would begin and charge another period.
          if (order.at === "now" && current.items.data[0]?.price.id === price) return requireOurs(current);
          const items = [{ id: item, price }];
          // A change at once leaves the cancellation as it is, because the change may stay pending or be refused.
          const changeNow: Stripe.SubscriptionUpdateParams = {
            items,
            billing_cycle_anchor: { type: "now" },
            proration_behavior: "always_invoice",
            payment_behavior: "pending_if_incomplete",
            expand: EXPANDED_FIELDS,
          };
          const changeAtPeriodEnd: Stripe.SubscriptionUpdateParams = {
            items,
            proration_behavior: "none",
            cancel_at_period_end: false,
            expand: EXPANDED_FIELDS,
          };
          return requireOurs(
            await stripe.subscriptions.update(
              current.id,
              order.at === "now" ? changeNow : changeAtPeriodEnd,
              {
                idempotencyKey: `change:${order.key}`,
              },
            ),
          );
        },
        "default_payment_method",
      );
    },
    setCancelAtPeriodEnd: (id, cancel) =>
      callStripe("setCancelAtPeriodEnd", async () =>
        requireOurs(
          await stripe.subscriptions.update(id, { cancel_at_period_end: cancel, expand: EXPANDED_FIELDS }),
        ),
      ),
    async endSubscription(id, { onlyUnpaid = false } = {}) {
      await callOrNull("endSubscription", async () => {
        const { latest_invoice: invoice } = await retrieve(id);
        const close = async (one: Stripe.Invoice) => {
          if ((await closeInvoice(one)) === "paid" && onlyUnpaid) throw new AppError("CONFLICT", beingPaid);
        };
        const newest = invoice && typeof invoice !== "string" ? [invoice] : [];
        // A plan that stays past due has an open invoice for each earlier period too. The newest is closed last: while an
        // earlier one is being paid, the present period stays as it is.
        const { data } = await stripe.invoices.list({ subscription: id, status: "open", limit: 100 });
        const earlier = data.filter((one) => one.id !== newest[0]?.id).reverse();
        for (const one of [...earlier, ...newest]) await close(one);
        await stripe.subscriptions.cancel(id);
      });
    },
    async listEvents(since) {
      return callStripe("listEvents", async () => {
        const events: ProviderEvent[] = [];
        const list = stripe.events.list({
          types: EVENT_TYPES,
          created: { gte: Math.floor(since / 1000) },
          limit: 100,
        });
        for await (const event of list) {
          events.push(eventOf(event));
          if (events.length < MAX_EVENTS) continue;
          logMoney("provider-events-cut", { since });
          break;
        }
        return events.reverse();
      });
    },
    async readEvent(rawBody, signature) {
      // Without a secret, anybody could sign an event.
      const secret = env.STRIPE_WEBHOOK_SECRET ?? "";
      if (secret === "") return null;
      try {
        const event = await stripe.webhooks.constructEventAsync(
          rawBody,
          signature,
          secret,
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

const EXPANDED_FIELDS = ["latest_invoice.confirmation_secret", "pending_setup_intent"];
const MAX_EVENTS = 1_000;
/** The events that the adapter reads; the webhook endpoint subscribes to the same. */
const EVENT_TYPES: string[] = [
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "payment_intent.succeeded",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
];

/**
 * Calls Stripe. A refused card throws INVALID at `field` with Stripe's sentence, an unusable card with our sentence.
 * An outage or timeout throws CONFLICT with a sentence that suggests a retry, and writes a log line.
 */
async function callStripe<T>(call: string, work: () => Promise<T>, field?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { errors } = Stripe;
    if (field && error instanceof errors.StripeCardError) throw invalid(field, error.message);
    // Stripe does not always name the parameter, and in attaching only the card can be wrong.
    const isAboutCard = (param: string | undefined) => param === field || call === "attachMethod";
    if (field && error instanceof errors.StripeInvalidRequestError && isAboutCard(error.param))
      throw invalid(field, UNUSABLE_CARD);
    if (error instanceof errors.StripeIdempotencyError)
      throw new AppError("CONFLICT", "This request key was used for another order.");
    if (
      error instanceof errors.StripeConnectionError ||
      error instanceof errors.StripeAPIError ||
      error instanceof errors.StripeRateLimitError
    ) {
      logMoney("provider-failed", { call, error });
      throw new AppError("CONFLICT", UNREACHABLE);
    }
    throw error;
  }
}

/** Like `callStripe`, but null for an object that Stripe does not know. */
const callOrNull = <T>(call: string, work: () => Promise<T>, field?: string): Promise<T | null> =>
  callStripe<T | null>(
    call,
    async () => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing")
          return null;
        throw error;
      }
    },
    field,
  );

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest.slice(0, 8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null);

const intentOf = (intent: Stripe.PaymentIntent): PaymentIntent => ({
  id: intent.id,
  clientSecret: intent.client_secret ?? "",
  status: (intent.status === "requires_capture" ? "processing" : intent.status) as IntentStatus,
  // After payment, the received amount counts, not the requested amount.
  cents: intent.status === "succeeded" ? intent.amount_received : intent.amount,
  currency: intent.currency,
  customer: idOf(intent.customer),
  toPool: intent.metadata.to_pool === "1",
  isPurchase: intent.metadata.purpose === "tokens",
  reversals: [],
  period: null,
});

const cardOf = (method: Stripe.PaymentMethod): Card => ({
  id: method.id,
  brand: method.card?.brand ?? "card",
  last4: method.card?.last4 ?? "",
});

const instantOfSeconds = (epochSeconds: number): Instant => instant(epochSeconds * 1000);

/** null for a subscription to a foreign product: one Stripe account may serve several applications. */
function subscriptionOf(subscription: Stripe.Subscription): ProviderSubscription | null {
  const item = subscription.items.data[0];
  const plan = findPlan(item?.price.metadata?.plan ?? "");
  if (!item || !plan) return null;
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
    periodStart: instantOfSeconds(item.current_period_start),
    periodEnd: instantOfSeconds(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    isPeriodPaid,
    isGivenUp: invoice?.status === "void" || invoice?.status === "uncollectible",
    clientSecret: payment ?? setup?.client_secret ?? null,
    secretType: payment ? "payment" : setup?.client_secret ? "setup" : null,
    orderKey: subscription.metadata?.order,
  };
}

function requireOurs(subscription: Stripe.Subscription): ProviderSubscription {
  const ownSubscription = subscriptionOf(subscription);
  if (!ownSubscription) throw new Error(`Subscription ${subscription.id} has no price of ours.`);
  return ownSubscription;
}

/** The event with the ids of the subscription and payment that it is about; null where it has none. */
function eventOf(event: Stripe.Event): ProviderEvent {
  const object = (event.data?.object ?? {}) as {
    object?: string;
    id?: string;
    payment_intent?: string | { id: string } | null;
  };
  const invoice = object.object === "invoice" ? (object as Stripe.Invoice) : null;
  return {
    id: event.id,
    type: event.type,
    createdAt: instantOfSeconds(event.created),
    subscription:
      object.object === "subscription"
        ? (object.id ?? null)
        : idOf(invoice?.parent?.subscription_details?.subscription),
    // Charges, refunds and disputes name their payment.
    paymentIntent: object.object === "payment_intent" ? (object.id ?? null) : idOf(object.payment_intent),
  };
}
