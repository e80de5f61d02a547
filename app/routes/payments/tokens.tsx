// Buying tokens, redeeming free ones, and the price table (P-11, A-03). Redeeming and adding work without JavaScript.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { NumberField } from "~/components/form/number-field";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { BuyTokens } from "~/components/payments/buy-tokens";
import { TokenRates } from "~/components/payments/token-rates";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import { tokensOf } from "~/domain/tokens";
import { NoFields } from "~/forms/fields";
import { FreeTokensInput } from "~/forms/payments/tokens";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { resumeAfterPayment } from "~/hooks/payments/resume-after-payment";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { addFreeTokens, redeemTokens, viewTokens } from "~/use-cases/payments/purchases.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (app) => ({
    ...(await viewTokens(app)),
    isPractice: app.payments.isPractice,
    publishableKey: app.payments.publishableKey,
  }));

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    redeem: on(NoFields, redeemTokens, {
      toast: "500 tokens have been added to your account.",
      rendersResult: true,
    }),
    "add-free": on(FreeTokensInput, addFreeTokens, {
      needsCheck: true,
      toast: "Tokens successfully added",
      rendersResult: true,
    }),
  });

const ADD_FREE_FAILED = "There was an error";

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Tokens",
    description:
      "Buy tokens that never expire, redeem free ones from the shared pool, and see what everything costs.",
  });

export default function Tokens() {
  const data = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  const posted = usePosted();
  const redeemForm = useActionForm({ intent: "redeem", onDone: () => void resumeAfterPayment() });
  const addFreeForm = useActionForm({ intent: "add-free", failure: ADD_FREE_FAILED });
  return (
    <Page
      title="Tokens"
      intro={
        data.tokens === null
          ? "Everything here is paid with tokens. Ten are yours when you register."
          : "Everything here is paid with tokens."
      }
      actions={
        data.tokens !== null && (
          <Button asChild>
            <Link to="/account/tokens">
              You have <strong className="tabular">{tokensOf(data.tokens)}</strong>
            </Link>
          </Button>
        )
      }
    >
      {posted && (
        <Notice
          tone={posted.ok ? "success" : "error"}
          title={!posted.ok && posted.intent === "add-free" ? ADD_FREE_FAILED : undefined}
          isLive
        >
          {posted.ok ? posted.toast : posted.message}
        </Notice>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card as="section" className="flex flex-col gap-4">
          <h2 className="text-lg">Buy tokens</h2>
          <BuyTokens isPractice={data.isPractice} publishableKey={data.publishableKey} />
        </Card>
        <div className="flex min-w-0 flex-col gap-6">
          <Card as="section" className="flex flex-col gap-4">
            <h2 className="text-lg">Redeem free tokens</h2>
            <p className="text-soft">
              The shared pool holds <strong className="tabular text-ink">{tokensOf(data.pool)}</strong> tokens
              that others gave. Anybody may take 500 at once, once in 30 days.
            </p>
            {data.nextRedeemAt ? (
              <p>
                Your next chance is on <Time at={data.nextRedeemAt} look="date" />.
              </p>
            ) : (
              <ActionForm form={redeemForm}>
                <Button type="submit" isLoading={redeemForm.isBusy}>
                  Redeem 500 tokens
                </Button>
              </ActionForm>
            )}
          </Card>
          {viewer?.isSuperAdmin && (
            <Card as="section" className="flex flex-col gap-4">
              <h2 className="text-lg">Add Free Tokens</h2>
              <ActionForm form={addFreeForm} className="flex flex-col gap-3">
                <NumberField {...addFreeForm.field("amount", "500")} label="Amount" isRequired />
                <FormErrors form={addFreeForm} />
                <Button type="submit" isLoading={addFreeForm.isBusy}>
                  Add to the pool
                </Button>
              </ActionForm>
            </Card>
          )}
          <Section title="Token Rates" id="token-rates">
            <TokenRates />
            <div className="flex max-w-[65ch] flex-col gap-3">
              <h3 className="font-semibold">How far does a token go?</h3>
              <p>
                1 token buys 100 progress logs, notes, forum posts or chat messages. A goal or a seat in a
                session costs a whole one. If a host made joining free, the host pays for your spot. Prices
                may change.
              </p>
              <h3 className="font-semibold">When does a token come back?</h3>
              <p>
                When a session is cancelled before its start, and when its host removes you before it. When
                you leave an hour or more before the start, or before a start that was set, or moved by more
                than 15 minutes, after you joined. A seat that you have because you join every time can be
                given up until a day before. The token goes back to whoever paid it.
              </p>
              <h3 className="font-semibold">Which tokens are spent first?</h3>
              <p>
                Those that expire first. Tokens of a subscription expire when its period ends; bought,
                redeemed and welcome tokens never do.
              </p>
            </div>
          </Section>
        </div>
      </div>
    </Page>
  );
}
