// The page that reports a person, a thing or a text.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { ReportForm } from "~/components/safety/report-form";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { KIND_NAMES, REPORTED } from "~/domain/safety/reports";
import { ReportInput, ReportTargetInput } from "~/forms/safety/reports";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { fileReport, viewReportTarget } from "~/use-cases/safety/reports.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewReportTarget, { input: ReportTargetInput, whenSignedOut: "redirect" });

/** Without JavaScript the page itself shows that the report has arrived. */
export const action = (args: ActionFunctionArgs) =>
  act(args, { report: on(ReportInput, fileReport, { toast: REPORTED, rendersResult: true }) });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Report",
    description: "Tell us what is wrong. The person you report never learns who reported.",
    more: [{ name: "robots", content: "noindex" }],
  });

export default function Report() {
  const { kind, id, author, text, path } = useLoaderData<typeof loader>();
  const name = kind === "person" ? author : `this ${KIND_NAMES[kind]}`;
  return (
    <Page title={`Report ${name}`} width="narrow">
      {kind !== "person" && (
        <Card>
          {author && <p className="text-sm text-soft">{author}</p>}
          <p className="line-clamp-6 wrap-anywhere whitespace-pre-wrap">{text}</p>
        </Card>
      )}
      <ReportForm target={{ kind, id }} />
      <TextLink to={path}>Go back</TextLink>
    </Page>
  );
}
