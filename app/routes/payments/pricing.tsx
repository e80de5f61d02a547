// The three plans (P-09, U-10). `?expand=` opens that plan's dialog, without JavaScript too.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { SubscribeForm } from "~/components/payments/subscribe-form";
import { Icon } from "~/components/pictures/icon";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Dialog } from "~/components/ui/dialog";
import { TextLink } from "~/components/ui/text-link";
import { dollarText, findPlan, TOKEN_PACK } from "~/domain/payments/products";
import { tokensOf } from "~/domain/tokens";
import { load } from "~/http/load.server";
import { viewSubscribe } from "~/use-cases/payments/subscriptions.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewSubscribe);
/** Visitors get the page without scripts. */
export const handle = { isText: true };

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Pricing",
    description:
      "Basic for your own goals, Plus for doing them together, or tokens as you go that never expire.",
  });

export default function Pricing() {
  const data = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const expandedPlan = findPlan(query.get("expand") ?? "");
  return (
    <Page title="Pricing" intro="Everything here is paid with tokens. Ten are yours when you register.">
      <div className="grid gap-4 md:grid-cols-3">
        {data.plans.map((plan) => {
          const isMine = data.subscription?.isSubscribed && data.subscription.plan.name === plan.name;
          return (
            <Card key={plan.name} as="section" isGlowing={plan.rank === 2} className="flex flex-col gap-4">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <h2 className="text-xl">{plan.title}</h2>
                {isMine ? <Badge>Your plan</Badge> : plan.rank === 2 && <Badge>3x value</Badge>}
              </div>
              <p>
                <strong className="tabular text-xl">{dollarText(plan.cents)}</strong>{" "}
                <span className="text-soft">per month</span>
              </p>
              <p className="text-soft">{plan.blurb}</p>
              <Lines lines={plan.content} />
              <Button asChild variant={plan.rank === 2 ? "primary" : "quiet"}>
                <Link to={`?expand=${plan.name}`} preventScrollReset>
                  {isMine ? `See your ${plan.title} plan` : `Subscribe to ${plan.title}`}
                </Link>
              </Button>
            </Card>
          );
        })}
        <Card as="section" className="flex flex-col gap-4">
          <h2 className="text-xl">{TOKEN_PACK.title}</h2>
          <p>
            <strong className="tabular text-xl">{dollarText(TOKEN_PACK.cents)}</strong>{" "}
            <span className="text-soft">per {tokensOf(TOKEN_PACK.tokens)} tokens</span>
          </p>
          <p className="text-soft">No subscription.</p>
          <Lines lines={[`${tokensOf(TOKEN_PACK.tokens)} tokens for everything`, "Tokens never expire"]} />
          <Button asChild>
            <Link to="/tokens">Buy tokens</Link>
          </Button>
        </Card>
      </div>
      <p className="max-w-[65ch] text-soft">
        1 token buys 100 progress logs, notes, forum posts or chat messages, one goal, or one seat in a
        session. <TextLink to="/tokens#token-rates">All token rates</TextLink>
      </p>
      {expandedPlan && (
        <Dialog title={`${expandedPlan.title} plan`} closeTo="/pricing">
          <SubscribeForm
            key={`${expandedPlan.name} ${data.cards.length}`}
            data={data}
            product={expandedPlan.name}
          />
        </Dialog>
      )}
    </Page>
  );
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className="flex flex-1 flex-col gap-2">
    {lines.map((line) => (
      <li key={line} className="flex gap-2">
        <Icon name="check" className="mt-0.5 text-pine" />
        <span className="min-w-0">{line}</span>
      </li>
    ))}
  </ul>
);
