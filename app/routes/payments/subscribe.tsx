// The subscribe form as a page (P-10); the same form is also shown in a modal.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { SubscribeForm } from "~/components/payments/subscribe-form";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { findPlan, PLANS } from "~/domain/payments/products";
import { load } from "~/http/load.server";
import { viewSubscribe } from "~/use-cases/payments/subscriptions.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewSubscribe);
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Subscribe",
    description: "Subscribe to Basic or Plus and get tokens every month.",
  });

export default function Subscribe() {
  const data = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const currentPlan = data.subscription?.isSubscribed ? data.subscription.plan : null;
  const plan = findPlan(query.get("product") ?? "") ?? currentPlan ?? PLANS.goals_sessions_sub;
  return (
    <Page title="Subscribe" width="narrow">
      <nav aria-label="Plans" className="flex gap-2">
        {data.plans.map(({ name, title }) => (
          <Button key={name} asChild variant={name === plan.name ? "primary" : "quiet"}>
            <Link
              to={`?product=${name}`}
              preventScrollReset
              aria-current={name === plan.name ? "page" : undefined}
            >
              {title}
            </Link>
          </Button>
        ))}
      </nav>
      <Card as="section" className="flex flex-col gap-4">
        <h2 className="text-xl">{plan.title}</h2>
        <SubscribeForm key={plan.name} data={data} product={plan.name} />
      </Card>
      <p>
        <TextLink to="/pricing">Compare the plans</TextLink>, or{" "}
        <TextLink to="/tokens">buy tokens as you go</TextLink>.
      </p>
    </Page>
  );
}
