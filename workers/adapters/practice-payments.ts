// The practice payment provider, which moves no money. It behaves as Stripe does with test cards, stores its objects in
// practice_objects, and renews a subscription on the first read after its period.
import { and, eq, sql } from "drizzle-orm";
import { type Database, runBatch, type Statement, schema } from "#db/connect.server";
import { AppError, brokenConstraint, invalid } from "~/domain/errors";
import { nextPeriodEnd, PLANS } from "~/domain/payments/products";
import { beingPaid } from "~/domain/payments/refusals";
import type { Instant } from "~/domain/time";
import type {
  Card,
  Confirmed,
  PaymentIntent,
  Payments,
  PracticeCard,
  PracticeConfirmation,
  ProviderSubscription,
} from "~/use-cases/ports.server";

/** The test cards by their behaviour; `asks` requires the card holder's confirmation. */
const PRACTICE_CARDS = {
  pays: "4242424242424242",
  declines: "4000000000000002",
  asks: "4000002500003155",
};
const DECLINED = "Your card was declined.";

type Method = Card & { customer: string; behaviour: "pays" | "declines" | "asks" };
type Intent = PaymentIntent & { kind: "payment" | "setup"; subscription: string | null };
type Subscription = ProviderSubscription & {
  method: string | null;
  intent: string | null;
  /** A change that waits for the card holder's confirmation. */
  pending: ProviderSubscription["product"] | null;
};

const objects = schema.practiceObjects;
const PAID_FIELDS = {
  status: "active",
  isPeriodPaid: true,
  clientSecret: null,
  secretType: null,
} as const;
const newId = (prefix: string) => `${prefix}_practice_${crypto.randomUUID().replaceAll("-", "")}`;

function objectStoreOf(db: Database, now: Instant) {
  return {
    async get<T>(kind: string, id: string): Promise<T | null> {
      const [row] = await db
        .select()
        .from(objects)
        .where(and(eq(objects.id, id), eq(objects.kind, kind)))
        .limit(1);
      return (row?.body as T | undefined) ?? null;
    },
    put: (kind: string, id: string, customer: string, body: unknown) =>
      db
        .insert(objects)
        .values({ id, kind, customer, body, createdAt: now })
        .onConflictDoUpdate({ target: objects.id, set: { body, customer } }),
    async listOf<T>(kind: string, customer: string): Promise<T[]> {
      const rows = await db
        .select()
        .from(objects)
        .where(and(eq(objects.customer, customer), eq(objects.kind, kind)))
        .limit(100);
      return rows.map((row) => row.body as T);
    },
  };
}

/** Runs `change` once for each idempotency key, as Stripe does. A single batch writes its result and its objects. */
async function oncePerKey<T>(
  db: Database,
  now: Instant,
  key: string,
  change: () => Promise<{ result: T; writes: Statement[] }>,
): Promise<T> {
  const objectStore = objectStoreOf(db, now);
  const storedResult = await objectStore.get<T>("key", `key:${key}`);
  if (storedResult) return storedResult;
  const { result, writes } = await change();
  const row = { id: `key:${key}`, kind: "key", customer: "", body: result, createdAt: now };
  try {
    await runBatch(db, [...writes, db.insert(objects).values(row)]);
    return result;
  } catch (error) {
    // A concurrent request with this key was first, so this batch wrote nothing.
    if (brokenConstraint(error) !== "practice_objects.id") throw error;
    return (await objectStore.get<T>("key", row.id)) ?? result;
  }
}

export function createPracticePayments(
  db: Database,
  now: Instant,
): Payments & { confirm: {} & Payments["confirm"] } {
  const objectStore = objectStoreOf(db, now);
  const newIntent = (kind: Intent["kind"], fields: Partial<Intent>): Intent => {
    const id = newId(kind === "payment" ? "pi" : "seti");
    return {
      id,
      kind,
      clientSecret: `${id}_secret_${crypto.randomUUID().replaceAll("-", "")}`,
      status: "requires_payment_method",
      cents: 0,
      currency: "usd",
      customer: null,
      toPool: false,
      isPurchase: false,
      reversals: [],
      period: null,
      subscription: null,
      ...fields,
    };
  };
  const save = (intent: Intent) => objectStore.put("intent", intent.id, intent.customer ?? "", intent);
  const saveSubscription = (subscription: Subscription) =>
    objectStore.put("subscription", subscription.id, subscription.customer, subscription);

  /** Charges the first invoice or a plan change: paid at once, or an intent for the card holder to confirm. */
  async function chargeNow(
    subscription: Subscription,
    cents: number,
  ): Promise<{ charged: Subscription; writes: Statement[] }> {
    const method = subscription.method ? await objectStore.get<Method>("method", subscription.method) : null;
    if (method?.behaviour === "pays")
      return { charged: { ...subscription, ...PAID_FIELDS, intent: null }, writes: [] };
    if (method?.behaviour === "declines")
      throw new AppError("INVALID", DECLINED, { fields: { default_payment_method: [DECLINED] } });
    const intent = newIntent("payment", {
      cents,
      customer: subscription.customer,
      subscription: subscription.id,
      status: method ? "requires_action" : "requires_payment_method",
    });
    const { clientSecret } = intent;
    const charged = {
      ...subscription,
      isPeriodPaid: false,
      intent: intent.id,
      clientSecret,
      secretType: "payment" as const,
    };
    return { charged, writes: [save(intent)] };
  }

  /** The subscription after the renewals that have come due. */
  async function renew(subscription: Subscription): Promise<Subscription> {
    let current = subscription;
    while (current.periodEnd <= now && current.status === "active") {
      if (current.cancelAtPeriodEnd) return { ...current, status: "canceled" };
      const method = current.method ? await objectStore.get<Method>("method", current.method) : null;
      current = {
        ...current,
        periodStart: current.periodEnd,
        periodEnd: nextPeriodEnd(current.periodEnd),
      };
      if (method?.behaviour !== "declines") continue;
      const { customer, id, product } = current;
      const intent = newIntent("payment", { cents: PLANS[product].cents, customer, subscription: id });
      await save(intent);
      const { clientSecret } = intent;
      const unpaid = { isPeriodPaid: false, clientSecret, secretType: "payment" } as const;
      return { ...current, ...unpaid, status: "past_due", intent: intent.id };
    }
    return current;
  }

  async function readSubscription(id: string): Promise<Subscription | null> {
    const storedSubscription = await objectStore.get<Subscription>("subscription", id);
    if (!storedSubscription) return null;
    const current = await renew(storedSubscription);
    if (current !== storedSubscription) await saveSubscription(current);
    return current;
  }
  async function requireSubscription(id: string): Promise<Subscription> {
    const subscription = await readSubscription(id);
    if (!subscription) throw new AppError("NOT_FOUND");
    return subscription;
  }

  return {
    isPractice: true,
    publishableKey: "",
    confirm: (customer, input) => confirmPayment(db, now, customer, input),
    createCustomer: (user) =>
      oncePerKey(db, now, `customer:${user.id}`, async () => {
        const id = newId("cus");
        return { result: id, writes: [objectStore.put("customer", id, id, { id, user: user.id })] };
      }),
    createPaymentIntent: (order) =>
      oncePerKey(db, now, `intent:${order.key}`, async () => {
        const intent = newIntent("payment", {
          customer: order.customer,
          cents: order.cents,
          toPool: order.toPool,
          isPurchase: true,
        });
        return { result: intent, writes: [save(intent)] };
      }),
    async getPaymentIntent(id) {
      const intent = await objectStore.get<Intent>("intent", id);
      // Intents stored by earlier versions have no reversals.
      return intent && { ...intent, reversals: intent.reversals ?? [], period: intent.period ?? null };
    },
    async attachMethod({ customer, method }) {
      const storedMethod = await objectStore.get<Method>("method", method);
      if (!storedMethod || (storedMethod.customer !== "" && storedMethod.customer !== customer))
        throw new AppError("NOT_FOUND", "We do not know this card.");
      await objectStore.put("method", method, customer, { ...storedMethod, customer });
      return { id: storedMethod.id, brand: storedMethod.brand, last4: storedMethod.last4 };
    },
    async listMethods(customer) {
      return (await objectStore.listOf<Method>("method", customer)).map(({ id, brand, last4 }) => ({
        id,
        brand,
        last4,
      }));
    },
    createSubscription: (order) =>
      oncePerKey(db, now, `subscription:${order.key}`, async () => {
        const newSubscription: Subscription = {
          id: newId("sub"),
          customer: order.customer,
          product: order.product,
          status: "incomplete",
          periodStart: now,
          periodEnd: nextPeriodEnd(now),
          cancelAtPeriodEnd: false,
          isPeriodPaid: false,
          isGivenUp: false,
          clientSecret: null,
          secretType: null,
          method: order.method,
          intent: null,
          pending: null,
        };
        const { charged, writes } = await chargeNow(newSubscription, PLANS[order.product].cents);
        return { result: charged, writes: [...writes, saveSubscription(charged)] };
      }),
    getSubscription: readSubscription,
    changeProduct: (order) =>
      oncePerKey(db, now, `change:${order.key}`, async () => {
        const current = await requireSubscription(order.subscription);
        const product = order.product;
        // Made under another key. Made again at once, it would begin and charge another period.
        if (order.at === "now" && current.product === product && current.isPeriodPaid)
          return { result: current, writes: [] };
        const renewedSubscription = {
          ...current,
          product,
          periodStart: now,
          periodEnd: nextPeriodEnd(now),
        };
        if (order.at === "period-end") {
          const changedLater: Subscription = { ...current, product, cancelAtPeriodEnd: false };
          return { result: changedLater, writes: [saveSubscription(changedLater)] };
        }
        const { charged, writes } = await chargeNow(renewedSubscription, PLANS[product].cents);
        const { clientSecret, secretType, intent } = charged;
        const changed = charged.isPeriodPaid
          ? charged
          : { ...current, pending: product, clientSecret, secretType, intent };
        return { result: changed, writes: [...writes, saveSubscription(changed)] };
      }),
    async setCancelAtPeriodEnd(id, cancel) {
      const [changed] = await db
        .update(objects)
        .set({ body: sql`json_set(${objects.body}, '$.cancelAtPeriodEnd', json(${String(cancel)}))` })
        .where(and(eq(objects.id, id), eq(objects.kind, "subscription")))
        .returning();
      if (!changed) throw new AppError("NOT_FOUND");
      return changed.body as Subscription;
    },
    async endSubscription(id, { onlyUnpaid = false } = {}) {
      const subscription = await readSubscription(id);
      if (!subscription) return;
      if (onlyUnpaid && subscription.isPeriodPaid) throw new AppError("CONFLICT", beingPaid);
      const intent = subscription.intent
        ? await objectStore.get<Intent>("intent", subscription.intent)
        : null;
      const ended = { ...subscription, status: "canceled", clientSecret: null };
      await runBatch(db, [
        saveSubscription({ ...ended, secretType: null }),
        ...(intent && intent.status !== "succeeded" ? [save({ ...intent, status: "canceled" })] : []),
      ]);
    },
    // The practice provider signs no events, so its webhook accepts none.
    readEvent: async () => null,
    listEvents: async () => [],
  };
}

/**
 * Confirms a client secret as the card form does. A decline throws INVALID with the provider's sentence.
 */
async function confirmPayment(
  db: Database,
  now: Instant,
  customer: string,
  input: PracticeConfirmation,
): Promise<Confirmed> {
  const objectStore = objectStoreOf(db, now);
  const [id = ""] = input.clientSecret.split("_secret_");
  const intent = await objectStore.get<Intent>("intent", id);
  if (!intent || intent.clientSecret !== input.clientSecret || intent.customer !== customer)
    throw new AppError("NOT_FOUND", "We do not know this payment.");
  const method = input.method
    ? await objectStore.get<Method>("method", input.method)
    : newMethod(behaviourOfCard(input.card, now), input.save ? customer : "");
  if (!method || (input.method && method.customer !== customer))
    throw new AppError("NOT_FOUND", "We do not know this card.");
  if (intent.status === "succeeded")
    return { kind: intent.kind, id: intent.id, status: intent.status, method: method.id };
  if (intent.status === "canceled") throw invalid("card", "This payment was cancelled.");
  if (method.behaviour === "declines") throw invalid("card", DECLINED);
  const status = method.behaviour === "asks" && !input.isConfirmed ? "requires_action" : "succeeded";
  const writes: Statement[] = [
    objectStore.put("method", method.id, method.customer, method),
    objectStore.put("intent", intent.id, customer, { ...intent, status }),
  ];
  if (status === "succeeded" && intent.subscription) {
    const subscription = await objectStore.get<Subscription>("subscription", intent.subscription);
    if (subscription) {
      const next = {
        ...subscription,
        ...(subscription.pending
          ? { product: subscription.pending, periodStart: now, periodEnd: nextPeriodEnd(now) }
          : {}),
        pending: null,
        ...PAID_FIELDS,
        method: method.id,
      };
      writes.push(objectStore.put("subscription", subscription.id, customer, next));
    }
  }
  await runBatch(db, writes);
  return { kind: intent.kind, id: intent.id, status, method: method.id };
}

/** The behaviour of a test card. INVALID for a card that the card form would refuse. */
function behaviourOfCard(card: PracticeCard | null, now: Instant): Method["behaviour"] {
  if (!card) throw invalid("card", "Your card number is incomplete.");
  const number = card.number.replace(/\s+/g, "");
  if (!/^\d{12,19}$/.test(number)) throw invalid("card", "Your card number is incomplete.");
  const today = new Date(now);
  const year = card.expYear < 100 ? 2000 + card.expYear : card.expYear;
  if (card.expMonth < 1 || card.expMonth > 12 || year > 2100)
    throw invalid("card", "Your card's expiration date is incomplete.");
  if (year * 12 + card.expMonth < today.getUTCFullYear() * 12 + today.getUTCMonth() + 1)
    throw invalid("card", "Your card's expiration year is in the past.");
  if (!/^\d{3,4}$/.test(card.cvc)) throw invalid("card", "Your card's security code is incomplete.");
  const practiceCard = Object.entries(PRACTICE_CARDS).find(([, cardNumber]) => cardNumber === number);
  if (!practiceCard)
    throw invalid("card", "The practice provider knows only its test cards, such as 4242 4242 4242 4242.");
  return practiceCard[0] as Method["behaviour"];
}

function newMethod(behaviour: Method["behaviour"], customer: string): Method {
  return { id: newId("pm"), brand: "visa", last4: PRACTICE_CARDS[behaviour].slice(-4), customer, behaviour };
}
