// Confirms through the provider's client library (B-19): card numbers go to the provider, never to our server.
import type { Stripe, StripeCardElement } from "@stripe/stripe-js";
import { CardProblem, type IntentToConfirm, type PaidIntent } from "./card";

export async function confirmWithStripe(
  stripe: Pick<Stripe, "confirmCardPayment" | "confirmCardSetup">,
  card: StripeCardElement,
  { clientSecret, type, savesCard }: IntentToConfirm,
): Promise<PaidIntent> {
  if (type === "setup") {
    const { setupIntent, error } = await stripe.confirmCardSetup(clientSecret, { payment_method: { card } });
    if (error) throw new CardProblem(error.message);
    return { id: setupIntent.id, status: setupIntent.status, method: idOf(setupIntent.payment_method) };
  }
  const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret, {
    payment_method: { card },
    ...(savesCard ? { setup_future_usage: "off_session" as const } : {}),
  });
  if (error) throw new CardProblem(error.message);
  return { id: paymentIntent.id, status: paymentIntent.status, method: idOf(paymentIntent.payment_method) };
}

const idOf = (method: string | { id: string } | null): string | null =>
  typeof method === "string" ? method : (method?.id ?? null);
