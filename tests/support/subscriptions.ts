// A plan that renews itself, bought by the product's own calls.
import type { App } from "~/use-cases/app.server";
import { customerOf } from "~/use-cases/payments/purchases.server";
import { createSubscription, viewSubscribe } from "~/use-cases/payments/subscriptions.server";

/** The user of the app subscribes. */
export async function subscribe(app: App): Promise<void> {
  const begun = await createSubscription(app, { product: "goals_sub", method: null });
  await app.payments.confirm?.(await customerOf(app, app.user as never), {
    clientSecret: begun.clientSecret ?? "",
    card: { number: "4242424242424242", expMonth: 12, expYear: 2040, cvc: "123" },
    method: null,
    save: true,
    isConfirmed: true,
  });
  if ((await viewSubscribe(app)).subscription?.status !== "active") throw new Error("no subscription");
}
