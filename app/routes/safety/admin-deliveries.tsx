// The page of failures, for super admins (N-06): figures of the site, failed emails and pushes, each with a button that
// sends it again, and failed rows of jobs.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { AdminTabs } from "~/components/safety/admin-tabs";
import { FailedDeliveryCard } from "~/components/safety/failed-delivery-card";
import { FailedRowList } from "~/components/safety/failed-row-list";
import { FigureTable } from "~/components/safety/figure-table";
import { LibraryForm } from "~/components/safety/library-form";
import { NightForm } from "~/components/safety/night-form";
import { NoFields } from "~/forms/fields";
import { DeliveryChoice } from "~/forms/notices/notices";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { installLibraryByHand } from "~/use-cases/library.server";
import { requestNightlyJobs } from "~/use-cases/night.server";
import { sendDeliveryAgain, viewFailures } from "~/use-cases/safety/failed-deliveries.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewFailures, { whenSignedOut: "redirect" });
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    "install-library": on(NoFields, installLibraryByHand, {
      needsCheck: true,
      toast: ({ made }) => (made === 0 ? "Nothing was missing." : `The library has ${made} more things now.`),
    }),
    "run-night": on(NoFields, requestNightlyJobs, {
      needsCheck: true,
      toast: "The nightly jobs run within a minute.",
    }),
    "send-again": on(DeliveryChoice, sendDeliveryAgain, { needsCheck: true, toast: "It is sent again." }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Deliveries", description: "Emails and pushes that failed, newest first." });

export default function AdminDeliveries() {
  const { deliveries, rows, figures, release } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Deliveries"
      intro="The newest hundred emails and pushes that failed after all tries. They are deleted after 7 days, and refused addresses after 90."
      tabs={<AdminTabs />}
    >
      <FigureTable figures={figures} />
      <p className="text-sm text-soft">Release {release}</p>
      {deliveries.length === 0 ? (
        <p className="text-soft">Nothing has failed.</p>
      ) : (
        <ul aria-label="Failed deliveries" className="flex max-w-3xl flex-col gap-3">
          {deliveries.map((delivery) => (
            <FailedDeliveryCard key={delivery.key} delivery={delivery} />
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <>
          <h2 className="text-lg">Jobs</h2>
          <p className="max-w-prose text-soft">
            Rows that a job could not handle. It tries them again at its next time; a row that works leaves
            this list after 7 days.
          </p>
          <FailedRowList rows={rows} />
        </>
      )}
      <Section title="Nightly jobs">
        <NightForm />
      </Section>
      <Section title="Library">
        <LibraryForm />
      </Section>
    </Page>
  );
}
