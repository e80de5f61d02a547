// The payment provider: Stripe where keys are set, otherwise the practice provider; never both (B-20).
import type { Database } from "#db/connect.server";
import type { Instant } from "~/domain/time";
import type { Payments } from "~/use-cases/ports.server";
import type { Env } from "../env";
import { createPracticePayments } from "./practice-payments";

const hasStripeKeys = (env: Env): boolean => Boolean(env.STRIPE_SECRET_KEY);

export function createPayments(env: Env, db: Database, now: Instant): Payments {
  return hasStripeKeys(env) ? lazyStripe(env) : createPracticePayments(db, now);
}

/** Stripe's library loads on first use, not with the worker. */
function lazyStripe(env: Env): Payments {
  let loaded: Promise<Payments> | undefined;
  const stripe = () => {
    loaded ??= import("./stripe-payments").then(({ createStripePayments }) => createStripePayments(env));
    return loaded;
  };
  return {
    isPractice: false,
    publishableKey: env.STRIPE_PUBLISHABLE_KEY ?? "",
    confirm: null,
    createCustomer: async (user) => (await stripe()).createCustomer(user),
    createPaymentIntent: async (order) => (await stripe()).createPaymentIntent(order),
    getPaymentIntent: async (id) => (await stripe()).getPaymentIntent(id),
    attachMethod: async (order) => (await stripe()).attachMethod(order),
    listMethods: async (customer) => (await stripe()).listMethods(customer),
    createSubscription: async (order) => (await stripe()).createSubscription(order),
    getSubscription: async (id) => (await stripe()).getSubscription(id),
    changeProduct: async (order) => (await stripe()).changeProduct(order),
    setCancelAtPeriodEnd: async (id, cancel) => (await stripe()).setCancelAtPeriodEnd(id, cancel),
    endSubscription: async (id) => (await stripe()).endSubscription(id),
    listEvents: async (since) => (await stripe()).listEvents(since),
    readEvent: async (body, signature) => (await stripe()).readEvent(body, signature),
  };
}
