// Every payment path with a database that fails before or after each single statement: the ledger always balances, a
// retry completes the path, and nothing is charged or granted twice.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { db, makeUser, NOW, type TestUser } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { createApp } from "#workers/create-app";
import { DAY, type Instant, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import {
  addFreeTokens,
  creditPaidPurchases,
  customerOf,
  getPaymentIntent,
  purchaseTokens,
  redeemTokens,
} from "./purchases.server";
import { cancelSubscription, createSubscription, renewSubscriptions } from "./subscriptions.server";

const CARD = { number: "4242424242424242", expMonth: 12, expYear: 2030, cvc: "123" };
const LATER = instant(NOW + 31 * DAY);

const appFor = async (user: TestUser, now: Instant, d1: D1Database = env.DB): Promise<App> =>
  (
    await createApp(
      { ...env, DB: d1 },
      { loginToken: user.loginToken, now, defer: (work) => void work.catch(() => {}) },
    )
  ).app;

async function pay(app: App, clientSecret: string, save = true) {
  if (!app.user) throw new Error("nobody");
  const customer = await customerOf(app, app.user);
  const confirmed = await app.payments.confirm?.(customer, {
    clientSecret,
    card: CARD,
    method: null,
    save,
    isConfirmed: true,
  });
  if (!confirmed) throw new Error("no practice provider");
  return confirmed;
}

type Path = {
  name: string;
  now?: Instant;
  /** The setup; its answer is passed to `run`. */
  prepare(app: App): Promise<string>;
  run(app: App, given: string): Promise<unknown>;
  /** Tokens (hundredths) that the user and the pool have gained at the end. */
  gains: { user: number; pool: number };
};

const savedCard = async (app: App) =>
  (await pay(app, (await getPaymentIntent(app, { toPool: false })).clientSecret)).method;
const subscribed = async (app: App, product: string) => {
  const method = await savedCard(app);
  await createSubscription(app, { product, method, key: `first-${method}` });
  return method;
};

let runs = 0;
let tries = 0;
/** Each run is two minutes after the previous one, because a dead run blocks others for a minute. */
const laterApp = (app: App): App => ({ ...app, now: instant(app.now + ++tries * 2 * MINUTE) });
const subscribeOnce = (app: App, order: Parameters<typeof createSubscription>[1]) =>
  createSubscription(laterApp(app), order).catch((error) =>
    error.message === "You are already subscribed!" ? null : Promise.reject(error),
  );
const paths: Path[] = [
  {
    name: "buying tokens",
    prepare: async (app) =>
      (await pay(app, (await getPaymentIntent(app, { toPool: false })).clientSecret)).id,
    run: (app, id) => purchaseTokens(app, { paymentIntent: id, toPool: false }),
    gains: { user: 1000, pool: 0 },
  },
  {
    name: "buying for the pool",
    prepare: async (app) => (await pay(app, (await getPaymentIntent(app, { toPool: true })).clientSecret)).id,
    run: (app, id) => purchaseTokens(app, { paymentIntent: id, toPool: true }),
    gains: { user: 0, pool: 1000 },
  },
  {
    name: "redeeming",
    prepare: async () => "",
    // The retry of a redemption with a lost answer is refused as already made.
    run: (app) =>
      redeemTokens(app).catch((error) =>
        /Your next chance/.test(error.message) ? null : Promise.reject(error),
      ),
    gains: { user: 50_000, pool: -50_000 },
  },
  {
    name: "adding free tokens",
    prepare: async () => crypto.randomUUID(),
    run: (app, key) => addFreeTokens(app, { amount: 7, key }),
    gains: { user: 0, pool: 700 },
  },
  {
    name: "subscribing with a saved card",
    prepare: savedCard,
    run: (app, method) => subscribeOnce(app, { product: "goals_sub", method, key: `k-${method}` }),
    gains: { user: 3000, pool: 0 },
  },
  {
    name: "levelling up",
    now: instant(NOW + 10 * DAY),
    prepare: (app) => subscribed(app, "goals_sub"),
    run: (app, method) => subscribeOnce(app, { product: "goals_sessions_sub", method, key: `up-${method}` }),
    gains: { user: 6000, pool: 0 },
  },
  {
    name: "cancelling",
    prepare: (app) => subscribed(app, "goals_sub"),
    run: (app) => cancelSubscription(laterApp(app), {}),
    gains: { user: 0, pool: 0 },
  },
  {
    name: "crediting what was paid while nobody could write it down",
    prepare: async (app) => {
      await db.delete(schema.openPayments);
      return (await pay(app, (await getPaymentIntent(app, { toPool: false })).clientSecret)).id;
    },
    // Each run is a day after the previous one, because a failed payment is retried later.
    run: async (app) => {
      const { failed } = await creditPaidPurchases({ ...app, now: instant(app.now + ++runs * DAY) });
      if (failed > 0) throw new Error("failed on purpose; asked again tomorrow");
    },
    gains: { user: 1000, pool: 0 },
  },
  {
    name: "renewing",
    now: LATER,
    prepare: (app) => subscribed(app, "goals_sessions_sub"),
    run: (app) => renewSubscriptions(app),
    gains: { user: 6000, pool: 0 },
  },
];

/** Lots against entries, the pool against its entries; and the user's balance at `now`. */
async function books(userId: number, now: Instant): Promise<{ user: number; pool: number }> {
  const lots = await db.select().from(schema.tokenLots).where(eq(schema.tokenLots.userId, userId));
  const entries = await db.select().from(schema.tokenEntries).where(eq(schema.tokenEntries.userId, userId));
  for (const lot of lots) {
    const moved = entries
      .filter((entry) => entry.lotId === lot.id)
      .reduce((sum, entry) => sum + entry.amount, 0);
    expect(lot.remaining).toBe(lot.granted + moved);
    expect(lot.remaining).toBeGreaterThanOrEqual(0);
  }
  const [pool] = await db.select().from(schema.tokenPool);
  const poolEntries = await db.select().from(schema.poolEntries);
  expect(pool?.remaining ?? 0).toBe(poolEntries.reduce((sum, entry) => sum + entry.amount, 0));
  const open = lots.filter((lot) => lot.expiresAt === null || lot.expiresAt > now);
  return { user: open.reduce((sum, lot) => sum + lot.remaining, 0), pool: pool?.remaining ?? 0 };
}

/** A path runs three times for each of its statements. */
const PATH_LIMIT_MS = 120_000;

for (const path of paths) {
  test(
    `B-12 ${path.name}: a failure at any statement leaves all or nothing, and a retry completes it`,
    async () => {
      const admin = await makeUser({ roleId: 10 });
      let k = 1;
      for (const when of ["before", "after"] as const) {
        for (k = 1; ; k++) {
          await addFreeTokens(await appFor(admin, NOW), { amount: 1000 });
          const user = await makeUser({ tokens: 500, roleId: 10 });
          const given = await path.prepare(await appFor(user, NOW));
          const now = path.now ?? NOW;
          const before = await books(user.id, now);
          const { d1, counter } = failingD1(env.DB, { at: k, when });
          await appFor(user, now, d1)
            .then((app) => path.run(app, given))
            .catch((error) => expect(String(error)).toMatch(/on purpose|Failed query/));
          const between = await books(user.id, now);
          const after = { user: before.user + path.gains.user, pool: before.pool + path.gains.pool };
          expect([JSON.stringify(before), JSON.stringify(after)], `${when} ${k}`).toContain(
            JSON.stringify(between),
          );
          for (let retry = 0; retry < 2; retry++) {
            await path.run(await appFor(user, now), given);
            expect(await books(user.id, now), `${when} ${k}, retry ${retry}`).toEqual(after);
          }
          if (!counter.hasFailed) break;
        }
        // The path made that many statements, so the loop proved something.
        expect(k).toBeGreaterThan(2);
      }
    },
    PATH_LIMIT_MS,
  );
}
