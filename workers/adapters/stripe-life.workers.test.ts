// The real Stripe adapter and library against the stateful stand-in: whole lives of subscriptions. Their events arrive in
// order, late, twice, out of order or not at all.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { db, NOW } from "#tests/support/factories";
import { beginLife, type Life, runPaymentJobs } from "#tests/support/stripe/life";
import type { CardBehaviour, StripeEvent } from "#tests/support/stripe/objects";
import { losingAnswersTo, quietly } from "#tests/support/stripe/plans";
import { DAY } from "~/domain/time";
import { getPaymentIntent } from "~/use-cases/payments/purchases.server";
import { cancelSubscription, createSubscription } from "~/use-cases/payments/subscriptions.server";

const MODES: Record<string, (life: Life, late: StripeEvent[]) => Promise<StripeEvent[]>> = {
  "in order": async (life) => {
    await life.deliver(life.news());
    return [];
  },
  doubled: async (life) => {
    const news = life.news();
    await life.deliver([...news, ...news]);
    return [];
  },
  "in the opposite order": async (life) => {
    await life.deliver(life.news().reverse());
    return [];
  },
  "a step late, with cron": async (life, late) => {
    await life.deliver(late);
    await runPaymentJobs(life);
    return life.news();
  },
  "missing, with cron": async (life) => {
    life.news();
    await runPaymentJobs(life);
    return [];
  },
};

for (const [mode, tell] of Object.entries(MODES)) {
  test(`B-16 B-17 B-18 R-09 a subscription ends in the same state when its events arrive ${mode}`, async () => {
    const life = await beginLife();
    const { stripe, day } = life;
    let late: StripeEvent[] = [];
    const settled = async () => {
      late = await tell(life, late);
      const { product, nextProduct, stripeSubStatus, endDate } = (await life.subscription()) ?? {};
      return [stripeSubStatus, product, nextProduct ?? null, endDate != null, await life.balance()];
    };
    const subscribe = async (product: string) =>
      createSubscription(await life.app(), { product, method: null });

    // This card requires 3-D Secure.
    const begun = await subscribe("goals_sub");
    expect(begun).toMatchObject({
      type: "payment",
      subscription: { status: "incomplete", isSubscribed: false },
    });
    const [asks, pays, declines] = (["asks", "pays", "declines"] as CardBehaviour[]).map((how) =>
      stripe.newCard(how),
    ) as [string, string, string];
    expect(stripe.confirm(begun.clientSecret ?? "", asks)).toBe("requires_action");
    expect(await settled()).toEqual(["incomplete", "goals_sub", null, false, 0]);
    stripe.confirm(begun.clientSecret ?? "", asks, { isConfirmed: true });
    expect(await settled()).toEqual(["active", "goals_sub", null, false, 3000]);

    // Nobody confirms the renewal; the second retry uses another card.
    day(31);
    expect(await settled()).toEqual(["past_due", "goals_sub", null, false, 0]);
    day(34);
    stripe.replaceCard((await life.subscription())?.providerId ?? "", pays);
    expect(await settled()).toEqual(["past_due", "goals_sub", null, false, 0]);
    day(39);
    expect(await settled()).toEqual(["active", "goals_sub", null, false, 3000]);

    // An upgrade applies at once, a downgrade at the period's end.
    day(40);
    const up = await subscribe("goals_sessions_sub");
    expect(up).toMatchObject({ clientSecret: null, subscription: { plan: { name: "goals_sessions_sub" } } });
    expect(await settled()).toEqual(["active", "goals_sessions_sub", null, false, 9000]);
    day(45);
    await subscribe("goals_sub");
    expect(await settled()).toEqual(["active", "goals_sessions_sub", "goals_sub", false, 9000]);
    day(71);
    expect(await settled()).toEqual(["active", "goals_sub", null, false, 3000]);

    // Cancelled, resumed, cancelled; a plan change that the card refuses leaves the subscription cancelled.
    day(75);
    await cancelSubscription(await life.app(), {});
    expect(await settled()).toEqual(["active", "goals_sub", null, true, 3000]);
    await subscribe("goals_sub");
    expect(await settled()).toEqual(["active", "goals_sub", null, false, 3000]);
    await cancelSubscription(await life.app(), {});
    stripe.replaceCard((await life.subscription())?.providerId ?? "", declines);
    day(80);
    expect(await subscribe("goals_sessions_sub")).toMatchObject({ type: "payment" });
    expect(await settled()).toEqual(["active", "goals_sub", null, true, 3000]);
    day(82);
    expect(await settled()).toEqual(["active", "goals_sub", null, true, 3000]);
    day(101);
    expect(await settled()).toEqual(["canceled", "goals_sub", null, true, 0]);
    expect(await settled()).toEqual(["canceled", "goals_sub", null, true, 0]);
  });
}

test("B-17 R-09 a paid upgrade revokes a cancellation, also after 3-D Secure", async () => {
  for (const how of ["pays", "asks"] as const) {
    const life = await beginLife();
    const { stripe } = life;
    const begun = await createSubscription(await life.app(), { product: "goals_sub", method: null });
    const card = stripe.newCard(how);
    stripe.confirm(begun.clientSecret ?? "", card, { isConfirmed: true });
    await life.deliver(life.news());
    await cancelSubscription(await life.app(), {});
    const up = await createSubscription(await life.app(), { product: "goals_sessions_sub", method: null });
    if (how === "asks") {
      expect((await life.subscription())?.endDate).not.toBeNull();
      stripe.confirm(up.clientSecret ?? "", card, { isConfirmed: true });
      await life.deliver(life.news());
    }
    const after = await life.subscription();
    expect(after).toMatchObject({ product: "goals_sessions_sub", endDate: null });
    expect(stripe.read(after?.providerId ?? "")).toMatchObject({ cancel_at_period_end: false });
  }
});

test("X-07 the press after a lost answer pays for the subscription that the first press made", async () => {
  const life = await beginLife();
  const { stripe } = life;
  await getPaymentIntent(await life.app(), { toPool: false });
  const order = { product: "goals_sub", method: null, key: "k" };
  const payments = losingAnswersTo(life, /^POST \/v1\/subscriptions$/);
  await quietly(async () => {
    await expect(createSubscription({ ...(await life.app()), payments }, order)).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });
  await life.deliver(life.news());
  const made = await life.subscription();
  expect(made).toMatchObject({ stripeSubStatus: "incomplete" });
  const { clientSecret } = await createSubscription(await life.app(), order);
  expect(stripe.confirm(clientSecret ?? "", stripe.newCard("pays"))).toBe("succeeded");
  await life.deliver(life.news());
  expect(await life.subscription()).toMatchObject({
    providerId: made?.providerId,
    stripeSubStatus: "active",
  });
  // Another press, under another key, would have replaced it.
  const other = await beginLife();
  const first = await createSubscription(await other.app(), { ...order, key: "a" });
  const second = await createSubscription(await other.app(), { ...order, key: "b" });
  expect(second.subscription.id).not.toBe(first.subscription.id);
  await other.deliver(other.news());
  const rows = await db
    .select({ status: schema.subscriptions.stripeSubStatus })
    .from(schema.subscriptions)
    .where(eq(schema.subscriptions.userId, other.user.id))
    .orderBy(schema.subscriptions.id);
  expect(rows.map(({ status }) => status)).toEqual(["canceled", "incomplete"]);
});

test("B-18 X-07 a first payment that another tab confirms during a press is kept", async () => {
  const life = await beginLife();
  const { stripe } = life;
  const order = { product: "goals_sub", method: null };
  const begun = await createSubscription(await life.app(), { ...order, key: "a" });
  let reads = 0;
  stripe.interrupt = (method, path) => {
    if (method === "GET" && path.startsWith("/v1/subscriptions/") && ++reads === 2)
      stripe.confirm(begun.clientSecret ?? "", stripe.newCard("pays"));
    return null;
  };
  await expect(createSubscription(await life.app(), { ...order, key: "b" })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "You are already subscribed!",
  });
  stripe.interrupt = null;
  await life.deliver(life.news());
  expect(await life.subscription()).toMatchObject({ stripeSubStatus: "active" });
  expect(await life.balance()).toBe(3000);
});

test("B-17 X-07 a plan stays the user's after two first payments that were never finished", async () => {
  const life = await beginLife();
  const { stripe, day } = life;
  const order = { product: "goals_sub", method: null };
  await createSubscription(await life.app(), { ...order, key: "a" });
  const payments = losingAnswersTo(life, /^POST \/v1\/subscriptions$/);
  await quietly(async () => {
    await expect(
      createSubscription({ ...(await life.app()), payments }, { ...order, key: "b" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
  });
  const { clientSecret } = await createSubscription(await life.app(), { ...order, key: "c" });
  stripe.confirm(clientSecret ?? "", stripe.newCard("pays"));
  day(2);
  // The events of the second come last.
  await life.deliver(life.news().reverse());
  await runPaymentJobs(life);
  expect(await life.subscription()).toMatchObject({ stripeSubStatus: "active" });
  expect((await cancelSubscription(await life.app(), {})).endDate).not.toBeNull();
});

test("X-07 an upgrade whose answer was lost is not made and charged again under another key", async () => {
  const life = await beginLife();
  const { stripe, day } = life;
  const begun = await createSubscription(await life.app(), { product: "goals_sub", method: null });
  stripe.confirm(begun.clientSecret ?? "", stripe.newCard("pays"));
  await life.deliver(life.news());
  day(1);
  const up = { product: "goals_sessions_sub", method: null };
  const payments = losingAnswersTo(life, /^POST \/v1\/subscriptions\/\w+$/);
  await quietly(async () => {
    await expect(
      createSubscription({ ...(await life.app()), payments }, { ...up, key: "a" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
  });
  day(2);
  const answer = await createSubscription(await life.app(), { ...up, key: "b" });
  expect(answer).toMatchObject({
    clientSecret: null,
    subscription: { plan: { name: "goals_sessions_sub" } },
  });
  await life.deliver(life.news());
  expect((await life.subscription())?.periodStart).toBe(NOW + DAY);
  expect(await life.balance()).toBe(9000);
});

test("B-18 an unpaid first payment expires, and three failed retries end a subscription", async () => {
  const life = await beginLife();
  const { stripe, day } = life;
  await createSubscription(await life.app(), { product: "goals_sub", method: null });
  day(1);
  await life.deliver(life.news());
  expect(await life.subscription()).toMatchObject({ stripeSubStatus: "incomplete_expired" });
  const begun = await createSubscription(await life.app(), { product: "goals_sub", method: null });
  stripe.confirm(begun.clientSecret ?? "", stripe.newCard("pays"));
  const { providerId = "" } = (await life.subscription()) ?? {};
  stripe.replaceCard(providerId, stripe.newCard("declines"));
  day(50);
  await life.deliver(life.news());
  expect(await life.subscription()).toMatchObject({ providerId, stripeSubStatus: "canceled" });
  expect(await life.balance()).toBe(0);
});
