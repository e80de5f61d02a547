// Plans that end at the Stripe stand-in by a cancellation or a suspension, beside payments that are made meanwhile.
import { expect, test } from "vitest";
import { NOW } from "#tests/support/factories";
import { beginLife, runPaymentJobs } from "#tests/support/stripe/life";
import { BASIC, happensBefore, type Moment, renewing } from "#tests/support/stripe/plans";
import { DAY, HOUR } from "~/domain/time";
import {
  cancelSubscription,
  createSubscription,
  stopRenewalOf,
} from "~/use-cases/payments/subscriptions.server";

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
