// Emails and pushes that failed for good, for super admins, and sending one again (N-06).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AdminTabs } from "~/components/admin/admin-tabs";
import { FailedDeliveryCard } from "~/components/admin/failed-delivery-card";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { DeliveryChoice } from "~/forms/notices";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { sendDeliveryAgain, viewFailedDeliveries } from "~/use-cases/failed-deliveries.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewFailedDeliveries, { whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    "send-again": on(DeliveryChoice, sendDeliveryAgain, { needsCheck: true, toast: "It is sent again." }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Deliveries", description: "Emails and pushes that failed, newest first." });

export default function AdminDeliveries() {
  const { deliveries } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Deliveries"
      intro="The newest hundred emails and pushes that failed after all tries. They are deleted after 7 days, and refused addresses after 90."
      tabs={<AdminTabs />}
    >
      {deliveries.length === 0 ? (
        <p className="text-soft">Nothing has failed.</p>
      ) : (
        <ul aria-label="Failed deliveries" className="flex max-w-3xl flex-col gap-3">
          {deliveries.map((delivery) => (
            <FailedDeliveryCard key={delivery.key} delivery={delivery} />
          ))}
        </ul>
      )}
    </Page>
  );
}
