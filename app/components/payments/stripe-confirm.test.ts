// Confirming through the provider's client library, with a stand-in for it.
import type { Stripe, StripeCardElement } from "@stripe/stripe-js";
import { expect, test, vi } from "vitest";
import { CardProblem } from "./card";
import { confirmWithStripe } from "./stripe-confirm";

const card = {} as StripeCardElement;
const stripeOf = (payment: object, setup: object = {}) => ({
  confirmCardPayment: vi.fn<Stripe["confirmCardPayment"]>(async () => payment as never),
  confirmCardSetup: vi.fn<Stripe["confirmCardSetup"]>(async () => setup as never),
});

test("B-19 the provider's library confirms a payment, and saves the card on request", async () => {
  const stripe = stripeOf({ paymentIntent: { id: "pi_1", status: "succeeded", payment_method: "pm_1" } });
  const payment = { clientSecret: "pi_1_secret", type: "payment" } as const;
  const paid = { id: "pi_1", status: "succeeded", method: "pm_1" };
  expect(await confirmWithStripe(stripe, card, { ...payment, savesCard: false })).toEqual(paid);
  expect(stripe.confirmCardPayment).toHaveBeenLastCalledWith("pi_1_secret", { payment_method: { card } });
  await confirmWithStripe(stripe, card, { ...payment, savesCard: true });
  expect(stripe.confirmCardPayment).toHaveBeenLastCalledWith("pi_1_secret", {
    payment_method: { card },
    setup_future_usage: "off_session",
  });
  expect(stripe.confirmCardSetup).not.toHaveBeenCalled();
});

test("B-19 the provider's library sets up a card", async () => {
  const stripe = stripeOf(
    {},
    { setupIntent: { id: "seti_1", status: "succeeded", payment_method: { id: "pm_2" } } },
  );
  const kept = { id: "seti_1", status: "succeeded", method: "pm_2" };
  const setup = { clientSecret: "seti_1_secret", type: "setup", savesCard: true } as const;
  expect(await confirmWithStripe(stripe, card, setup)).toEqual(kept);
  expect(stripe.confirmCardSetup).toHaveBeenCalledWith("seti_1_secret", { payment_method: { card } });
});

test("B-19 a refusal shows the provider's own sentence", async () => {
  const error = { message: "Your card was declined." };
  for (const type of ["payment", "setup"] as const)
    await expect(
      confirmWithStripe(stripeOf({ error }, { error }), card, { clientSecret: "s", type, savesCard: false }),
    ).rejects.toThrow(new CardProblem("Your card was declined."));
});
