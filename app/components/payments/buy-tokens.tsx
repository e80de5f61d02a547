// The purchase of a token pack, for the user or the shared pool (S-19, V-16, V-17, M-10 to M-12).
import { useRevalidator } from "@remix-run/react";
import { useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { Notice } from "~/components/ui/notice";
import { dollarText, TOKEN_PACK } from "~/domain/payments/products";
import { tokensOf } from "~/domain/tokens";
import { CallError, callServer } from "~/hooks/call-server";
import { openModal } from "~/hooks/modal-store";
import { resumeAfterPayment } from "~/hooks/payments/resume-after-payment";
import { toast } from "~/hooks/toasts";
import { useShell } from "~/hooks/use-shell";
import * as paths from "~/wire/paths";
import { type CardHandle, CardProblem } from "./card";
import { CardField } from "./card-field";
import { PAYMENT_FAILED_TOAST } from "./failed";
import { PracticeNote } from "./practice-note";

type Props = { isPractice: boolean; publishableKey: string };

export function BuyTokens({ isPractice, publishableKey }: Props) {
  const { viewer } = useShell();
  const { revalidate } = useRevalidator();
  const card = useRef<CardHandle>(null);
  /** The id of a payment that is not credited yet: the next press reports it again without paying. */
  const [uncreditedPayment, setUncreditedPayment] = useState<string | null>(null);
  const [isForPool, setIsForPool] = useState(false);
  const [isAcknowledged, setAcknowledged] = useState(false);
  const [savesCard, setSavesCard] = useState(false);
  const [problems, setProblems] = useState<{ card?: string; pool?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);

  const buy = async () => {
    if (!viewer) {
      toast.signIn("Please login or create an account to purchase tokens.");
      openModal({ name: "auth" });
      return;
    }
    const nextProblems: typeof problems = {};
    if (isForPool && !isAcknowledged)
      nextProblems.pool = "Please acknowledge that you are purchasing tokens for the shared pool.";
    if (uncreditedPayment === null && !card.current?.isComplete())
      nextProblems.card = "Your card number is incomplete.";
    setProblems(nextProblems);
    toast.validation(nextProblems.pool ? [nextProblems.pool] : []);
    toast.dismiss(PAYMENT_FAILED_TOAST);
    if (nextProblems.pool || nextProblems.card) return;
    setBusy(true);
    let payment = uncreditedPayment;
    try {
      if (payment === null) {
        const intent = await callServer<{ client_secret: string }>(paths.getPaymentIntent, {
          query: { token_pool: isForPool ? 1 : 0 },
        });
        const paid = await card.current?.confirm({
          clientSecret: intent.client_secret,
          type: "payment",
          savesCard,
        });
        if (!paid) return;
        payment = paid.id;
        setUncreditedPayment(payment);
      }
      await callServer(paths.purchaseTokens, {
        body: { paymentIntent: payment, token_pool: isForPool ? 1 : 0 },
        idempotencyKey: payment,
      });
      setUncreditedPayment(null);
      setDone(true);
      toast.success("Purchase successful!");
      // A purchase for the pool does not help a user who lacks tokens.
      if (isForPool || !resumeAfterPayment()) revalidate();
    } catch (error) {
      if (!(error instanceof CardProblem || error instanceof CallError)) throw error;
      if (error instanceof CardProblem) setProblems({ card: error.message });
      // After a charge the provider's webhook credits the tokens, even if this report fails. The sentences are M-12's.
      toast.error(
        payment === null
          ? "There was an error when making the payment"
          : "There was an updating your account.",
        { id: PAYMENT_FAILED_TOAST },
      );
    } finally {
      setBusy(false);
    }
  };

  if (isDone) {
    return (
      <Notice
        tone="success"
        title="Purchase successful!"
        isLive
        action={<Button onClick={() => setDone(false)}>Buy more</Button>}
      >
        {tokensOf(TOKEN_PACK.tokens)} tokens went to{" "}
        {isForPool ? "the shared pool. Thank you!" : "your account."}
      </Notice>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <p>
        <strong className="tabular text-xl">{dollarText(TOKEN_PACK.cents)}</strong>{" "}
        <span className="text-soft">for {tokensOf(TOKEN_PACK.tokens)} tokens that never expire</span>
      </p>
      <CardField
        ref={card}
        isPractice={isPractice}
        publishableKey={publishableKey}
        error={problems.card ?? null}
      />
      <Checkbox
        label="Save this card"
        checked={savesCard}
        onChange={(event) => setSavesCard(event.target.checked)}
      />
      <Checkbox
        label="Give these tokens to the shared pool"
        checked={isForPool}
        // A payment that is not credited yet already names the receiver of its tokens.
        disabled={uncreditedPayment !== null}
        onChange={(event) => setIsForPool(event.target.checked)}
      />
      {isForPool && (
        <Checkbox
          label="I know that these tokens are for everybody and not for my account."
          checked={isAcknowledged}
          error={problems.pool}
          onChange={(event) => setAcknowledged(event.target.checked)}
        />
      )}
      {isPractice && <PracticeNote />}
      <Button variant="primary" size="lg" isLoading={isBusy} onClick={() => void buy()}>
        Buy {tokensOf(TOKEN_PACK.tokens)} tokens
      </Button>
    </div>
  );
}
