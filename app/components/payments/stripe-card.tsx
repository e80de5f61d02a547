// Stripe's own card field, loaded only where somebody pays (B-19).
import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import { loadStripe, type Stripe } from "@stripe/stripe-js";
import { forwardRef, useImperativeHandle, useMemo, useRef, useState } from "react";
import { FieldErrors } from "~/components/ui/field";
import { type CardHandle, CardProblem } from "./card";

let loading: Promise<Stripe | null> | undefined;
const stripeOf = (key: string) => {
  loading ??= loadStripe(key);
  return loading;
};

type Props = { publishableKey: string; error?: string | null };

export const StripeCard = forwardRef<CardHandle, Props>(function StripeCard(props, ref) {
  const stripe = useMemo(() => stripeOf(props.publishableKey), [props.publishableKey]);
  return (
    <Elements stripe={stripe}>
      <StripeField ref={ref} error={props.error ?? null} />
    </Elements>
  );
});

const StripeField = forwardRef<CardHandle, { error: string | null }>(function StripeField({ error }, ref) {
  const stripe = useStripe();
  const elements = useElements();
  const isComplete = useRef(false);
  const [problem, setProblem] = useState<string | null>(null);

  useImperativeHandle(ref, () => ({
    isComplete: () => isComplete.current,
    async confirm(clientSecret, type, save) {
      const card = elements?.getElement(CardElement);
      if (!stripe || !card)
        throw new CardProblem("The card form has not loaded yet. Please try again in a moment.");
      if (type === "setup") {
        const { setupIntent, error: failed } = await stripe.confirmCardSetup(clientSecret, {
          payment_method: { card },
        });
        if (failed) throw new CardProblem(failed.message);
        return { id: setupIntent.id, status: setupIntent.status, method: idOf(setupIntent.payment_method) };
      }
      const { paymentIntent, error: failed } = await stripe.confirmCardPayment(clientSecret, {
        payment_method: { card },
        ...(save ? { setup_future_usage: "off_session" as const } : {}),
      });
      if (failed) throw new CardProblem(failed.message);
      return {
        id: paymentIntent.id,
        status: paymentIntent.status,
        method: idOf(paymentIntent.payment_method),
      };
    },
  }));

  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-semibold">Card</span>
      <div className="control py-3">
        <CardElement
          onChange={(event) => {
            isComplete.current = event.complete;
            setProblem(event.error?.message ?? null);
          }}
        />
      </div>
      <FieldErrors error={problem ?? error} />
    </div>
  );
});

const idOf = (method: string | { id: string } | null): string | null =>
  typeof method === "string" ? method : (method?.id ?? null);
