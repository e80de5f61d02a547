// Renewals of plans at the Stripe stand-in: paid late, refused, given up or replaced.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { db, NOW } from "#tests/support/factories";
import { answerOutage, beginLife, runPaymentJobs } from "#tests/support/stripe/life";
import { BASIC, happensBefore, quietly, renewing } from "#tests/support/stripe/plans";
import { DAY, HOUR } from "~/domain/time";
import {
  createSubscription,
  readSubscribed,
  renewSubscriptions,
} from "~/use-cases/payments/subscriptions.server";

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

test("B-18 an earlier period that is paid while a late plan ends leaves the present one to be charged", async () => {
  const { life, stripe, view, press, providerId } = await renewing("declines");
  stripe.afterRetries = "past_due";
  stripe.advance(NOW + 59 * DAY);
  await life.deliver(life.news());
  const { clientSecret } = await press("goals_sub");
  stripe.replaceCard(providerId, stripe.newCard("pays"));
  stripe.advance(NOW + 60 * DAY + HOUR / 2);
  happensBefore(life, [/void$/, 1], () => stripe.confirm(clientSecret ?? "", stripe.newCard("pays")));
  await renewSubscriptions(await life.app());
  stripe.interrupt = null;
  stripe.advance(NOW + 61 * DAY);
  await life.deliver(life.news());
  expect(await view()).toMatchObject({ isPaid: true, periodEnd: NOW + 90 * DAY });
  expect([stripe.paid, await life.balance()]).toEqual([3, 3000]);
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
