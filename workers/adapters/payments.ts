// Chooses the one payment provider (B-20): Stripe if its keys are set, else the practice provider for a local run or a
// site that asks for it, else none.
import type { Database } from "#db/connect.server";
import { AppError } from "~/domain/errors";
import { loadOnce } from "~/domain/load-once";
import { logLine } from "~/domain/log-line";
import type { Instant } from "~/domain/time";
import type { Payments } from "~/use-cases/ports.server";
import type { Env } from "../env";
import { createPracticePayments } from "./practice-payments";

const hasStripeKeys = (env: Env): boolean => Boolean(env.STRIPE_SECRET_KEY);

export function createPayments(env: Env, db: Database, now: Instant, isLocalRun: boolean): Payments {
  if (hasStripeKeys(env)) return createLazyStripe(env);
  return isLocalRun || env.PRACTICE_PAYMENTS === "yes" ? createPracticePayments(db, now) : NO_PAYMENTS;
}

/** Throws CONFLICT and logs `payments-unset`, because the site has no payment provider. */
async function refusePayment(): Promise<never> {
  console.error(logLine({ event: "payments-unset" }));
  throw new AppError("CONFLICT", "Payments are not available on this site.");
}

const NO_PAYMENTS: Payments = {
  isPractice: false,
  isUnavailable: true,
  publishableKey: "",
  confirm: null,
  createCustomer: refusePayment,
  createPaymentIntent: refusePayment,
  getPaymentIntent: refusePayment,
  attachMethod: refusePayment,
  listMethods: async () => [],
  createSubscription: refusePayment,
  getSubscription: refusePayment,
  changeProduct: refusePayment,
  setCancelAtPeriodEnd: refusePayment,
  endSubscription: refusePayment,
  readEvent: async () => null,
  listEvents: refusePayment,
};

/** Stripe's library loads on first use, not with the worker. */
const loadStripe = loadOnce(() => import("./stripe-payments"));

function createLazyStripe(env: Env): Payments {
  const stripe = loadOnce(async () => (await loadStripe()).createStripePayments(env));
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
