// The product table (B-01 to B-04). Prices in cents of a dollar, tokens in hundredths.
import { DAY, type Instant, instant } from "~/domain/time";

export const PERIOD_DAYS = 30;
/** The toast after a subscription (M-08). */
export const SUBSCRIBED = "Thank you! You have subscribed successfully.";
export const CURRENCY = "usd";

export type PlanName = "goals_sub" | "goals_sessions_sub";
export type Plan = {
  id: number;
  name: PlanName;
  title: string;
  cents: number;
  tokens: number;
  /** The actions that its tokens pay for (B-10). */
  scope: "goals" | "all";
  /** A change to a higher rank applies at once, to a lower one at the end of the period. */
  rank: number;
  blurb: string;
  content: string[];
};

export const PLANS: Record<PlanName, Plan> = {
  goals_sub: {
    id: 1,
    name: "goals_sub",
    title: "Basic",
    cents: 400,
    tokens: 3000,
    scope: "goals",
    rank: 1,
    blurb: "For your own goals.",
    content: ["30 tokens a month", "Goals, progress logs and notes", "Cancel any time"],
  },
  goals_sessions_sub: {
    id: 2,
    name: "goals_sessions_sub",
    title: "Plus",
    cents: 800,
    tokens: 6000,
    scope: "all",
    rank: 2,
    blurb: "3x the value: goals, and doing them together.",
    content: [
      "60 tokens a month",
      "Everything in Basic",
      "Sessions, chat and forum",
      "3x value",
      "Cancel any time",
    ],
  },
};

/** A subscription as its user sees it. */
export type SubscriptionView = {
  id: number;
  plan: Plan;
  nextPlan: PlanName | null;
  status: string;
  startDate: Instant;
  endDate: Instant | null;
  periodEnd: Instant | null;
  isSubscribed: boolean;
  /** False for a subscribed user whose renewal is not paid yet. */
  isPaid: boolean;
};

/** Pay As You Go: $10 for 10 tokens that never expire (B-04). */
export const TOKEN_PACK = {
  id: 3,
  name: "tokens",
  title: "Pay As You Go",
  cents: 1000,
  tokens: 1000,
} as const;

/** A plan by its name or id, or null. */
export function findPlan(nameOrId: string): Plan | null {
  return Object.values(PLANS).find((plan) => plan.name === nameOrId || String(plan.id) === nameOrId) ?? null;
}

export const dollarText = (cents: number): string =>
  `$${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}`;

/** The hundredths of a token that a payment buys; 0 unless it is the price of whole packs. */
export const tokensFor = (cents: number, currency: string): number =>
  currency === CURRENCY && cents > 0 && cents % TOKEN_PACK.cents === 0
    ? (cents / TOKEN_PACK.cents) * TOKEN_PACK.tokens
    : 0;

export const nextPeriodEnd = (start: Instant): Instant => instant(start + PERIOD_DAYS * DAY);

/** Statuses of a subscription that may still grant tokens. */
export const isOpenStatus = (status: string): boolean =>
  status !== "canceled" && status !== "incomplete_expired";
/**
 * Statuses of a plan whose next payment the provider draws up, which takes about an hour, or tries again for some days
 * (B-18).
 */
export const RENEWING_STATUSES = ["active", "past_due"] as const;

/** A plan that was last paid until this instant or before is over (B-18). */
export const unpaidLimit = (now: Instant): Instant => instant(now - PERIOD_DAYS * DAY);

type Times = {
  periodEnd: Instant | null;
  endDate?: Instant | null;
  stripeSubStatus?: string | undefined;
};
/** True while a period is paid. */
export const isPaid = ({ periodEnd }: Times, now: Instant): boolean => periodEnd !== null && periodEnd > now;
/**
 * True while a period is paid, so that a cancelled plan with time left is shown as subscribed, and while the next
 * one waits for its payment (B-18). A cancelled plan has no next one.
 */
export const isSubscribed = (subscription: Times | null, now: Instant): boolean =>
  subscription !== null &&
  subscription.periodEnd !== null &&
  (isPaid(subscription, now) ||
    (subscription.endDate == null &&
      subscription.periodEnd > unpaidLimit(now) &&
      RENEWING_STATUSES.some((status) => status === subscription.stripeSubStatus)));
