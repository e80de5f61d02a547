// The card provider: Stripe where keys are set, the practice provider elsewhere (rulings 5).
import type { Database } from "#db/connect.server";
import type { Instant } from "~/domain/time";
import type { Payments } from "~/use-cases/ports.server";
import type { Env } from "../env";

export function createPayments(_env: Env, _db: Database, _now: Instant): Payments {
  const missing = async (): Promise<never> => {
    throw new Error("No payment provider yet.");
  };
  return {
    isPractice: true,
    publishableKey: "",
    createCustomer: missing,
    createPaymentIntent: missing,
    getPaymentIntent: missing,
    createSetupIntent: missing,
    attachMethod: missing,
    listMethods: missing,
    createSubscription: missing,
    getSubscription: missing,
    changeProduct: missing,
    setCancelAtPeriodEnd: missing,
    readEvent: missing,
  };
}
