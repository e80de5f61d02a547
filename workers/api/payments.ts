// Tokens, plans and payments; and the provider's webhook, which signs for itself.
import type { Hono } from "hono";
import { AppError } from "~/domain/errors";
import { requireUser } from "~/domain/permissions";
import { readBody } from "~/http/read-body.server";
import {
  addFreeTokens,
  creditByProvider,
  customerOf,
  getPaymentIntent,
  purchaseTokens,
  redeemTokens,
} from "~/use-cases/purchases.server";
import {
  addPaymentMethod,
  cancelSubscription,
  createSubscription,
  syncSubscription,
  viewSubscribe,
} from "~/use-cases/subscriptions.server";
import { calls } from "~/wire/calls";
import { confirmPracticePayment } from "../adapters/practice-payments";
import { type HonoEnv, jsonError, serve } from "../serve";

export const paymentApi = [
  serve(calls.getPaymentIntent, getPaymentIntent),
  serve(calls.purchaseTokens, purchaseTokens),
  serve(calls.addFreeTokens, addFreeTokens),
  serve(calls.redeemTokens, redeemTokens),
  serve(calls.viewSubscribe, viewSubscribe),
  serve(calls.viewPricing, viewSubscribe),
  serve(calls.createSubscription, createSubscription),
  serve(calls.cancelSubscription, cancelSubscription),
  serve(calls.addPaymentMethod, addPaymentMethod),
  serve(calls.confirmPractice, async (app, input) => {
    // Where keys are set there is no practice.
    if (!app.payments.isPractice) throw new AppError("NOT_FOUND");
    const user = requireUser(app.user);
    const customer = await customerOf(app, user);
    const confirmed = await confirmPracticePayment(app.db, app.now, customer, input);
    if (input.save && confirmed.status === "succeeded")
      await addPaymentMethod(app, { method: confirmed.method });
    return confirmed;
  }),
];

/** Bytes of an event; the provider's are a tenth of it. */
const WEBHOOK_LIMIT = 256 * 1024;

/** POST /webhooks/stripe on the raw body; 2xx only when everything is done (C-23). */
export function mountWebhook(hono: Hono<HonoEnv>): void {
  hono.post("/webhooks/stripe", async (c) => {
    const app = c.get("app");
    try {
      const body = new TextDecoder().decode(await readBody(c.req.raw, WEBHOOK_LIMIT));
      const event = await app.payments.readEvent(body, c.req.header("Stripe-Signature") ?? "");
      if (!event) throw new AppError("FORBIDDEN", "The signature does not hold.");
      // The event only says where to look; the provider is asked for the truth.
      if (event.subscription) await syncSubscription(app, event.subscription);
      if (event.paymentIntent) await creditByProvider(app, event.paymentIntent);
      return c.json({ received: true });
    } catch (thrown) {
      return jsonError(c, thrown);
    }
  });
}
