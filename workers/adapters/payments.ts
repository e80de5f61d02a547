// Chooses the payment provider (B-20): Stripe if its keys are set, else the practice provider in a local run or with
// PRACTICE_PAYMENTS, else none.
import type { Database } from "#db/connect.server";
import { AppError } from "~/domain/errors";
import { loadOnce } from "~/domain/load-once";
import { logLine } from "~/domain/log-line";
import type { Instant } from "~/domain/time";
import type { Payments } from "~/use-cases/ports.server";
import type { Env } from "../env";

const hasStripeKeys = (env: Env): boolean => Boolean(env.STRIPE_SECRET_KEY);

export function createPayments(env: Env, db: Database, now: Instant, isLocalRun: boolean): Payments {
  if (hasStripeKeys(env)) return createLazyStripe(env);
  return isLocalRun || env.PRACTICE_PAYMENTS === "yes" ? createLazyPractice(db, now) : NO_PAYMENTS;
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

// A provider loads on first use, not with the worker.
const loadStripe = loadOnce(() => import("./stripe-payments"));
const loadPractice = loadOnce(() => import("./practice-payments"));

function createLazyStripe(env: Env): Payments {
  const stripe = loadOnce(async () => (await loadStripe()).createStripePayments(env));
  return createLazily(stripe, {
    isPractice: false,
    publishableKey: env.STRIPE_PUBLISHABLE_KEY ?? "",
    confirm: null,
  });
}

function createLazyPractice(db: Database, now: Instant): Payments {
  const practice = loadOnce(async () => (await loadPractice()).createPracticePayments(db, now));
  return createLazily(practice, {
    isPractice: true,
    publishableKey: "",
    confirm: async (customer, input) => (await practice()).confirm(customer, input),
  });
}

/** The provider whose code loads with the first call. `syncFields` are known without it. */
const createLazily = (
  provider: () => Promise<Payments>,
  syncFields: Pick<Payments, "isPractice" | "publishableKey" | "confirm">,
): Payments => ({
  ...syncFields,
  createCustomer: async (user) => (await provider()).createCustomer(user),
  createPaymentIntent: async (order) => (await provider()).createPaymentIntent(order),
  getPaymentIntent: async (id) => (await provider()).getPaymentIntent(id),
  attachMethod: async (order) => (await provider()).attachMethod(order),
  listMethods: async (customer) => (await provider()).listMethods(customer),
  createSubscription: async (order) => (await provider()).createSubscription(order),
  getSubscription: async (id) => (await provider()).getSubscription(id),
  changeProduct: async (order) => (await provider()).changeProduct(order),
  setCancelAtPeriodEnd: async (id, cancel) => (await provider()).setCancelAtPeriodEnd(id, cancel),
  endSubscription: async (id, options) => (await provider()).endSubscription(id, options),
  listEvents: async (since) => (await provider()).listEvents(since),
  readEvent: async (body, signature) => (await provider()).readEvent(body, signature),
});
