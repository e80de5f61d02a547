// B-18: seven events of a subscription's life, in every order, each three times. Every step from every reachable state
// runs against the real database once; then all 5,040 orders are walked over those steps.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { appOf, db, makeUser, NOW, type TestUser } from "#tests/support/factories";
import { DAY, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import type { ProviderSubscription } from "~/use-cases/ports.server";
import {
  cancelSubscription,
  renewSubscriptions,
  syncSubscription,
  viewSubscribe,
} from "./subscriptions.server";

const at = instant(NOW + 31 * DAY);
const PERIOD = 30 * DAY;

/** The second period. */
const NEXT = { periodStart: instant(NOW + PERIOD), periodEnd: instant(NOW + 2 * PERIOD) };
const PAID = { status: "active", isPeriodPaid: true, isGivenUp: false } as const;

/** The provider's final state of the subscription. */
const truths: Record<string, Partial<ProviderSubscription>> = {
  renewed: { ...PAID, ...NEXT },
  "renewed on the other plan": { ...PAID, ...NEXT, product: "goals_sub" },
  "its card refused": { ...NEXT, status: "past_due", isPeriodPaid: false },
  "cancelled, time left": { ...PAID, ...NEXT, cancelAtPeriodEnd: true },
  ended: {
    status: "canceled",
    isPeriodPaid: false,
    periodStart: NOW,
    periodEnd: instant(NOW + PERIOD),
    cancelAtPeriodEnd: true,
  },
};

/** The first period, bought and paid. */
const first = (id: string, customer: string): ProviderSubscription => ({
  id,
  customer,
  product: "goals_sessions_sub",
  ...PAID,
  periodStart: NOW,
  periodEnd: instant(NOW + PERIOD),
  cancelAtPeriodEnd: false,
  clientSecret: null,
  secretType: null,
});

type Told = (app: App, id: string) => Promise<unknown>;
const told: Record<string, Told> = {
  "webhook: invoice.paid": syncSubscription,
  "webhook: customer.subscription.updated": syncSubscription,
  "webhook: customer.subscription.deleted": syncSubscription,
  "webhook: invoice.payment_failed": syncSubscription,
  "cron: renewal": (app) => renewSubscriptions(app),
  "the subscribe page": (app) => viewSubscribe(app),
  "a webhook of a subscription that is not ours": (app) => syncSubscription(app, "sub_of_somebody_else"),
};

type Row = Record<string, unknown>;
const subscriptionRows = (user: TestUser) =>
  db.select().from(schema.subscriptions).where(eq(schema.subscriptions.userId, user.id));
const lotRows = (user: TestUser) =>
  db.select().from(schema.tokenLots).where(eq(schema.tokenLots.userId, user.id));

async function read(user: TestUser): Promise<string> {
  const subscriptions = (await subscriptionRows(user)).map(({ updatedAt: _, ...row }) => row);
  const lots = (await lotRows(user))
    .map(({ id: _, ...row }) => row)
    .sort((a, b) => a.reference.localeCompare(b.reference));
  return JSON.stringify({ subscriptions, lots });
}
async function write(user: TestUser, state: string): Promise<void> {
  const { subscriptions, lots } = JSON.parse(state) as { subscriptions: Row[]; lots: Row[] };
  await db.batch([
    db.delete(schema.subscriptions).where(eq(schema.subscriptions.userId, user.id)),
    db.delete(schema.tokenLots).where(eq(schema.tokenLots.userId, user.id)),
    ...subscriptions.map((row) =>
      db.insert(schema.subscriptions).values({ ...row, updatedAt: NOW } as never),
    ),
    ...lots.map((row) => db.insert(schema.tokenLots).values(row as never)),
  ]);
}

function* orders(list: number[]): Generator<number[]> {
  if (list.length === 1) {
    yield list;
    return;
  }
  for (const [i, first] of list.entries())
    for (const rest of orders([...list.slice(0, i), ...list.slice(i + 1)])) yield [first, ...rest];
}

for (const [name, over] of Object.entries(truths)) {
  test(`B-18 all 5,040 orders of seven events, each delivered three times, end in the same state: ${name}`, async () => {
    const user = await makeUser({ tokens: 0 });
    const id = `sub_${user.id}`;
    const truth = first(id, `cus_${user.id}`);
    await db.insert(schema.customers).values({ userId: user.id, providerId: truth.customer, createdAt: NOW });
    const appWith = async (said: ProviderSubscription, now = at) => {
      const app = await appOf(user, now);
      return {
        ...app,
        payments: { ...app.payments, getSubscription: async (asked: string) => (asked === id ? said : null) },
      };
    };
    // The first period was bought and paid; then no event arrived for a month.
    await syncSubscription(await appWith(truth, NOW), id);
    const beginning = await read(user);
    const app = await appWith({ ...truth, ...over });

    const steps = Object.values(told);
    const next = new Map<string, string[]>();
    const open = [beginning];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (next.has(state)) continue;
      const reached: string[] = [];
      for (const step of steps) {
        await write(user, state);
        await step(app, id);
        reached.push(await read(user));
      }
      next.set(state, reached);
      open.push(...reached.filter((one) => !next.has(one)));
    }

    const ends = new Set<string>();
    let walked = 0;
    for (const order of orders(steps.map((_, i) => i))) {
      walked++;
      let state = beginning;
      for (const i of order)
        for (let times = 0; times < 3; times++) state = next.get(state)?.[i] ?? "nowhere";
      ends.add(state);
    }
    expect(walked).toBe(5040);
    expect([...ends]).toHaveLength(1);
    const [end] = [...ends];
    const { lots } = JSON.parse(end ?? "{}") as { lots: Row[] };
    expect(lots.filter((lot) => lot.kind === "subscription")).toHaveLength(
      name.startsWith("renewed") || name.startsWith("cancelled") ? 2 : 1,
    );
  });
}

test("R-09 a downgrade begins with the first paid period, after a period whose card was refused", async () => {
  const user = await makeUser({ tokens: 0 });
  const customer = `cus_${user.id}`;
  await db.insert(schema.customers).values({ userId: user.id, providerId: customer, createdAt: NOW });
  const hear = async (said: Partial<ProviderSubscription>) => {
    const app = await appOf(user, at);
    const getSubscription = async (id: string) => ({ ...first(id, customer), ...said });
    await syncSubscription({ ...app, payments: { ...app.payments, getSubscription } }, `sub_${user.id}`);
  };
  const renewed = { ...NEXT, product: "goals_sub" } as const;
  await hear({});
  await hear({ ...renewed, status: "past_due", isPeriodPaid: false });
  expect(await subscriptionRows(user)).toMatchObject([{ product: "goals_sessions_sub", periodStart: NOW }]);
  await hear(renewed);
  expect(await subscriptionRows(user)).toMatchObject([{ product: "goals_sub", nextProduct: null }]);
});

test("B-17 the cancel button changes nothing if the provider has cancelled already", async () => {
  const user = await makeUser({ tokens: 0 });
  await expect(cancelSubscription(await appOf(user), {})).rejects.toThrow("You have no such subscription.");
});
