// The queue of reports and appeals, for super admins.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { AdminTabs } from "~/components/safety/admin-tabs";
import { AppealCard, ReportCard } from "~/components/safety/report-card";
import { AppealAnswerInput, DecisionInput } from "~/forms/safety/reports";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { answerAppeal } from "~/use-cases/safety/appeals.server";
import { decideReport, viewReports } from "~/use-cases/safety/decisions.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewReports, { whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    decide: on(DecisionInput, decideReport, { needsCheck: true, toast: "Decided." }),
    answer: on(AppealAnswerInput, answerAppeal, { needsCheck: true, toast: "Answered." }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: "Reports", description: "Open reports and appeals, oldest first." });

export default function AdminReports() {
  const { targets, appeals } = useLoaderData<typeof loader>();
  return (
    <Page title="Reports" intro="Open reports and appeals, oldest first." tabs={<AdminTabs />}>
      {appeals.length > 0 && (
        <Section title="Appeals">
          <ul aria-label="Appeals" className="flex max-w-3xl flex-col gap-4">
            {appeals.map((appeal) => (
              <AppealCard key={appeal.id} appeal={appeal} />
            ))}
          </ul>
        </Section>
      )}
      {targets.length === 0 ? (
        <p className="text-soft">No open reports.</p>
      ) : (
        <ul aria-label="Open reports" className="flex max-w-3xl flex-col gap-4">
          {targets.map((target) => (
            <ReportCard key={`${target.kind} ${target.id}`} target={target} />
          ))}
        </ul>
      )}
    </Page>
  );
}
