// The subscription on the account page (P-12, U-13, R-10): plan, cancel, resume, saved cards.
import { Link } from "@remix-run/react";
import { ButtonForm } from "~/components/form/button-form";
import { AccountSection } from "~/components/layout/account-page";
import { brandName } from "~/components/payments/card-names";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { Time } from "~/components/ui/time";
import type { SubscriptionView } from "~/domain/payments/products";
import { PLANS } from "~/domain/payments/products";

export type AccountSubscription = {
  subscription: SubscriptionView | null;
  cards: { id: string; brand: string; last4: string }[];
};

export function SubscriptionSlot({ subscription, cards }: AccountSubscription) {
  const current = subscription?.isSubscribed ? subscription : null;
  const hasFailed = current !== null && !current.isPaid && current.status === "past_due";
  return (
    <AccountSection
      title="Subscription"
      id="subscription"
      about="What your plan includes, and how long it lasts."
    >
      <Card className="flex flex-col gap-3">
        {current ? (
          <>
            <p className="flex flex-wrap items-center gap-2">
              <strong className="text-lg">{current.plan.title}</strong>
              {current.endDate ? (
                <Badge tone="red">Cancelled</Badge>
              ) : hasFailed ? (
                <Badge tone="red">Payment failed</Badge>
              ) : (
                <Badge tone="pine">Active</Badge>
              )}
            </p>
            {!current.isPaid && (
              <p>
                {hasFailed
                  ? "The payment for the next 30 days failed. We may try again in the next days. You can also pay now, choose another plan, or end this one: then nothing more is charged."
                  : "The payment for the next 30 days is under way. The tokens come with it, in about an hour."}
              </p>
            )}
            {current.isPaid && current.periodEnd && (
              <p>
                {current.endDate ? "You keep the plan until " : "It renews on "}
                <Time at={current.periodEnd} look="date" />.
                {current.nextPlan && ` Then ${PLANS[current.nextPlan].title} follows.`}
              </p>
            )}
            <div className="flex flex-wrap gap-3">
              {current.endDate && (
                <ButtonForm
                  fields={{
                    intent: "resume-subscription",
                    product: current.nextPlan ?? current.plan.name,
                  }}
                >
                  {(isBusy) => (
                    <Button type="submit" variant="primary" isLoading={isBusy}>
                      Resume
                    </Button>
                  )}
                </ButtonForm>
              )}
              {hasFailed && (
                <Button asChild variant="primary">
                  <Link to={`/subscribe?product=${current.nextPlan ?? current.plan.name}`}>Pay now</Link>
                </Button>
              )}
              {hasFailed && (
                <Button asChild>
                  <Link to="/pricing">Other plans</Link>
                </Button>
              )}
              {current.isPaid && current.plan.name === "goals_sub" && (
                <Button asChild>
                  <Link to="/pricing?expand=goals_sessions_sub">Level Up</Link>
                </Button>
              )}
              {(hasFailed || current.status === "active") && !current.endDate && (
                <ConfirmDialog
                  trigger={<Button>{hasFailed ? "End subscription" : "Cancel subscription"}</Button>}
                  title={hasFailed ? "End your subscription?" : "Cancel your subscription?"}
                  confirmLabel={hasFailed ? "End subscription" : "Cancel subscription"}
                  cancelLabel="Keep it"
                  form={{ fields: { intent: "cancel-subscription", id: current.id } }}
                >
                  {current.isPaid
                    ? "It will not renew. You keep the plan until the period ends, and you can resume before then."
                    : "It ends now, and its next 30 days are not charged."}
                </ConfirmDialog>
              )}
            </div>
          </>
        ) : (
          <>
            <p className="text-soft">You have no subscription. Tokens you buy as you go never expire.</p>
            <Button asChild className="self-start">
              <Link to="/pricing">See the plans</Link>
            </Button>
          </>
        )}
        {cards.length > 0 && (
          <ul
            aria-label="Saved cards"
            className="flex flex-col gap-1 border-t border-line pt-3 text-sm text-soft"
          >
            {cards.map((card) => (
              <li key={card.id}>
                {brandName(card.brand)} ending in <span className="tabular">{card.last4}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </AccountSection>
  );
}
