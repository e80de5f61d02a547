// Buy tokens, redeem free ones, and what everything costs (P-11, A-03). Redeeming and adding work without JavaScript.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useActionData, useFetcher, useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { BuyTokens } from "~/components/payments/buy-tokens";
import { TokenRates } from "~/components/payments/token-rates";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import { toast } from "~/components/ui/toasts";
import { tokensOf } from "~/domain/tokens";
import { NoFields } from "~/forms/accounts";
import { FreeTokensInput } from "~/forms/tokens";
import { carryOn } from "~/hooks/modals";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { addFreeTokens, redeemTokens, viewTokens } from "~/use-cases/purchases.server";
import type { ActResult } from "~/wire/act";

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
      keep: true,
    }),
    "add-free": on(FreeTokensInput, addFreeTokens, { toast: "Tokens successfully added", keep: true }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Tokens",
    description:
      "Buy tokens that never expire, redeem free ones from the shared pool, and see what everything costs.",
  });

export default function Tokens() {
  const data = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  const posted = useActionData<ActResult>();
  const redeem = useFetcher<ActResult>();
  const gift = useFetcher<ActResult>();
  const given = gift.data ?? (posted?.intent === "add-free" ? posted : undefined);
  const refused = given && !given.ok ? given : null;
  useToast(redeem.data);
  const isRedeemed = redeem.data?.ok === true;
  useEffect(() => {
    if (isRedeemed) carryOn();
  }, [isRedeemed]);
  useToast(gift.data, "There was an error");
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
          title={!posted.ok && posted.intent === "add-free" ? "There was an error" : undefined}
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
              <redeem.Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value="redeem" />
                <Button type="submit" isLoading={redeem.state !== "idle"}>
                  Redeem 500 tokens
                </Button>
              </redeem.Form>
            )}
          </Card>
          {viewer?.isSuperAdmin && (
            <Card as="section" className="flex flex-col gap-4">
              <h2 className="text-lg">Add Free Tokens</h2>
              <gift.Form method="post" preventScrollReset className="flex flex-col gap-3">
                <input type="hidden" name="intent" value="add-free" />
                <Field label="Amount" isRequired error={refused?.message}>
                  <TextInput
                    name="amount"
                    inputMode="decimal"
                    defaultValue={refused ? String(refused.form.initialValue?.amount ?? "") : "500"}
                    required
                  />
                </Field>
                <Button type="submit" isLoading={gift.state !== "idle"}>
                  Add to the pool
                </Button>
              </gift.Form>
            </Card>
          )}
          <Section title="Token Rates" id="token-rates">
            <TokenRates />
            <div className="flex max-w-[65ch] flex-col gap-3">
              <h3 className="font-semibold">How far does a token go?</h3>
              <p>
                1 token buys 100 progress logs, notes, forum posts or chat messages. A goal or a seat in a
                session costs a whole one. If a host made joining free, the host pays your seat. Prices may
                change.
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

function useToast(result: ActResult | undefined, failure?: string) {
  useEffect(() => {
    if (result?.ok && result.toast) toast.success(result.toast);
    if (result && !result.ok) toast.error(failure ?? result.message);
  }, [result, failure]);
}
