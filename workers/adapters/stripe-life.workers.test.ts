// The real Stripe adapter and library against the stateful stand-in: whole lives of subscriptions and payments. Their
// events arrive in order, late, twice, out of order or not at all.
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { spendTokens } from "#db/queries/tokens";
import { callAs } from "#tests/support/ask";
import { db, NOW, reload, type TestUser } from "#tests/support/factories";
import { answerOutage, beginLife, type Life, runPaymentJobs, STRIPE_KEYS } from "#tests/support/stripe/life";
import type { CardBehaviour, StripeEvent } from "#tests/support/stripe/objects";
import { DAY, HOUR, instant } from "~/domain/time";
import { getPaymentIntent, purchaseTokens, viewLedger } from "~/use-cases/payments/purchases.server";
import {
  cancelSubscription,
  createSubscription,
  readSubscribed,
  renewSubscriptions,
  stopRenewalOf,
  viewSubscribe,
} from "~/use-cases/payments/subscriptions.server";
import { catchUpWithProvider } from "~/use-cases/payments/webhook.server";
import { createStripePayments } from "./stripe-payments";

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

/** The provider without its answers to these requests, which it fulfils all the same. */
const losingAnswersTo = ({ stripe }: Life, lost: RegExp) =>
  createStripePayments(STRIPE_KEYS, async (...request) => {
    const answer = await stripe.fetch(...request);
    const { method, path } = stripe.asked.at(-1) ?? {};
    if (lost.test(`${method} ${path}`)) throw new TypeError("connection lost");
    return answer;
  });
const quietly = async (work: () => Promise<void>) => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  await work();
  said.mockRestore();
};

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

/** A paid plan whose card renews it so, half an hour after its first 30 days. The answer has its id. */
async function renewing(how: CardBehaviour) {
  const life = await beginLife();
  const { stripe } = life;
  const begun = await createSubscription(await life.app(), { product: "goals_sub", method: null });
  stripe.confirm(begun.clientSecret ?? "", stripe.newCard("pays"));
  await life.deliver(life.news());
  const { providerId = "" } = (await life.subscription()) ?? {};
  stripe.replaceCard(providerId, stripe.newCard(how));
  stripe.advance(NOW + 30 * DAY + HOUR / 2);
  await runPaymentJobs(life);
  const view = async () => (await viewSubscribe(await life.app())).subscription;
  const press = async (product: string) => createSubscription(await life.app(), { product, method: null });
  /** The subscriptions that were begun or ended. */
  const orders = () =>
    stripe.asked.filter(({ method, path }) =>
      /^(POST \/v1\/subscriptions|DELETE \/v1\/subscriptions\/\w+)$/.test(`${method} ${path}`),
    ).length;
  const plan = async () => (await reload(life.user, instant(stripe.now * 1000)))?.subscription;
  return { life, stripe, providerId, view, press, orders, plan };
}
const BASIC = { product: "goals_sub", key: "k", method: null };

test("B-18 U-13 R-10 a plan whose renewal is a draft for an hour goes on: it is not bought again, and its tokens come with the payment", async () => {
  const { life, stripe, providerId, view, press, orders, plan } = await renewing("pays");
  expect(await view()).toMatchObject({ isSubscribed: true, isPaid: false, status: "active", endDate: null });
  expect([await plan(), await life.balance()]).toEqual(["goals_sub", 0]);
  await expect(press("goals_sub")).rejects.toThrow("You are already subscribed!");
  await expect(press("goals_sessions_sub")).rejects.toThrow("The renewal of your plan is being paid.");
  // A repeated request to subscribe is answered by the plan.
  expect(await readSubscribed(await life.app(), BASIC)).toMatchObject({ clientSecret: null });
  expect([orders(), await life.balance()]).toEqual([1, 0]);
  stripe.advance(NOW + 30 * DAY + 2 * HOUR);
  await life.deliver(life.news());
  expect(await view()).toMatchObject({ isPaid: true, periodEnd: NOW + 60 * DAY });
  expect([(await life.subscription())?.providerId, await life.balance()]).toEqual([providerId, 3000]);
});

test("B-18 U-13 a plan whose renewal was refused goes on unpaid, and another card pays for it once", async () => {
  const { life, stripe, providerId, view, press, orders, plan } = await renewing("declines");
  stripe.advance(NOW + 31 * DAY);
  await life.deliver(life.news());
  expect(await view()).toMatchObject({ isSubscribed: true, isPaid: false, status: "past_due" });
  expect([await plan(), await life.balance()]).toEqual(["goals_sub", 0]);
  const { type, clientSecret, subscription } = await press("goals_sub");
  expect([type, subscription.status]).toEqual(["payment", "past_due"]);
  expect(await readSubscribed(await life.app(), BASIC)).toMatchObject({ type, clientSecret });
  stripe.confirm(clientSecret ?? "", stripe.newCard("pays"));
  expect(await view()).toMatchObject({ isPaid: true, status: "active", periodEnd: NOW + 60 * DAY });
  await expect(press("goals_sub")).rejects.toThrow("You are already subscribed!");
  expect([orders(), (await life.subscription())?.providerId, await life.balance()]).toEqual([
    1,
    providerId,
    3000,
  ]);
});

const INTENTS = ["cancelled", "suspended"] as const;
for (const [how, hours] of [
  ["pays", 0.5],
  ["declines", 24],
] as const)
  test.each(INTENTS)(
    `B-16 B-17 a plan that is %s ${hours} hours into its unpaid 30 days is over, and is not charged for them`,
    async (intent) => {
      const { life, stripe, view, providerId } = await renewing(how);
      stripe.advance(NOW + 30 * DAY + hours * HOUR);
      await life.deliver(life.news());
      const { clientSecret } = (await (await life.app()).payments.getSubscription(providerId)) ?? {};
      if (intent === "cancelled") {
        const { endDate, status, isSubscribed } = await cancelSubscription(await life.app(), {});
        expect([status, isSubscribed]).toEqual(["canceled", false]);
        expect(endDate).not.toBeNull();
      } else await stopRenewalOf(await life.app(), life.user.id);
      stripe.replaceCard(providerId, stripe.newCard("pays"));
      stripe.advance(NOW + 70 * DAY);
      await life.deliver(life.news());
      await runPaymentJobs(life);
      expect([stripe.paid, await life.balance()]).toEqual([1, 0]);
      expect(await view()).toMatchObject({ status: "canceled", isSubscribed: false });
      // A card form that was open does not pay for it.
      expect(clientSecret != null).toBe(how === "declines");
      if (clientSecret)
        expect(() => stripe.confirm(clientSecret, stripe.newCard("pays"))).toThrow("canceled");
    },
  );

test("B-17 a plan that the provider cancelled while its renewal is unpaid is over with the next news of it", async () => {
  const { life, stripe, providerId } = await renewing("pays");
  await (await life.app()).payments.setCancelAtPeriodEnd(providerId, true);
  await life.deliver(life.news());
  stripe.advance(NOW + 31 * DAY);
  await life.deliver(life.news());
  expect([stripe.paid, (await life.subscription())?.stripeSubStatus]).toEqual([1, "canceled"]);
});

/** Something happens at the provider just before it answers the request of this number among those like `request`. */
function happensBefore({ stripe }: Life, [request, number]: Moment, happen: () => void) {
  let seen = 0;
  stripe.interrupt = (method, path) => {
    if (request.test(`${method} ${path}`) && ++seen === number) happen();
    return null;
  };
}
type Moment = [request: RegExp, number: number];
const READ = /^GET .v1.subscriptions.\w+$/;
const VOID = /void$/;
const BEING_PAID = {
  code: "CONFLICT",
  message: "Your payment is being made right now. Please look again in a moment.",
};

test.each<Moment>([
  [READ, 2],
  [VOID, 1],
])(
  "B-17 B-18 a renewal that is paid during a cancellation keeps its 30 days (before %s, %i)",
  async (...moment) => {
    const { life, stripe, view, providerId } = await renewing("declines");
    stripe.advance(NOW + 31 * DAY);
    await life.deliver(life.news());
    const { clientSecret } = (await (await life.app()).payments.getSubscription(providerId)) ?? {};
    happensBefore(life, moment, () => stripe.confirm(clientSecret ?? "", stripe.newCard("pays")));
    await expect(cancelSubscription(await life.app(), {})).rejects.toMatchObject(BEING_PAID);
    stripe.interrupt = null;
    await life.deliver(life.news());
    expect(await view()).toMatchObject({ isPaid: true, periodEnd: NOW + 60 * DAY });
    expect((await cancelSubscription(await life.app(), {})).endDate).not.toBeNull();
    expect([await life.balance(), (await view())?.isPaid]).toEqual([3000, true]);
    stripe.advance(NOW + 61 * DAY);
    await life.deliver(life.news());
    expect([stripe.paid, (await view())?.status]).toEqual([2, "canceled"]);
  },
);

test("B-17 B-18 a draft that is charged during a cancellation keeps its 30 days", async () => {
  const { life, stripe, view } = await renewing("pays");
  happensBefore(life, [/^POST .v1.invoices.\w+$/, 1], () => stripe.advance(NOW + 30 * DAY + 2 * HOUR));
  await expect(cancelSubscription(await life.app(), {})).rejects.toMatchObject(BEING_PAID);
  stripe.interrupt = null;
  await life.deliver(life.news());
  expect(await view()).toMatchObject({ isPaid: true, periodEnd: NOW + 60 * DAY });
  expect([stripe.paid, await life.balance()]).toEqual([2, 3000]);
});

test.each<Moment>([
  [READ, 2],
  [VOID, 1],
])(
  "B-17 B-18 a first payment that is made during a cancellation gives its 30 days (before %s, %i)",
  async (...moment) => {
    const life = await beginLife();
    const { stripe } = life;
    const { clientSecret } = await createSubscription(await life.app(), BASIC);
    happensBefore(life, moment, () => stripe.confirm(clientSecret ?? "", stripe.newCard("pays")));
    await expect(cancelSubscription(await life.app(), {})).rejects.toMatchObject(BEING_PAID);
    stripe.interrupt = null;
    await life.deliver(life.news());
    expect((await life.subscription())?.stripeSubStatus).toBe("active");
    expect([stripe.paid, await life.balance()]).toEqual([1, 3000]);
  },
);

test.each<Moment>([
  [READ, 3],
  [VOID, 1],
])(
  "B-18 a renewal that is paid while another plan replaces it is the only payment (before %s, %i)",
  async (...moment) => {
    const { life, stripe, view, press, orders } = await renewing("declines");
    stripe.advance(NOW + 31 * DAY);
    await life.deliver(life.news());
    const { clientSecret } = await press("goals_sub");
    happensBefore(life, moment, () => stripe.confirm(clientSecret ?? "", stripe.newCard("pays")));
    await expect(press("goals_sessions_sub")).rejects.toMatchObject(BEING_PAID);
    stripe.interrupt = null;
    await life.deliver(life.news());
    expect(await view()).toMatchObject({ plan: { name: "goals_sub" }, isPaid: true });
    expect([stripe.paid, orders(), await life.balance()]).toEqual([2, 1, 3000]);
  },
);

test("B-17 C-27 a cancellation answers the cancelled plan when the news of it ends the plan first", async () => {
  const { life, stripe, view } = await renewing("declines");
  stripe.advance(NOW + 31 * DAY);
  await life.deliver(life.news());
  stripe.interrupt = async (_, path) => {
    if (!VOID.test(path)) return null;
    stripe.interrupt = null;
    await life.deliver(life.news());
    return null;
  };
  expect((await cancelSubscription(await life.app(), {})).status).toBe("canceled");
  expect([stripe.paid, (await view())?.status]).toEqual([1, "canceled"]);
});

test.each([0.5, 24])(
  "C-27 X-07 a repeated cancellation answers the cancelled plan, %d hours into its unpaid 30 days",
  async (hours) => {
    const { life, stripe } = await renewing("declines");
    stripe.advance(NOW + 30 * DAY + hours * HOUR);
    await life.deliver(life.news());
    const first = await cancelSubscription(await life.app(), {});
    expect(first).toMatchObject({ status: "canceled", endDate: expect.any(Number) });
    await life.deliver(life.news());
    expect(await cancelSubscription(await life.app(), { id: first.id })).toEqual(first);
    expect(await cancelSubscription(await life.app(), {})).toEqual(first);
  },
);

test("B-17 B-18 another plan cannot be chosen while a cancellation runs", async () => {
  const { life, stripe, press, orders } = await renewing("declines");
  stripe.advance(NOW + 31 * DAY);
  await life.deliver(life.news());
  let refused: unknown = null;
  stripe.interrupt = async () => {
    stripe.interrupt = null;
    refused = await press("goals_sessions_sub").catch((error) => error.message);
    return null;
  };
  expect((await cancelSubscription(await life.app(), {})).status).toBe("canceled");
  expect(refused).toBe("This request is being worked on. Please wait a moment.");
  // The first order, and the end.
  expect(orders()).toBe(2);
});

test("B-17 a first payment that is cancelled cannot be made any more", async () => {
  const life = await beginLife();
  const { clientSecret } = await createSubscription(await life.app(), BASIC);
  expect((await cancelSubscription(await life.app(), {})).status).toBe("canceled");
  expect(() => life.stripe.confirm(clientSecret ?? "", life.stripe.newCard("pays"))).toThrow("canceled");
  expect(life.stripe.paid).toBe(0);
});

test("B-17 a cancelled plan with paid time left stays usable after an upgrade that was refused", async () => {
  const life = await beginLife();
  const { stripe } = life;
  const begun = await createSubscription(await life.app(), BASIC);
  stripe.confirm(begun.clientSecret ?? "", stripe.newCard("pays"));
  await life.deliver(life.news());
  stripe.replaceCard((await life.subscription())?.providerId ?? "", stripe.newCard("declines"));
  await createSubscription(await life.app(), { product: "goals_sessions_sub", method: null });
  const cancelled = await cancelSubscription(await life.app(), {});
  expect(cancelled).toMatchObject({ status: "active", isPaid: true, endDate: expect.any(Number) });
  await life.deliver(life.news());
  expect((await life.subscription())?.stripeSubStatus).toBe("active");
});

test("B-17 B-18 a plan that a restore forgot goes on after an upgrade that was given up", async () => {
  const life = await beginLife();
  const { stripe, day } = life;
  const begun = await createSubscription(await life.app(), BASIC);
  stripe.confirm(begun.clientSecret ?? "", stripe.newCard("pays"));
  await life.deliver(life.news());
  const { providerId = "" } = (await life.subscription()) ?? {};
  stripe.replaceCard(providerId, stripe.newCard("declines"));
  await createSubscription(await life.app(), { product: "goals_sessions_sub", method: null });
  await db.delete(schema.subscriptions).where(eq(schema.subscriptions.userId, life.user.id));
  day(2);
  await life.deliver(life.news());
  await runPaymentJobs(life);
  expect([stripe.read(providerId)?.status, (await life.subscription())?.stripeSubStatus]).toEqual([
    "active",
    "active",
  ]);
});

test("B-18 another plan replaces one whose renewal was refused, and only the new one is charged", async () => {
  const { life, stripe, view, press, providerId } = await renewing("declines");
  stripe.advance(NOW + 31 * DAY);
  await life.deliver(life.news());
  const old = (await press("goals_sub")).clientSecret ?? "";
  const { clientSecret, subscription } = await press("goals_sessions_sub");
  expect(subscription).toMatchObject({ plan: { name: "goals_sessions_sub" }, status: "incomplete" });
  expect(() => stripe.confirm(old, stripe.newCard("pays"))).toThrow("canceled");
  stripe.confirm(clientSecret ?? "", stripe.newCard("pays"));
  stripe.replaceCard(providerId, stripe.newCard("pays"));
  stripe.advance(NOW + 50 * DAY);
  await life.deliver(life.news());
  await runPaymentJobs(life);
  expect(await view()).toMatchObject({ plan: { name: "goals_sessions_sub" }, isPaid: true });
  expect([stripe.paid, await life.balance()]).toEqual([2, 6000]);
});

test("B-18 a renewal that the operator gave up makes nobody a subscriber, and the plan may be bought again", async () => {
  const { life, stripe, view, press, plan } = await renewing("declines");
  stripe.advance(NOW + 31 * DAY);
  stripe.giveUp((await life.subscription())?.providerId ?? "");
  await life.deliver(life.news());
  expect([await plan(), (await view())?.isSubscribed]).toEqual([null, false]);
  const { clientSecret } = await press("goals_sub");
  stripe.confirm(clientSecret ?? "", stripe.newCard("pays"));
  stripe.advance(NOW + 60.5 * DAY);
  await life.deliver(life.news());
  expect(await view()).toMatchObject({ isPaid: true, periodEnd: NOW + 61 * DAY });
  expect([stripe.paid, await life.balance()]).toEqual([2, 3000]);
});

/** A month later, with a card that would pay. The answer is the number of payments, and the plan's status. */
async function aMonthLater({ life, stripe, providerId }: Awaited<ReturnType<typeof renewing>>) {
  stripe.replaceCard(providerId, stripe.newCard("pays"));
  stripe.advance(NOW + 60 * DAY + HOUR / 2);
  await life.deliver(life.news());
  stripe.advance(NOW + 65 * DAY);
  await life.deliver(life.news());
  await runPaymentJobs(life);
  return [stripe.paid, (await life.subscription())?.stripeSubStatus];
}

test("B-18 a plan whose renewal the operator gave up ends, and nothing more is charged", async () => {
  const plan = await renewing("declines");
  plan.stripe.advance(NOW + 31 * DAY);
  plan.stripe.giveUp(plan.providerId);
  await plan.life.deliver(plan.life.news());
  expect(await plan.view()).toMatchObject({ status: "canceled", isSubscribed: false });
  expect(await aMonthLater(plan)).toEqual([1, "canceled"]);
});

test("B-18 X-07 a plan whose end was lost while another was to replace it ends with its next news", async () => {
  const plan = await renewing("declines");
  const { life, stripe, press, view } = plan;
  stripe.advance(NOW + 31 * DAY);
  await life.deliver(life.news());
  stripe.interrupt = (method) => (method === "DELETE" ? answerOutage() : null);
  await quietly(async () => {
    await expect(press("goals_sessions_sub")).rejects.toThrow("does not answer right now");
  });
  stripe.interrupt = null;
  await life.deliver(life.news());
  expect(await view()).toMatchObject({ status: "canceled", isSubscribed: false });
  expect(await aMonthLater(plan)).toEqual([1, "canceled"]);
});

test.each([
  ["past_due", true],
  ["unpaid", false],
] as const)(
  "B-18 a plan that the provider leaves %s ends after 30 unpaid days, and nothing more is charged",
  async (status, isSubscribed) => {
    const plan = await renewing("declines");
    plan.stripe.afterRetries = status;
    plan.stripe.advance(NOW + 59 * DAY);
    await plan.life.deliver(plan.life.news());
    expect(await plan.view()).toMatchObject({ status, isSubscribed });
    expect(await aMonthLater(plan)).toEqual([1, "canceled"]);
  },
);

test("B-18 the job finds a plan that the provider leaves unpaid, without news of it", async () => {
  const plan = await renewing("declines");
  plan.stripe.afterRetries = "unpaid";
  plan.stripe.advance(NOW + 59 * DAY);
  await plan.life.deliver(plan.life.news());
  plan.stripe.advance(NOW + 61 * DAY);
  await renewSubscriptions(await plan.life.app());
  expect((await plan.life.subscription())?.stripeSubStatus).toBe("canceled");
});

test("B-18 a card form that was open when a plan ended unpaid pays for none of its periods", async () => {
  const { life, stripe, view, press } = await renewing("declines");
  stripe.afterRetries = "past_due";
  stripe.advance(NOW + 59 * DAY);
  await life.deliver(life.news());
  const { clientSecret } = await press("goals_sub");
  stripe.advance(NOW + 60.5 * DAY);
  await life.deliver(life.news());
  expect((await view())?.status).toBe("canceled");
  expect(() => stripe.confirm(clientSecret ?? "", stripe.newCard("pays"))).toThrow("canceled");
  expect(stripe.paid).toBe(1);
});

test("B-18 a plan that the provider leaves past due is over after 30 unpaid days", async () => {
  const { life, stripe, view, press, plan } = await renewing("declines");
  stripe.afterRetries = "past_due";
  stripe.advance(NOW + 59 * DAY);
  await life.deliver(life.news());
  expect([await plan(), (await view())?.isSubscribed]).toEqual(["goals_sub", true]);
  stripe.advance(NOW + 60.5 * DAY);
  await life.deliver(life.news());
  expect([await plan(), (await view())?.isSubscribed]).toEqual([null, false]);
  const { clientSecret } = await press("goals_sub");
  stripe.confirm(clientSecret ?? "", stripe.newCard("pays"));
  await life.deliver(life.news());
  expect([stripe.paid, await life.balance()]).toEqual([2, 3000]);
});

test("B-18 R-09 a refused renewal after a downgrade is paid for as the lower plan", async () => {
  const { life, stripe, view, press, orders } = await renewing("pays");
  stripe.advance(NOW + 31 * DAY);
  await press("goals_sessions_sub");
  await press("goals_sub");
  const { providerId = "" } = (await life.subscription()) ?? {};
  stripe.replaceCard(providerId, stripe.newCard("declines"));
  stripe.advance(NOW + 62 * DAY);
  await life.deliver(life.news());
  const waiting = { plan: { name: "goals_sessions_sub" }, nextPlan: "goals_sub", status: "past_due" };
  expect(await view()).toMatchObject(waiting);
  const { clientSecret } = await press("goals_sub");
  stripe.confirm(clientSecret ?? "", stripe.newCard("pays"));
  expect(await view()).toMatchObject({ plan: { name: "goals_sub" }, nextPlan: null, isPaid: true });
  expect([orders(), await life.balance()]).toEqual([1, 3000]);
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
