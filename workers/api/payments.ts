// Tokens, plans and payments: each documented call and its use case, and the provider's webhook, which its signature
// authenticates.
import type { Context } from "hono";
import { readBody } from "~/http/read-body.server";
import {
  addFreeTokens,
  getPaymentIntent,
  purchaseTokens,
  readRedemption,
  redeemTokens,
} from "~/use-cases/payments/purchases.server";
import {
  addPaymentMethod,
  cancelSubscription,
  confirmPractice,
  createSubscription,
  readSubscribed,
  viewSubscribe,
} from "~/use-cases/payments/subscriptions.server";
import { receiveEvent } from "~/use-cases/payments/webhook.server";
import { calls } from "~/wire/calls";
import { type HonoEnv, jsonError, serve } from "../serve";

export const paymentApi = [
  serve(calls.getPaymentIntent, getPaymentIntent),
  serve(calls.purchaseTokens, purchaseTokens),
  serve(calls.addFreeTokens, addFreeTokens),
  serve(calls.redeemTokens, redeemTokens, readRedemption),
  serve(calls.viewSubscribe, viewSubscribe),
  serve(calls.viewPricing, viewSubscribe),
  serve(calls.createSubscription, createSubscription, readSubscribed),
  serve(calls.cancelSubscription, cancelSubscription),
  serve(calls.addPaymentMethod, addPaymentMethod),
  serve(calls.confirmPractice, confirmPractice),
];

/** Bytes of an event. The provider's events have at most a tenth of that. */
const WEBHOOK_LIMIT = 256 * 1024;

/** Answers POST /webhooks/stripe. It answers 2xx only when the event is handled completely (C-23). */
export async function takeWebhook(c: Context<HonoEnv>): Promise<Response> {
  const app = c.get("app");
  try {
    const rawBody = new TextDecoder().decode(await readBody(c.req.raw, WEBHOOK_LIMIT));
    const signature = c.req.header("Stripe-Signature") ?? "";
    return c.json(await receiveEvent(app, { rawBody, signature }));
  } catch (thrown) {
    return jsonError(c, thrown);
  }
}
