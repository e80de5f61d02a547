// Buying tokens with the practice provider, the pool, and everything that must credit nothing.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, NOW, reload, type TestUser } from "#tests/support/factories";
import { DAY, instant, MINUTE } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import {
  creditPaidPurchases,
  getPaymentIntent,
  purchaseTokens,
  redeemTokens,
  settlePurchase,
} from "./purchases.server";

const CARD = { number: "4242 4242 4242 4242", exp_month: 12, exp_year: 2030, cvc: "123" };

async function payFor(user: TestUser, card = CARD, over: Record<string, unknown> = {}) {
  const { body } = await callAs(user, "GET", "/tokens/get-payment-intent");
  const confirmed = await callAs(user, "POST", "/practice/confirm", {
    client_secret: body.client_secret,
    card,
    ...over,
  });
  return {
    secret: body.client_secret as string,
    confirmed,
    id: (body.client_secret as string).split("_secret_")[0] ?? "",
  };
}

test("C-19 C-20 B-04 B-20 a practice card buys 10 tokens that never expire", async () => {
  const user = await makeUser({ tokens: 0 });
  const paid = await payFor(user);
  expect(paid.confirmed.body.payment_intent).toMatchObject({ id: paid.id, status: "succeeded" });
  const bought = await callAs(user, "POST", "/tokens/purchase", { paymentIntent: paid.id, token_pool: 0 });
  expect(bought.body).toEqual({ tokens: 10, token_pool: 0, message: "Purchase successful!" });
  expect((await reload(user, instant(NOW + 3000 * DAY)))?.tokens).toBe(1000);
});

test("C-20 a payment credits once, however often and by whomever it is reported", async () => {
  const user = await makeUser({ tokens: 0 });
  const { id } = await payFor(user);
  const app = await appOf(user);
  await Promise.all([
    ...Array.from({ length: 8 }, () => purchaseTokens(app, { paymentIntent: id, toPool: false })),
    ...Array.from({ length: 4 }, () =>
      app.payments.getPaymentIntent(id).then((intent) => settlePurchase(app, intent)),
    ),
  ]);
  expect((await reload(user))?.tokens).toBe(1000);
});

test("C-20 B-12 a refund that the slower of two reports brings is taken back", async () => {
  const user = await makeUser({ tokens: 0 });
  const { id } = await payFor(user);
  const app = await appOf(user);
  const input = { paymentIntent: id, toPool: false };
  const reversals = [{ id: `re_${id}`, cents: 1000, isUndone: false }];
  const getPaymentIntent = async () => {
    const intent = await app.payments.getPaymentIntent(id);
    // The page reports the payment between this report's read and its write.
    await purchaseTokens(app, input);
    return intent && { ...intent, reversals };
  };
  const slower = { ...app, payments: { ...app.payments, getPaymentIntent } };
  expect(await purchaseTokens(slower, input)).toEqual({ tokens: 1000, toPool: false });
  expect((await reload(user))?.tokens).toBe(0);
});

test("C-20 a payment of another user, unpaid, invented or foreign credits nothing", async () => {
  const [user, thief] = [await makeUser({ tokens: 0 }), await makeUser({ tokens: 0 })];
  const { id } = await payFor(user);
  expect((await callAs(thief, "POST", "/tokens/purchase", { paymentIntent: id })).status).toBe(404);
  const unpaid = await callAs(user, "GET", "/tokens/get-payment-intent");
  const unpaidId = unpaid.body.client_secret.split("_secret_")[0];
  expect((await callAs(user, "POST", "/tokens/purchase", { paymentIntent: unpaidId })).body.error_code).toBe(
    "CONFLICT",
  );
  expect((await callAs(user, "POST", "/tokens/purchase", { paymentIntent: "pi_invented" })).status).toBe(404);
  const missing = await callAs(user, "POST", "/tokens/purchase", {});
  expect(missing.body).toMatchObject({
    error_code: "INVALID",
    fields: { paymentIntent: ["Please give the payment."] },
  });
  // A wrong amount or currency, as a provider might report it.
  for (const [i, over] of [{ cents: 999 }, { cents: 1000, currency: "eur" }, { cents: 0 }].entries()) {
    const paid = await payFor(user);
    const [row] = await db.select().from(schema.practiceObjects).where(eqId(paid.id));
    await db
      .update(schema.practiceObjects)
      .set({ body: { ...(row?.body as object), ...over } })
      .where(eqId(paid.id));
    expect(
      (await callAs(user, "POST", "/tokens/purchase", { paymentIntent: paid.id })).body.error_code,
      String(i),
    ).toBe("INVALID");
  }
  expect((await reload(user))?.tokens).toBe(0);
  expect((await reload(thief))?.tokens).toBe(0);
});

test("R-28 B-20 a declined card shows its error under the card, one that requires it is confirmed, and invalid cards get their sentence", async () => {
  const user = await makeUser();
  const declined = await payFor(user, { ...CARD, number: "4000000000000002" });
  expect(declined.confirmed).toMatchObject({
    status: 422,
    body: { error_code: "INVALID", fields: { card: ["Your card was declined."] } },
  });
  const asks = await payFor(user, { ...CARD, number: "4000002500003155" });
  expect(asks.confirmed.body.payment_intent.status).toBe("requires_action");
  const yes = await callAs(user, "POST", "/practice/confirm", {
    client_secret: asks.secret,
    card: { ...CARD, number: "4000002500003155" },
    confirmed: 1,
  });
  expect(yes.body.payment_intent.status).toBe("succeeded");
  const past = await payFor(user, { ...CARD, exp_year: 2020 });
  expect(past.confirmed.body.fields.card).toEqual(["Your card's expiration year is in the past."]);
  const stranger = await makeUser();
  expect(
    (await callAs(stranger, "POST", "/practice/confirm", { client_secret: asks.secret, card: CARD })).status,
  ).toBe(404);
});

test("V-16 V-18 C-21 visitors get their sentence, and only the super admin adds free tokens", async () => {
  const [user, admin] = [await makeUser(), await makeUser({ roleId: 10 })];
  expect((await callAs(null, "POST", "/tokens/tokens/redeem-available")).body.message).toBe(
    "Please login or create an account to redeem tokens.",
  );
  expect((await callAs(user, "POST", "/tokens/tokens/add-free", { amount: 5 })).status).toBe(403);
  expect(
    (await callAs(admin, "POST", "/tokens/tokens/add-free", { amount: -5 })).body.fields.amount,
  ).toHaveLength(1);
  const added = await callAs(admin, "POST", "/tokens/tokens/add-free", { amount: 600 });
  expect(added.body).toEqual({ message: "Tokens successfully added", pool: 600 });
});

test("B-15 M-14 the pool gives 500 at once, once in 30 days, and never becomes negative", async () => {
  await db.batch([db.delete(schema.tokenPool), db.delete(schema.poolEntries)]);
  const [admin, ...users] = await Promise.all([
    makeUser({ roleId: 10 }),
    makeUser({ tokens: 0 }),
    makeUser({ tokens: 0 }),
  ]);
  const empty = await callAs(users[0] ?? null, "POST", "/tokens/tokens/redeem-available");
  expect(empty.body).toMatchObject({
    error_code: "CONFLICT",
    message: expect.stringMatching(/does not hold 500 tokens .* on \w+/),
  });
  await callAs(admin ?? null, "POST", "/tokens/tokens/add-free", { amount: 999 });
  const tries = await Promise.all(
    [...users, ...users].map((user) => callAs(user, "POST", "/tokens/tokens/redeem-available")),
  );
  expect(tries.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(tries.find((answer) => answer.status === 200)?.body.message).toBe(
    "500 tokens have been added to your account.",
  );
  const lucky = tries.findIndex((answer) => answer.status === 200) % 2;
  const winner = users[lucky] as TestUser;
  expect((await reload(winner))?.tokens).toBe(50_000);
  await callAs(admin ?? null, "POST", "/tokens/tokens/add-free", { amount: 2000 });
  const again = await redeemTokens(await appOf(winner)).catch((e) => e);
  expect(again.message).toMatch(
    /^You have redeemed free tokens in the last 30 days. Your next chance is on \w+/,
  );
  const later = instant(Date.now() + 30 * DAY + 1000);
  expect(await redeemTokens(await appOf(winner, later))).toEqual({ granted: 50_000 });
  const [pool] = await db.select().from(schema.tokenPool);
  const { results } = await env.DB.prepare("SELECT sum(amount) AS sum FROM pool_entries").all<{
    sum: number;
  }>();
  expect(pool?.remaining).toBe(results[0]?.sum);
});

const minutes = (n: number) => instant(NOW + n * MINUTE);
/** A provider that cannot be reached for these payments. */
const without = (app: App, ids: string[]): App => ({
  ...app,
  payments: {
    ...app.payments,
    getPaymentIntent: (id) =>
      ids.includes(id) ? Promise.reject(new Error("unreachable")) : app.payments.getPaymentIntent(id),
  },
});

test("B-12 C-20 cron credits a payment that was never reported, once, and forgets an unpaid one after a week", async () => {
  await db.delete(schema.openPayments);
  const user = await makeUser({ tokens: 0 });
  const app = await appOf(user);
  const begin = async (toPool: boolean) => (await getPaymentIntent(app, { toPool })).clientSecret;
  const confirm = (clientSecret: string) =>
    callAs(user, "POST", "/practice/confirm", { client_secret: clientSecret, card: CARD });
  const [lost, forPool, told, unpaid] = [
    await begin(false),
    await begin(true),
    await begin(false),
    await begin(false),
  ];
  for (const secret of [lost, forPool, told]) await confirm(secret);
  await purchaseTokens(app, { paymentIntent: told.split("_secret_")[0] ?? "", toPool: false });
  const run = async (n: number, limit?: number) => creditPaidPurchases(await appOf(user, minutes(n)), limit);
  // Not at once, because the page is about to report it.
  expect(await run(5)).toEqual({ asked: 0, credited: 0, failed: 0 });
  expect(await run(11)).toEqual({ asked: 3, credited: 2, failed: 0 });
  expect(await run(11)).toEqual({ asked: 0, credited: 0, failed: 0 });
  expect((await reload(user))?.tokens).toBe(2000);
  expect(
    (await db.select().from(schema.poolEntries)).filter((entry) => entry.userId === user.id),
  ).toMatchObject([{ amount: 1000, reason: "purchase" }]);
  // Checked at growing intervals; a late payment is still found.
  expect((await run(21)).asked).toBe(0);
  expect((await run(23)).asked).toBe(1);
  expect((await run(40)).asked).toBe(0);
  await confirm(unpaid);
  expect(await run(47)).toMatchObject({ credited: 1 });
  expect((await reload(user))?.tokens).toBe(3000);
  await begin(false);
  for (const day of [1, 3, 8, 20]) await run(day * 24 * 60);
  expect(await db.select().from(schema.openPayments)).toEqual([]);
});

test("B-12 an unreachable payment blocks no other, and is checked again", async () => {
  await db.delete(schema.openPayments);
  const user = await makeUser({ tokens: 0 });
  const ids = [];
  for (let n = 0; n < 4; n++) ids.push((await payFor(user)).id);
  const bad = ids.slice(0, 2);
  const run = async (n: number) => creditPaidPurchases(without(await appOf(user, minutes(n)), bad), 2);
  await db.update(schema.openPayments).set({ createdAt: NOW, lookAt: minutes(10) });
  for (const id of bad)
    await db
      .update(schema.openPayments)
      .set({ lookAt: minutes(9) })
      .where(eq(schema.openPayments.paymentIntent, id));
  expect(await run(11)).toEqual({ asked: 2, credited: 0, failed: 2 });
  expect(await run(12)).toEqual({ asked: 2, credited: 2, failed: 0 });
  expect(await creditPaidPurchases(await appOf(user, minutes(30)))).toEqual({
    asked: 2,
    credited: 2,
    failed: 0,
  });
  expect((await reload(user))?.tokens).toBe(4000);
});

test("B-15 a purchase marked token_pool credits the pool, not the buyer", async () => {
  const user = await makeUser({ tokens: 0 });
  const { id } = await payFor(user);
  await callAs(user, "POST", "/tokens/purchase", { paymentIntent: id, token_pool: true });
  expect((await reload(user))?.tokens).toBe(0);
  expect((await db.select().from(schema.poolEntries)).at(-1)).toMatchObject({
    amount: 1000,
    reason: "purchase",
    userId: user.id,
  });
});

function eqId(id: string) {
  return eq(schema.practiceObjects.id, id);
}

test("B-15 the pool refuses on the day before the 30th, and gives again from the 30th day on", async () => {
  await callAs(await makeUser({ roleId: 10 }), "POST", "/tokens/tokens/add-free", { amount: 5000 });
  const user = await makeUser({ tokens: 0 });
  const redeemAt = async (at: number) => redeemTokens(await appOf(user, instant(at)));
  expect(await redeemAt(NOW)).toEqual({ granted: 50_000 });
  for (const early of [NOW + 29 * DAY, NOW + 30 * DAY - 1])
    await expect(redeemAt(early)).rejects.toThrow(
      "You have redeemed free tokens in the last 30 days. Your next chance is on",
    );
  expect(await redeemAt(NOW + 30 * DAY)).toEqual({ granted: 50_000 });
});

test("C-20 B-15 a payment that the webhook has credited to its payer is not answered as one for the pool", async () => {
  const user = await makeUser({ tokens: 0 });
  const app = await appOf(user);
  const [own, pooled] = [await payFor(user), await payFor(user)];
  await settlePurchase(app, await app.payments.getPaymentIntent(own.id));
  const report = (id: string, tokenPool: number) =>
    callAs(user, "POST", "/tokens/purchase", { paymentIntent: id, token_pool: tokenPool });
  expect((await report(own.id, 1)).body).toMatchObject({
    error_code: "CONFLICT",
    message: expect.stringContaining("your own account"),
  });
  expect((await report(own.id, 0)).body).toMatchObject({ token_pool: 0 });
  // A payment for the pool stays one, also where the report leaves it out.
  expect((await report(pooled.id, 1)).body).toMatchObject({ token_pool: 1 });
  expect((await report(pooled.id, 0)).body).toMatchObject({ token_pool: 1 });
  expect((await reload(user))?.tokens).toBe(1000);
});
