// Tokens, plans and payments (C-19 to C-28, R-28).
import { z } from "zod";
import { numberIn } from "~/domain/number-fields";
import { oneLine } from "~/domain/text-fields";
import { tokensOf } from "~/domain/tokens";
import { call, fields, nothing, pageCall } from "../call";
import { cardOut, planOut, subscriptionOut } from "../payments/payments";
import { flag } from "../values";

/** The id of a payment intent, as a string or inside the object of the provider's library. */
const paymentIntent = z
  .union([oneLine().min(1), z.object({ id: oneLine().min(1) }).transform(({ id }) => id)], {
    error: "Please give the payment.",
  })
  .transform((id) => id.slice(0, 200));

const digits = z.union([oneLine(), z.number().transform(String)]);
const NOT_A_SUBSCRIPTION = "Please give the id of a subscription.";
const subscriptionId = numberIn(z.number(NOT_A_SUBSCRIPTION).int(NOT_A_SUBSCRIPTION));
const EXPIRY = "Please give the month and the year in which the card expires.";
const practiceCard = z.object({
  number: digits.pipe(oneLine().max(30)),
  exp_month: numberIn(z.number(EXPIRY).int(EXPIRY)),
  exp_year: numberIn(z.number(EXPIRY).int(EXPIRY)),
  cvc: digits.pipe(oneLine().max(10)),
});

type Subscribe = {
  plans: Parameters<typeof planOut>[0][];
  subscription: Parameters<typeof subscriptionOut>[0] | null;
  cards: Parameters<typeof cardOut>[0][];
  isPractice: boolean;
  publishableKey: string;
};
const subscribeOut = (result: Subscribe) => ({
  products: result.plans.map(planOut),
  subscription: result.subscription && subscriptionOut(result.subscription),
  payment_methods: result.cards.map(cardOut),
  is_practice: result.isPractice ? 1 : 0,
  publishable_key: result.publishableKey,
});

/** `keyFirst` of the calls whose work reaches the card provider. */
const AT_PROVIDER = "the work reaches the card provider";

export const paymentCalls = {
  getPaymentIntent: call("GET /tokens/get-payment-intent", "Start a payment for tokens", {
    scope: "none",
    limits: ["pay"],
    writes: true,
    input: fields({ query: { token_pool: flag.optional() } }).transform((q) => ({
      toPool: q.token_pool ?? false,
    })),
    answer: (result: { clientSecret: string; publishableKey: string; isPractice: boolean }) => ({
      client_secret: result.clientSecret,
      publishable_key: result.publishableKey,
      is_practice: result.isPractice ? 1 : 0,
    }),
  }),
  purchaseTokens: call("POST /tokens/purchase", "Credit the tokens of a payment", {
    scope: "none",
    limits: ["pay"],
    isRepeatable: true,
    keyFirst: AT_PROVIDER,
    status: 200,
    input: fields({ body: { paymentIntent, token_pool: flag.optional() } }).transform((body) => ({
      paymentIntent: body.paymentIntent,
      toPool: body.token_pool ?? false,
    })),
    answer: (result: { tokens: number; toPool: boolean }) => ({
      tokens: tokensOf(result.tokens),
      token_pool: result.toPool ? 1 : 0,
      message: "Purchase successful!",
    }),
  }),
  addFreeTokens: call("POST /tokens/tokens/add-free", "Add tokens to the free pool", {
    scope: "none",
    who: "super-admin",
    isRepeatable: true,
    status: 200,
    input: fields({ body: { amount: numberIn(z.number("Please give a number of tokens above 0.")) } }),
    answer: (result: { pool: number }) => ({
      message: "Tokens successfully added",
      pool: tokensOf(result.pool),
    }),
  }),
  redeemTokens: call("POST /tokens/tokens/redeem-available", "Redeem free tokens", {
    scope: "none",
    limits: ["redeem", "redeem-network"],
    who: "anyone",
    isRepeatable: true,
    keyFirst: "a repeat does not count against the few attempts of a network",
    status: 200,
    input: nothing,
    answer: (result: { granted: number }) => ({
      message: "500 tokens have been added to your account.",
      tokens: tokensOf(result.granted),
    }),
  }),
  viewSubscribe: pageCall("GET /api/subscribe", "Read the subscription products", {
    scope: "none",
    input: nothing,
    answer: subscribeOut,
  }),
  viewPricing: pageCall("GET /api/pricing", "Read the prices", {
    scope: "none",
    input: nothing,
    answer: subscribeOut,
  }),
  createSubscription: call("POST /api/subscriptions/create/{product}", "Subscribe to a product", {
    scope: "none",
    limits: ["pay"],
    who: "anyone",
    isRepeatable: true,
    keyFirst: AT_PROVIDER,
    input: fields({
      params: { product: oneLine() },
      body: { default_payment_method: oneLine().max(200).nullish() },
    }).transform((raw) => ({ product: raw.product, method: raw.default_payment_method ?? null })),
    answer: (result: {
      type: string | null;
      clientSecret: string | null;
      subscription: Parameters<typeof subscriptionOut>[0];
    }) => ({
      type: result.type,
      clientSecret: result.clientSecret,
      subscription: subscriptionOut(result.subscription),
    }),
  }),
  cancelSubscription: call("POST /api/subscriptions/cancel", "Cancel a subscription", {
    scope: "none",
    input: fields({
      body: { id: subscriptionId.optional(), subscription_id: subscriptionId.optional() },
    }).transform((body) => ({ id: body.id ?? body.subscription_id })),
    answer: (result: Parameters<typeof subscriptionOut>[0]) => ({ subscription: subscriptionOut(result) }),
  }),
  addPaymentMethod: call("POST /api/subscriptions/add-payment-method", "Add a payment method", {
    scope: "none",
    limits: ["pay"],
    isRepeatable: true,
    keyFirst: AT_PROVIDER,
    input: fields({
      body: { payment_method: oneLine("Please select a payment method.").min(1).max(200) },
    }).transform((body) => ({ method: body.payment_method })),
    answer: (result: Parameters<typeof cardOut>[0]) => ({ payment_method: cardOut(result) }),
  }),
  confirmPractice: call("POST /practice/confirm", "Confirm a practice payment", {
    scope: "none",
    limits: ["pay"],
    input: fields({
      body: {
        client_secret: oneLine().min(1).max(300),
        card: practiceCard.nullish(),
        payment_method: oneLine().max(200).nullish(),
        save: flag.optional(),
        confirmed: flag.optional(),
      },
    }).transform((body) => ({
      clientSecret: body.client_secret,
      card: body.card
        ? {
            number: body.card.number,
            expMonth: body.card.exp_month,
            expYear: body.card.exp_year,
            cvc: body.card.cvc,
          }
        : null,
      method: body.payment_method ?? null,
      save: body.save ?? false,
      isConfirmed: body.confirmed ?? false,
    })),
    answer: (result: { kind: "payment" | "setup"; id: string; status: string; method: string }) => ({
      [result.kind === "payment" ? "payment_intent" : "setup_intent"]: {
        id: result.id,
        status: result.status,
        payment_method: result.method,
      },
    }),
  }),
};
