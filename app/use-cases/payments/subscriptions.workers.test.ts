// Plans over their whole life, with the practice provider and a test clock.
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { findSubscription } from "#db/queries/payments/payments";
import { listLots, spendTokens } from "#db/queries/tokens";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, NOW, reload, setUser, type TestUser, testApp } from "#tests/support/factories";
import { AppError } from "~/domain/errors";
import { DAY, type Instant, instant } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { customerOf, getPaymentIntent } from "./purchases.server";
import {
  addPaymentMethod,
  cancelSubscription,
  confirmPractice,
  createSubscription,
  readSubscribed,
  renewSubscriptions,
  viewSubscribe,
} from "./subscriptions.server";

const CARD = { number: "4242424242424242", expMonth: 12, expYear: 2030, cvc: "123" };

/** Subscribes with a new card, like the form: create, confirm, reload. */
async function subscribe(user: TestUser, product: string, now: Instant = NOW, number = CARD.number) {
  const app = await appOf(user, now);
  const begun = await createSubscription(app, { product, method: null });
  if (!begun.clientSecret || !app.user) return begun.subscription;
  await app.payments.confirm?.(await customerOf(app, app.user), {
    clientSecret: begun.clientSecret,
    card: { ...CARD, number },
    method: null,
    save: true,
    isConfirmed: true,
  });
  return (await viewSubscribe(app)).subscription;
}
const days = (n: number): Instant => instant(NOW + n * DAY);
const balance = async (user: TestUser, now: Instant) => (await reload(user, now))?.tokens;

test("B-02 B-09 C-26 Basic gives 30 tokens for goals, which expire with the period", async () => {
  const user = await makeUser({ tokens: 0 });
  const subscription = await subscribe(user, "goals_sub");
  expect(subscription).toMatchObject({
    status: "active",
    endDate: null,
    periodEnd: days(30),
    isSubscribed: true,
  });
  expect((await listLots(db, user.id, NOW)).filter((lot) => lot.kind === "subscription")).toMatchObject([
    { remaining: 3000, scope: "goals", expiresAt: days(30) },
  ]);
  expect(await balance(user, days(29))).toBe(3000);
  expect(await balance(user, days(30))).toBe(0);
});

test("B-03 B-10 Plus pays for sessions, Basic does not", async () => {
  const [basic, plus] = [await makeUser({ tokens: 0 }), await makeUser({ tokens: 0 })];
  await subscribe(basic, "1");
  await subscribe(plus, "goals_sessions_sub");
  const join = (user: TestUser) =>
    db.batch(spendTokens(db, { userId: user.id, what: "join", reference: `j:${user.id}`, now: NOW }));
  await expect(join(basic)).rejects.toThrow();
  await join(plus);
  expect(await balance(plus, NOW)).toBe(5900);
});

test("B-16 B-18 renewal: cron grants each period once, at any delay and however often it runs", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sessions_sub");
  const run = async (now: Instant) => renewSubscriptions(await appOf(user, now));
  expect(await run(days(10))).toMatchObject({ renewed: 0 });
  expect(await run(days(31))).toMatchObject({ failed: 0 });
  await run(days(31));
  expect(await balance(user, days(31))).toBe(6000);
  await run(days(95));
  expect(await balance(user, days(95))).toBe(6000);
  expect((await findSubscription(db, user.id))[0]?.periodEnd).toBe(days(120));
});

test("B-18 a run asks for fifty due subscriptions, and counts those with a later period as renewed", async () => {
  await db.delete(schema.subscriptions);
  for (let n = 0; n < 51; n++) await subscribe(await makeUser({ tokens: 0 }), "goals_sub");
  const app = await testApp({ now: days(31) });
  const { getSubscription } = app.payments;
  const late: string[] = [];
  const did = await renewSubscriptions({
    ...app,
    payments: {
      ...app.payments,
      getSubscription: async (id) => {
        const found = await getSubscription(id);
        if (late.length > 0 || !found) return found;
        late.push(id);
        return { ...found, periodEnd: days(30) };
      },
    },
  });
  expect(did).toEqual({ asked: 50, renewed: 49, failed: 0 });
});

test("B-17 C-27 cancelling keeps the paid period, and resuming before its end reverts it", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const cancelled = await cancelSubscription(await appOf(user, days(5)), {});
  expect(cancelled).toMatchObject({ endDate: days(5), isSubscribed: true, status: "active" });
  expect((await cancelSubscription(await appOf(user, days(6)), {})).endDate).toBe(days(5));
  expect(await balance(user, days(20))).toBe(3000);
  const resumed = await createSubscription(await appOf(user, days(7)), {
    product: "goals_sub",
    method: null,
  });
  expect(resumed.subscription.endDate).toBeNull();
  expect(await balance(user, days(20))).toBe(3000);
  await cancelSubscription(await appOf(user, days(8)), {});
  await renewSubscriptions(await appOf(user, days(30.1)));
  expect((await findSubscription(db, user.id))[0]).toMatchObject({ stripeSubStatus: "canceled" });
  expect(await balance(user, days(30.1))).toBe(0);
  // A new subscription begins a new period.
  expect((await subscribe(user, "goals_sub", days(40)))?.periodEnd).toBe(days(70));
  expect(await balance(user, days(41))).toBe(3000);
});

test("B-17 B-20 the practice provider takes no payment of a plan that was cancelled before it was paid", async () => {
  const user = await makeUser({ tokens: 0 });
  const app = await appOf(user);
  const { clientSecret } = await createSubscription(app, { product: "goals_sub", method: null });
  expect((await cancelSubscription(app, {})).status).toBe("canceled");
  const confirmation = { card: CARD, method: null, save: true, isConfirmed: true };
  await expect(
    confirmPractice(app, { ...confirmation, clientSecret: clientSecret ?? "" }),
  ).rejects.toMatchObject({ fields: { card: ["This payment was cancelled."] } });
  expect((await viewSubscribe(app)).subscription).toMatchObject({ status: "canceled", isSubscribed: false });
});

test("B-18 B-20 the practice provider moves a refused renewal on, which another card pays", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const method = await planCardOf(user);
  await db.run(
    sql`UPDATE practice_objects SET body = json_set(body, '$.behaviour', 'declines') WHERE id = ${method}`,
  );
  expect(await planOf(user, days(31))).toMatchObject({
    status: "past_due",
    isPaid: false,
    isSubscribed: true,
  });
  const app = await appOf(user, days(32));
  const { clientSecret } = await createSubscription(app, { product: "goals_sub", method: null });
  const confirmation = { card: CARD, method: null, save: true, isConfirmed: true };
  await confirmPractice(app, { ...confirmation, clientSecret: clientSecret ?? "" });
  expect(await planOf(user, days(32))).toMatchObject({ status: "active", periodEnd: days(60) });
  expect(await balance(user, days(32))).toBe(3000);
});

test("B-18 B-20 the practice provider ends a plan whose renewal is unpaid for 30 days, and keeps one that is paid", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const [row] = await findSubscription(db, user.id);
  const { payments } = await appOf(user, days(1));
  await expect(payments.endSubscription(row?.providerId ?? "", { onlyUnpaid: true })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await planOf(user, days(2))).toMatchObject({ status: "active", isPaid: true });
  const method = await planCardOf(user);
  await db.run(
    sql`UPDATE practice_objects SET body = json_set(body, '$.behaviour', 'declines') WHERE id = ${method}`,
  );
  expect(await planOf(user, days(59))).toMatchObject({ status: "past_due", isSubscribed: true });
  expect(await planOf(user, days(60))).toMatchObject({ status: "canceled", isSubscribed: false });
  expect((await payments.getSubscription(row?.providerId ?? ""))?.status).toBe("canceled");
});

test("B-17 R-10 a cancelled plan gives nothing while its next period waits for a payment", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const state = { stripeSubStatus: "past_due", periodEnd: days(-1) };
  const change = (endDate: Instant | null) =>
    db
      .update(schema.subscriptions)
      .set({ ...state, endDate })
      .where(eq(schema.subscriptions.userId, user.id));
  await change(null);
  expect((await reload(user, NOW))?.subscription).toBe("goals_sub");
  await change(days(-2));
  expect((await reload(user, NOW))?.subscription).toBeNull();
});

test("X-07 a repeated request to resume or to change the plan does so if its first run did not", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const order = { product: "goals_sub", method: null };
  await cancelSubscription(await appOf(user, days(5)), {});
  expect((await readSubscribed(await appOf(user, days(6)), order)).subscription.endDate).toBeNull();
  const again = await readSubscribed(await appOf(user, days(7)), order);
  expect(again.subscription).toMatchObject({ endDate: null, periodEnd: days(30) });
  const up = await readSubscribed(await appOf(user, days(8)), { ...order, product: "goals_sessions_sub" });
  expect(up.subscription.plan.name).toBe("goals_sessions_sub");
  const down = await readSubscribed(await appOf(user, days(9)), order);
  expect(down.subscription).toMatchObject({ nextPlan: "goals_sub", endDate: null });
});

test("X-07 a plan whose period is over unpaid is not answered as subscribed", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const [old] = await findSubscription(db, user.id);
  await db
    .update(schema.subscriptions)
    .set({ stripeSubStatus: "unpaid" })
    .where(eq(schema.subscriptions.userId, user.id));
  const app = await appOf(user, days(31));
  const unpaid = async (id: string) => {
    const found = await app.payments.getSubscription(id);
    return found && id === old?.providerId && found.status !== "canceled"
      ? { ...found, status: "unpaid" as const, isPeriodPaid: false }
      : found;
  };
  const answer = await readSubscribed(
    // The practice provider itself calls the plan paid.
    {
      ...app,
      payments: {
        ...app.payments,
        getSubscription: unpaid,
        endSubscription: (id) => app.payments.endSubscription(id),
      },
    },
    { product: "goals_sub", method: null },
  );
  expect(answer.clientSecret).not.toBeNull();
  expect((await findSubscription(db, user.id))[0]?.providerId).not.toBe(old?.providerId);
});

test("R-09 an upgrade starts a new period with 60 tokens and keeps Basic's rest for everything; a downgrade waits for the end", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  await db.batch(spendTokens(db, { userId: user.id, what: "goal", reference: `g:${user.id}`, now: days(3) }));
  await subscribe(user, "goals_sessions_sub", days(10));
  const lots = await listLots(db, user.id, days(10));
  expect(
    lots.filter((lot) => lot.kind === "subscription").map(({ scope, remaining }) => [scope, remaining]),
  ).toEqual([
    ["all", 2900],
    ["all", 6000],
  ]);
  expect((await findSubscription(db, user.id))[0]).toMatchObject({
    product: "goals_sessions_sub",
    periodEnd: days(40),
  });
  const down = await createSubscription(await appOf(user, days(12)), { product: "goals_sub", method: null });
  expect(down.subscription).toMatchObject({ nextPlan: "goals_sub", plan: { name: "goals_sessions_sub" } });
  await renewSubscriptions(await appOf(user, days(41)));
  expect((await findSubscription(db, user.id))[0]).toMatchObject({ product: "goals_sub", nextProduct: null });
  const after = (await listLots(db, user.id, days(41))).filter((lot) => lot.kind === "subscription");
  expect(after).toMatchObject([{ scope: "goals", remaining: 3000 }]);
});

const ASKS = "4000002500003155";
/** Saves a card whose bank asks at each payment, by a purchase of tokens; its id. */
async function saveAskingCard(user: TestUser, now: Instant): Promise<string> {
  const app = await appOf(user, now);
  const { clientSecret } = await getPaymentIntent(app, { toPool: false });
  const card = { ...CARD, number: ASKS };
  const confirmation = { clientSecret, card, method: null, save: true, isConfirmed: true };
  return (await confirmPractice(app, confirmation)).method;
}
/** The card that the provider charges for the user's plan. */
async function planCardOf(user: TestUser): Promise<string> {
  const [row] = await findSubscription(db, user.id);
  const remote = await (await appOf(user)).payments.getSubscription(row?.providerId ?? "");
  return (remote as unknown as { method: string }).method;
}
const planOf = async (user: TestUser, now: Instant) =>
  (await viewSubscribe(await appOf(user, now))).subscription;

test("C-26 R-09 a change of plan charges the plan's own card, and another that is sent becomes no card of the plan", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const own = await planCardOf(user);
  const method = await saveAskingCard(user, days(1));
  expect(method).not.toBe(own);
  // The other card would have asked.
  const up = await createSubscription(await appOf(user, days(2)), { product: "goals_sessions_sub", method });
  expect(up).toMatchObject({ clientSecret: null, subscription: { plan: { name: "goals_sessions_sub" } } });
  expect(await planCardOf(user)).toBe(own);
  const down = await createSubscription(await appOf(user, days(3)), { product: "goals_sub", method });
  expect(down.subscription.nextPlan).toBe("goals_sub");
  expect(await planCardOf(user)).toBe(own);
});

test("C-28 X-07 a saved card is the answer although the provider does not tell the state of the plan", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const app = await appOf(user, days(1));
  const card = { id: `pm_${user.id}`, brand: "visa", last4: "4242" };
  const payments = {
    ...app.payments,
    attachMethod: async () => card,
    getSubscription: async () => {
      throw new AppError("CONFLICT");
    },
  };
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await addPaymentMethod({ ...app, payments }, { method: card.id })).toEqual(card);
  expect(said.mock.calls.flat().join()).toContain("write-failed");
  said.mockRestore();
  expect((await viewSubscribe(app)).cards).toEqual([card]);
});

test("C-26 R-09 Level Up waits for the card's bank, and the plan follows once it has agreed", async () => {
  const [user, bystander] = [await makeUser({ tokens: 0 }), await makeUser({ tokens: 0 })];
  await subscribe(user, "goals_sub", NOW, ASKS);
  await subscribe(bystander, "goals_sub");
  const method = await planCardOf(user);
  const app = await appOf(user, days(2));
  const order = { product: "goals_sessions_sub", method: null };
  const { clientSecret } = await createSubscription(app, order);
  expect(clientSecret).not.toBeNull();
  expect(await planOf(user, days(2))).toMatchObject({ plan: { name: "goals_sub" }, periodEnd: days(30) });
  const confirmation = { card: null, method, save: true, isConfirmed: true };
  await confirmPractice(app, { ...confirmation, clientSecret: clientSecret ?? "" });
  expect(await planOf(user, days(2))).toMatchObject({
    plan: { name: "goals_sessions_sub" },
    periodEnd: days(32),
  });
  const lots = await listLots(db, user.id, days(2));
  expect(lots.filter((lot) => lot.kind === "subscription").map(({ remaining }) => remaining)).toEqual([
    3000, 6000,
  ]);
  await expect(createSubscription(await appOf(user, days(3)), order)).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await planOf(bystander, days(3))).toMatchObject({
    plan: { name: "goals_sub" },
    periodEnd: days(30),
  });
});

test("C-26 R-09 a second press after the bank has agreed to an upgrade charges nothing", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub", NOW, ASKS);
  const method = await planCardOf(user);
  const order = { product: "goals_sessions_sub", method: null };
  const app = await appOf(user, days(2));
  const { clientSecret } = await createSubscription(app, order);
  if (!app.user) throw new Error("no user");
  // Its answer never reached the page, so nothing has read the subscription again.
  await app.payments.confirm?.(await customerOf(app, app.user), {
    clientSecret: clientSecret ?? "",
    card: null,
    method,
    save: false,
    isConfirmed: true,
  });
  const again = await createSubscription(await appOf(user, days(3)), order);
  expect(again).toMatchObject({
    clientSecret: null,
    subscription: { plan: { name: "goals_sessions_sub" }, periodEnd: days(32) },
  });
  expect(await balance(user, days(3))).toBe(9000);
});

test("M-09 subscribing to the present plan is CONFLICT, an unknown plan NOT_FOUND, and visitors get their sentence (V-13)", async () => {
  const user = await makeUser();
  await subscribe(user, "goals_sub", instant(Date.now()));
  const again = await callAs(user, "POST", "/api/subscriptions/create/goals_sub", {});
  expect(again).toMatchObject({ status: 409, body: { message: "You are already subscribed!" } });
  expect((await callAs(user, "POST", "/api/subscriptions/create/gold", {})).status).toBe(404);
  expect((await callAs(null, "POST", "/api/subscriptions/create/goals_sub", {})).body.message).toBe(
    "Please login or create an account to subscribe.",
  );
  const page = await callAs(user, "GET", "/api/subscribe");
  expect(page.body.serverData).toMatchObject({
    subscription: { product: { title: "Basic", price: 4 }, stripe_sub_status: "active", end_date: null },
    products: [{ name: "goals_sub" }, { name: "goals_sessions_sub" }],
  });
});

test("C-28 E-04 saved cards show brand and last4, and another user's card is unusable", async () => {
  const [user, thief] = [await makeUser(), await makeUser()];
  const intent = await callAs(user, "GET", "/tokens/get-payment-intent");
  const card = { number: "4242424242424242", exp_month: 1, exp_year: 31, cvc: "123" };
  const paid = await callAs(user, "POST", "/practice/confirm", {
    client_secret: intent.body.client_secret,
    card,
    save: 1,
  });
  const method = paid.body.payment_intent.payment_method;
  const page = await callAs(user, "GET", "/api/subscribe");
  expect(page.body.serverData.payment_methods).toEqual([
    { id: method, card: { brand: "visa", last4: "4242" } },
  ]);
  expect(
    (await callAs(thief, "POST", "/api/subscriptions/add-payment-method", { payment_method: method })).status,
  ).toBe(404);
  const stolen = await callAs(thief, "POST", "/api/subscriptions/create/goals_sub", {
    default_payment_method: method,
  });
  expect(stolen.status).toBe(404);
  const own = await callAs(user, "POST", "/api/subscriptions/create/goals_sub", {
    default_payment_method: method,
  });
  expect(own).toMatchObject({
    status: 201,
    body: { type: null, clientSecret: null, subscription: { stripe_sub_status: "active" } },
  });
});

test("X-17 the deletion of an account ends its plan at the provider", async () => {
  const user = await makeUser({ tokens: 0 });
  await subscribe(user, "goals_sub");
  const app = await appOf(user);
  const [row] = await findSubscription(db, user.id);
  const status = async () => (await app.payments.getSubscription(row?.providerId ?? ""))?.status;
  expect(await status()).toBe("active");
  await setUser(user.id, { deletionDueAt: NOW });
  expect(await deleteDueAccounts(app, 50)).toMatchObject({ deleted: 1 });
  expect(await status()).toBe("canceled");
});
