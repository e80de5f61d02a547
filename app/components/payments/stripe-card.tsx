// Stripe's card field, loaded only where a payment is made (B-19).
import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import { loadStripe, type Stripe } from "@stripe/stripe-js";
import { forwardRef, useImperativeHandle, useMemo, useRef, useState } from "react";
import { FieldErrors } from "~/components/ui/field";
import { type CardHandle, CardProblem } from "./card";
import { confirmWithStripe } from "./stripe-confirm";

let loadingStripe: Promise<Stripe | null> | undefined;
const loadStripeOnce = (key: string) => {
  loadingStripe ??= loadStripe(key);
  return loadingStripe;
};

type Props = { publishableKey: string; error?: string | null };

export const StripeCard = forwardRef<CardHandle, Props>(function StripeCard(props, ref) {
  const stripe = useMemo(() => loadStripeOnce(props.publishableKey), [props.publishableKey]);
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
    async confirm(intent) {
      const card = elements?.getElement(CardElement);
      if (!stripe || !card)
        throw new CardProblem("The card form has not loaded yet. Please try again in a moment.");
      return confirmWithStripe(stripe, card, intent);
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
