// The form that subscribes to a plan: a saved or new card, then the provider's confirmation (U-11, V-13 to V-15, R-09,
//
import { Link, useRevalidator } from "@remix-run/react";
import { useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Checkbox, Radio } from "~/components/ui/choices";
import { FieldErrors } from "~/components/ui/field";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import {
  dollarText,
  PLANS,
  type Plan,
  type PlanName,
  SUBSCRIBED,
  type SubscriptionView,
} from "~/domain/payments/products";
import { CallError, callServer } from "~/hooks/call-server";
import { holdKey } from "~/hooks/held-key";
import { openModal } from "~/hooks/modal-store";
import { resumeAfterPayment } from "~/hooks/payments/resume-after-payment";
import { toast } from "~/hooks/toasts";
import { useShell } from "~/hooks/use-shell";
import * as paths from "~/wire/paths";
import { type CardHandle, CardProblem } from "./card";
import { CardField } from "./card-field";
import { brandName } from "./card-names";
import { PAYMENT_FAILED_TOAST } from "./failed";
import { PracticeNote } from "./practice-note";

export type SubscribeData = {
  plans: Plan[];
  subscription: SubscriptionView | null;
  cards: { id: string; brand: string; last4: string }[];
  isPractice: boolean;
  publishableKey: string;
};

type CreatedSubscription = { type: "payment" | "setup" | null; clientSecret: string | null };

export function SubscribeForm({
  data,
  product,
  onDone,
}: {
  data: SubscribeData;
  product: PlanName;
  onDone?: () => void;
}) {
  const { viewer } = useShell();
  const { revalidate } = useRevalidator();
  const plan = data.plans.find((candidate) => candidate.name === product);
  const current = data.subscription?.isSubscribed ? data.subscription : null;
  const hasFailed = current !== null && !current.isPaid && current.status === "past_due";
  const nextProduct = current?.nextPlan ?? current?.plan.name;
  const isSame = nextProduct === product;
  // Another plan begins afresh after a renewal that failed. The plan itself is paid with a card that is typed.
  const isNew = current === null || (hasFailed && !isSame);
  const isRepaid = hasFailed && isSame;
  const [method, setMethod] = useState(isRepaid ? "" : (data.cards[0]?.id ?? ""));
  const [willSave, setWillSave] = useState(false);
  const [problems, setProblems] = useState<{ save?: string; method?: string; card?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const [mustConfirm, setMustConfirm] = useState(false);
  const card = useRef<CardHandle>(null);
  const [sendKeyed] = useState(holdKey);
  if (!plan) return null;
  const isOther = current !== null && !isNew && !isSame;
  // The plan itself takes an ordered downgrade back, which charges nothing.
  const isKept = isOther && current.plan.name === product;
  const isDowngrade = isOther && current.plan.rank > plan.rank;
  const isUpgrade = isOther && current.plan.rank < plan.rank;
  // A change of plan charges the plan's own card; only its bank may ask for a card here.
  const needsCard = isNew || isRepaid || mustConfirm;

  const submit = async () => {
    if (!viewer) {
      toast.signIn("Please login or create an account to subscribe.");
      openModal({ name: "auth" });
      return;
    }
    const nextProblems: typeof problems = {};
    if (needsCard && method === "") {
      if (!willSave) nextProblems.save = "Please check the box to save your payment method.";
      if (!card.current?.isComplete()) nextProblems.method = "Please select a payment method.";
    }
    setProblems(nextProblems);
    toast.validation([nextProblems.save, nextProblems.method].filter((sentence) => sentence !== undefined));
    toast.dismiss(PAYMENT_FAILED_TOAST);
    if (nextProblems.save || nextProblems.method) return;
    setBusy(true);
    try {
      const request = {
        params: { product },
        body: isNew && method ? { default_payment_method: method } : {},
      };
      // After another change of the plan, the same press is another order. An unfinished payment is none.
      const order = { ...request, subscription: current };
      const created = await sendKeyed(order, (idempotencyKey) =>
        callServer<CreatedSubscription>(paths.createSubscription, { ...request, idempotencyKey }),
      );
      const { clientSecret, type } = created;
      if (clientSecret && type) {
        if (!card.current) {
          setMethod("");
          setMustConfirm(true);
          setProblems({ card: "Your card requires confirmation. Please enter it below." });
          return;
        }
        const paid = await card.current.confirm({ clientSecret, type, savesCard: true });
        if (!data.isPractice && paid.method)
          await callServer(paths.addPaymentMethod, { body: { payment_method: paid.method } });
        // The server reads the confirmed subscription from the provider and stores it.
        await callServer(paths.viewSubscribe);
      }
      toast.success(SUBSCRIBED);
      if (resumeAfterPayment()) return;
      onDone?.();
      revalidate();
    } catch (error) {
      if (error instanceof CardProblem) {
        setProblems({ card: error.message });
        toast.error("There was an error when making the payment", { id: PAYMENT_FAILED_TOAST });
      } else if (error instanceof CallError) {
        setProblems({ card: error.message });
        toast.error(error.message, { id: PAYMENT_FAILED_TOAST });
        // An order whose answer was lost may have changed the plan.
        if (error.code === "CONFLICT") revalidate();
      } else throw error;
    } finally {
      setBusy(false);
    }
  };

  if (current && !current.isPaid && !isSame && !isNew)
    return (
      <Notice>
        The renewal of your plan is being paid. You can change the plan after that, in about an hour.
      </Notice>
    );
  if (current && isSame && current.endDate === null && !hasFailed) {
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="success" title="You are already subscribed!">
          {!current.isPaid && "The payment for the next 30 days is under way. The tokens come with it."}
          {current.isPaid && current.periodEnd && (
            <>
              {current.nextPlan ? `${plan.title} follows` : "Your plan renews"} on{" "}
              <Time at={current.periodEnd} look="date" />.
            </>
          )}
        </Notice>
        {current.isPaid && product === "goals_sub" && current.nextPlan === null && (
          <Button asChild variant="primary">
            <Link to="/pricing?expand=goals_sessions_sub">Level Up</Link>
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <p>
        <strong className="tabular text-xl">{dollarText(plan.cents)}</strong>{" "}
        <span className="text-soft">every 30 days</span>
      </p>
      <ul className="list-disc ps-5 text-soft">
        {plan.content.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {isRepaid && (
        <Notice>
          The last payment for this plan failed. Pay it with another card, and your plan goes on.
        </Notice>
      )}
      {isNew && current && (
        <Notice>
          The last payment for {current.plan.title} failed. {plan.title} replaces it, and nothing more is
          charged for {current.plan.title}.
        </Notice>
      )}
      {current?.isPaid && isSame && (
        <Notice>
          You cancelled this plan. Resume it and it renews on{" "}
          {current.periodEnd && <Time at={current.periodEnd} look="date" />}.
        </Notice>
      )}
      {isDowngrade && current?.periodEnd && (
        <Notice>
          Your {current.plan.title} plan stays until <Time at={current.periodEnd} look="date" />; then{" "}
          {plan.title} follows.
        </Notice>
      )}
      {isKept && current.nextPlan && current.periodEnd && (
        <Notice>
          Keep {plan.title}, and it renews on <Time at={current.periodEnd} look="date" /> in place of{" "}
          {PLANS[current.nextPlan].title}.
        </Notice>
      )}
      {isUpgrade && (
        <Notice>
          A new period of 30 days starts now. The rest of {current.plan.title} is credited, and its tokens can
          then be used for everything.
        </Notice>
      )}
      {needsCard && (
        <fieldset className="flex flex-col gap-1">
          <legend className="font-semibold">Payment method</legend>
          {isNew &&
            data.cards.map((saved) => (
              <Radio
                key={saved.id}
                name="method"
                label={`${brandName(saved.brand)} ending in ${saved.last4}`}
                checked={method === saved.id}
                onChange={() => setMethod(saved.id)}
              />
            ))}
          {isNew && data.cards.length > 0 && (
            <Radio
              name="method"
              label="Another card"
              checked={method === ""}
              onChange={() => setMethod("")}
            />
          )}
          {method === "" && (
            <div className="flex flex-col gap-3 pt-2">
              <CardField
                ref={card}
                isPractice={data.isPractice}
                publishableKey={data.publishableKey}
                error={problems.card ?? null}
              />
              <Checkbox
                label="Save this card for the renewals"
                checked={willSave}
                onChange={(event) => setWillSave(event.target.checked)}
                error={problems.save}
              />
            </div>
          )}
          <FieldErrors error={problems.method} />
        </fieldset>
      )}
      {!(needsCard && method === "") && <FieldErrors error={problems.card} />}
      {data.isPractice && <PracticeNote />}
      <Button variant="primary" size="lg" isLoading={isBusy} onClick={() => void submit()}>
        {isRepaid
          ? `Pay for ${plan.title}`
          : isNew
            ? `Subscribe to ${plan.title}`
            : isSame
              ? `Resume ${plan.title}`
              : isDowngrade
                ? `Change to ${plan.title}`
                : isKept
                  ? `Keep ${plan.title}`
                  : "Level Up"}
      </Button>
      <p className="text-sm text-soft">
        {isUpgrade && !mustConfirm && "The card of your plan is charged. "}
        Renews every 30 days. Cancel any time, with effect at the end of the period. No refunds.
      </p>
    </div>
  );
}
