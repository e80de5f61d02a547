// The life of a customer at the stand-in of Stripe, with the real adapter.
import { env } from "cloudflare:workers";
import { schema } from "#db/connect.server";
import { findSubscription } from "#db/queries/payments/payments";
import { createStripePayments } from "#workers/adapters/stripe-payments";
import type { Env } from "#workers/env";
import { DAY, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { creditPaidPurchases } from "~/use-cases/payments/purchases.server";
import { renewSubscriptions } from "~/use-cases/payments/subscriptions.server";
import { catchUpWithProvider, receiveEvent } from "~/use-cases/payments/webhook.server";
import { appOf, db, makeUser, NOW, reload } from "../factories";
import type { StripeEvent } from "./objects";
import { StripeStandIn, signatureOf } from "./stand-in";

const SECRET = "whsec_test_secret";

export const STRIPE_KEYS: Env = {
  ...(env as Env),
  STRIPE_SECRET_KEY: "sk_test_x",
  STRIPE_PUBLISHABLE_KEY: "pk_test_x",
  STRIPE_WEBHOOK_SECRET: SECRET,
};

/** The signature is verified against the machine's clock. */
export const signedEvent = async (event: unknown) => {
  const rawBody = JSON.stringify(event);
  return { rawBody, signature: await signatureOf(rawBody, SECRET, Math.floor(Date.now() / 1000)) };
};

export async function beginLife(tokens = 0) {
  const stripe = new StripeStandIn(NOW);
  const user = await makeUser({ tokens });
  // Each test starts its clock again.
  await db.delete(schema.cronMarks);
  const app = async (): Promise<App> => ({
    ...(await appOf(user, instant(stripe.now * 1000))),
    payments: createStripePayments(STRIPE_KEYS, stripe.fetch),
  });
  let delivered = 0;
  return {
    stripe,
    user,
    app,
    day: (n: number) => stripe.advance(NOW + n * DAY),
    /** The events since the last call. */
    news: (): StripeEvent[] => {
      const news = stripe.events.slice(delivered);
      delivered = stripe.events.length;
      return news;
    },
    deliver: async (events: StripeEvent[]) => {
      for (const event of events) await receiveEvent(await app(), await signedEvent(event));
    },
    balance: async () => (await reload(user, instant(stripe.now * 1000)))?.tokens,
    owed: async () => (await reload(user, instant(stripe.now * 1000)))?.owedTokens,
    subscription: async () => (await findSubscription(db, user.id))[0],
  };
}

export type Life = Awaited<ReturnType<typeof beginLife>>;

export async function runPaymentJobs(life: Life) {
  await renewSubscriptions(await life.app());
  await creditPaidPurchases(await life.app());
  await catchUpWithProvider(await life.app());
}

export const answerOutage = () =>
  Response.json({ error: { type: "api_error", message: "Something went wrong." } }, { status: 503 });
