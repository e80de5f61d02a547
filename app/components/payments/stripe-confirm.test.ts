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
  const paid = { id: "pi_1", status: "succeeded", method: "pm_1" };
  expect(await confirmWithStripe(stripe, card, "pi_1_secret", "payment", false)).toEqual(paid);
  expect(stripe.confirmCardPayment).toHaveBeenLastCalledWith("pi_1_secret", { payment_method: { card } });
  await confirmWithStripe(stripe, card, "pi_1_secret", "payment", true);
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
  expect(await confirmWithStripe(stripe, card, "seti_1_secret", "setup", true)).toEqual(kept);
  expect(stripe.confirmCardSetup).toHaveBeenCalledWith("seti_1_secret", { payment_method: { card } });
});

test("B-19 a refusal shows the provider's own sentence", async () => {
  const error = { message: "Your card was declined." };
  for (const type of ["payment", "setup"] as const)
    await expect(confirmWithStripe(stripeOf({ error }, { error }), card, "s", type, false)).rejects.toThrow(
      new CardProblem("Your card was declined."),
    );
});
