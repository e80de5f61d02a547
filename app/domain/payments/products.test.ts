// The products: plans, packs and the validity of subscriptions.
import { expect, test } from "vitest";
import { DAY, instant } from "~/domain/time";
import {
  dollarText,
  findPlan,
  isOpenStatus,
  isPaid,
  isSubscribed,
  nextPeriodEnd,
  PLANS,
  tokensFor,
} from "./products";

const NOW = instant(Date.UTC(2026, 10, 21));

test("R-21 a plan is found by its name or id", () => {
  expect(findPlan("goals_sub")?.id).toBe(1);
  expect(findPlan("2")?.name).toBe("goals_sessions_sub");
  expect([findPlan(""), findPlan("3"), findPlan("gold")]).toEqual([null, null, null]);
});

test("B-02 a price shows cents only if it has some", () => {
  expect([dollarText(400), dollarText(450), dollarText(5)]).toEqual(["$4", "$4.50", "$0.05"]);
});

test("B-04 a payment buys whole packs in one currency, anything else buys nothing", () => {
  expect([tokensFor(1000, "usd"), tokensFor(3000, "usd")]).toEqual([1000, 3000]);
  expect([
    tokensFor(0, "usd"),
    tokensFor(-1000, "usd"),
    tokensFor(1500, "usd"),
    tokensFor(1000, "eur"),
  ]).toEqual([0, 0, 0, 0]);
});

test("B-16 R-10 a subscription is valid until its paid period of 30 days ends", () => {
  const periodEnd = nextPeriodEnd(NOW);
  expect(periodEnd).toBe(NOW + 30 * DAY);
  expect(isSubscribed({ periodEnd }, instant(periodEnd - 1))).toBe(true);
  expect(isSubscribed({ periodEnd }, periodEnd)).toBe(false);
  expect([isSubscribed(null, NOW), isSubscribed({ periodEnd: null }, NOW)]).toEqual([false, false]);
});

test("B-18 a cancelled or expired subscription grants nothing more, a past due one may", () => {
  expect(["active", "past_due", "incomplete", "canceled", "incomplete_expired"].map(isOpenStatus)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("B-02 B-03 Basic costs 4 dollars for 30 tokens, Plus 8 for 60, and Plus ranks higher", () => {
  const { goals_sub: basic, goals_sessions_sub: plus } = PLANS;
  expect([basic.cents, basic.tokens, basic.scope]).toEqual([400, 3000, "goals"]);
  expect([plus.cents, plus.tokens, plus.scope]).toEqual([800, 6000, "all"]);
  expect(plus.rank).toBeGreaterThan(basic.rank);
});

test.each([
  ["active", true],
  ["past_due", true],
  ["unpaid", false],
  ["incomplete", false],
  ["canceled", false],
])("B-18 a plan that is %s after its paid time is one of its user: %s", (stripeSubStatus, isMine) => {
  expect(isSubscribed({ periodEnd: NOW, stripeSubStatus }, NOW)).toBe(isMine);
  expect(isPaid({ periodEnd: NOW, stripeSubStatus }, NOW)).toBe(false);
  // A period that was never paid makes nobody a subscriber.
  expect(isSubscribed({ periodEnd: null, stripeSubStatus }, NOW)).toBe(false);
});

test("B-17 B-18 an unpaid plan is over once it is cancelled, and after 30 days", () => {
  const waiting = { periodEnd: NOW, stripeSubStatus: "past_due", endDate: null };
  expect(isSubscribed(waiting, instant(NOW + 30 * DAY - 1))).toBe(true);
  expect(isSubscribed(waiting, instant(NOW + 30 * DAY))).toBe(false);
  expect(isSubscribed({ ...waiting, endDate: NOW }, NOW)).toBe(false);
  expect(isSubscribed({ ...waiting, endDate: NOW }, instant(NOW - 1))).toBe(true);
});
