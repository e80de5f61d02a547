// Refunds and disputes of payments at the Stripe stand-in, and the tokens that they take back.
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { spendTokens } from "#db/queries/tokens";
import { callAs } from "#tests/support/ask";
import { db, NOW, type TestUser } from "#tests/support/factories";
import { answerOutage, beginLife, type Life, runPaymentJobs } from "#tests/support/stripe/life";
import { DAY } from "~/domain/time";
import { getPaymentIntent, purchaseTokens, viewLedger } from "~/use-cases/payments/purchases.server";
import { createSubscription } from "~/use-cases/payments/subscriptions.server";
import { catchUpWithProvider } from "~/use-cases/payments/webhook.server";

/** Buys one pack and returns its intent. */
async function buy(life: Life, toPool = false): Promise<string> {
  const { clientSecret } = await getPaymentIntent(await life.app(), { toPool });
  life.stripe.confirm(clientSecret, life.stripe.newCard("pays"));
  const id = clientSecret.split("_secret_")[0] ?? "";
  await purchaseTokens(await life.app(), { paymentIntent: id, toPool });
  life.news();
  return id;
}

const spend = (user: TestUser, reference: string) =>
  db.batch(
    spendTokens(db, { userId: user.id, what: "join", reference: `${user.id}:${reference}`, now: NOW }),
  );

test("B-12 a refund takes the unspent part of the lot and records the rest as owed, once", async () => {
  const life = await beginLife();
  const { stripe, user } = life;
  const paid = await buy(life);
  for (const seat of ["a", "b", "c"]) await spend(user, seat);
  const half = stripe.refund(paid, 500);
  const first = life.news();
  await life.deliver([...first, ...first]);
  expect([await life.balance(), await life.owed()]).toEqual([200, 0]);
  stripe.refund(paid);
  const second = life.news();
  await life.deliver([...second.reverse(), ...first]);
  expect([await life.balance(), await life.owed()]).toEqual([0, 300]);
  // A repeated purchase credits nothing more.
  await purchaseTokens(await life.app(), { paymentIntent: paid, toPool: false });
  expect([await life.balance(), await life.owed()]).toEqual([0, 300]);
  const ledger = await viewLedger(await life.app(), {});
  expect(ledger.owed).toBe(300);
  expect(
    ledger.entries
      .filter(({ reason }) => /reversed|owed/.test(reason))
      .map(({ reason, amount }) => [reason, amount]),
  ).toEqual([
    ["owed", -300],
    ["reversed", -200],
    ["reversed", -500],
  ]);
  // The bank returns the first half; the lot had been taken whole.
  stripe.failRefund(half);
  const third = life.news();
  await life.deliver([...third, ...third]);
  expect([await life.balance(), await life.owed()]).toEqual([500, 300]);
});

test("B-12 a dispute over a payment that was refunded in part takes only the rest", async () => {
  const life = await beginLife();
  const paid = await buy(life);
  life.stripe.refund(paid, 500);
  await life.deliver(life.news());
  expect([await life.balance(), await life.owed()]).toEqual([500, 0]);
  // The bank disputes the whole payment, whatever was refunded.
  life.stripe.dispute(paid, "needs_response", 1000);
  await life.deliver(life.news());
  expect([await life.balance(), await life.owed()]).toEqual([0, 0]);
});

test("B-12 E-01 owed tokens are in the user's JSON and on the token page, and the balance is never below 0", async () => {
  const life = await beginLife();
  const paid = await buy(life);
  for (const seat of ["a", "b"]) await spend(life.user, seat);
  life.stripe.refund(paid);
  await life.deliver(life.news());
  const { body } = await callAs(life.user, "GET", "/get-user");
  expect([body.all_remaining_tokens, body.owed_tokens]).toEqual([0, 2]);
  const page = await callAs(life.user, "GET", "/account/tokens");
  expect(page.body).toContain("You owe");
});

test("B-12 a dispute takes the tokens, and only a won dispute returns them", async () => {
  for (const status of ["won", "lost"] as const) {
    const life = await beginLife();
    const paid = await buy(life);
    await spend(life.user, "a");
    const dispute = life.stripe.dispute(paid);
    await life.deliver(life.news());
    expect([await life.balance(), await life.owed()]).toEqual([0, 100]);
    life.stripe.closeDispute(dispute, status);
    const news = life.news();
    await life.deliver([...news, ...news]);
    expect([await life.balance(), await life.owed()]).toEqual(status === "won" ? [900, 0] : [0, 100]);
  }
});

test("B-12 an inquiry moves no money and takes no tokens", async () => {
  const life = await beginLife();
  const paid = await buy(life);
  const inquiry = life.stripe.dispute(paid, "warning_needs_response");
  await life.deliver(life.news());
  expect(await life.balance()).toBe(1000);
  life.stripe.closeDispute(inquiry, "warning_closed");
  await life.deliver(life.news());
  expect([await life.balance(), await life.owed()]).toEqual([1000, 0]);
});

test("B-12 a dispute whose end arrives first takes nothing afterwards", async () => {
  const life = await beginLife();
  const paid = await buy(life);
  const dispute = life.stripe.dispute(paid);
  life.stripe.closeDispute(dispute, "won");
  await life.deliver(life.news().reverse());
  expect([await life.balance(), await life.owed()]).toEqual([1000, 0]);
});

test("B-12 B-15 a refund of pool tokens takes them from the pool, and the buyer owes what was redeemed", async () => {
  const books = async () => {
    const [pool] = await db.select().from(schema.tokenPool);
    const sum = (await db.select().from(schema.poolEntries)).reduce((total, { amount }) => total + amount, 0);
    expect(pool?.remaining ?? 0).toBe(sum);
    return sum;
  };
  const life = await beginLife();
  const { stripe } = life;
  const paid = await buy(life, true);
  const before = await books();
  const dispute = stripe.dispute(paid);
  const news = life.news();
  await life.deliver([...news, ...news]);
  expect([await books(), await life.owed()]).toEqual([before - 1000, 0]);
  stripe.closeDispute(dispute, "won");
  const end = life.news();
  await life.deliver([...end, ...news]);
  expect(await books()).toBe(before);
  // Most of the pool was redeemed meanwhile.
  await db.batch([
    db.insert(schema.poolEntries).values({
      userId: life.user.id,
      amount: 300 - before,
      reason: "redeem",
      reference: `redeem:${life.user.id}`,
      createdAt: NOW,
    }),
    db.update(schema.tokenPool).set({ remaining: 300 }),
  ]);
  const second = await beginLife();
  const other = await buy(second, true);
  await db.batch([
    db.insert(schema.poolEntries).values({
      userId: life.user.id,
      amount: -1000,
      reason: "redeem",
      reference: `redeem:again:${life.user.id}`,
      createdAt: NOW,
    }),
    db.update(schema.tokenPool).set({ remaining: 300 }),
  ]);
  const refund = second.stripe.refund(other);
  await second.deliver(second.news());
  expect([await books(), await second.owed(), await second.balance()]).toEqual([0, 700, 0]);
  second.stripe.failRefund(refund);
  const back = second.news();
  await second.deliver([...back, ...back]);
  expect([await books(), await second.owed()]).toEqual([300, 0]);
});

test("B-12 B-18 a refund of a subscription's period takes that period's lot", async () => {
  const life = await beginLife();
  const { stripe, user } = life;
  const begun = await createSubscription(await life.app(), { product: "goals_sub", method: null });
  stripe.confirm(begun.clientSecret ?? "", stripe.newCard("pays"));
  await life.deliver(life.news());
  await db.batch(spendTokens(db, { userId: user.id, what: "goal", reference: `goal:${user.id}`, now: NOW }));
  stripe.advance(NOW + 10 * DAY);
  await createSubscription(await life.app(), { product: "goals_sessions_sub", method: null });
  await life.deliver(life.news());
  expect(await life.balance()).toBe(8900);
  const { providerId = "" } = (await life.subscription()) ?? {};
  // The change cost 800 - 267 cents; that sum paid for all tokens of the new period.
  const refund = stripe.refund(stripe.intentOf(providerId));
  await life.deliver(life.news());
  expect([await life.balance(), await life.owed()]).toEqual([2900, 0]);
  stripe.failRefund(refund);
  await life.deliver(life.news());
  expect([await life.balance(), await life.owed()]).toEqual([8900, 0]);
});

test("B-12 C-23 cron finds refunds and disputes that no webhook announced, and retries those that fail", async () => {
  const life = await beginLife();
  const paid = await buy(life);
  await runPaymentJobs(life);
  life.stripe.advance(NOW + DAY);
  life.stripe.refund(paid);
  life.stripe.interrupt = (_, path) => (path.startsWith("/v1/payment_intents") ? answerOutage() : null);
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await catchUpWithProvider(await life.app())).toMatchObject({ settled: 0, failed: 2 });
  expect(said.mock.calls.map(([line]) => JSON.parse(String(line)).event)).toContain("provider-event-failed");
  said.mockRestore();
  expect(await life.balance()).toBe(1000);
  life.stripe.interrupt = null;
  life.stripe.advance(NOW + 1.1 * DAY);
  expect(await catchUpWithProvider(await life.app())).toMatchObject({ settled: 2, failed: 0 });
  expect([await life.balance(), await life.owed()]).toEqual([0, 0]);
  expect(await catchUpWithProvider(await life.app())).toMatchObject({ settled: 0, failed: 0 });
});
