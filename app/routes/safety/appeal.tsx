// The appeal against a decision, by the link of the email, or by the notice of its author.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { TextAreaRow } from "~/components/form/rows";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Card } from "~/components/ui/card";
import { Notice, Warning } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import { APPEAL_EXPIRED, APPEALED, MAX_APPEAL_CHARS } from "~/domain/safety/reports";
import { AppealInput, AppealLink } from "~/forms/safety/reports";
import { useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { fileAppeal, viewAppeal } from "~/use-cases/safety/appeals.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewAppeal, { input: AppealLink, whenSignedOut: "redirect-if-refused" });

export const action = (args: ActionFunctionArgs) =>
  act(args, { appeal: on(AppealInput, fileAppeal, { toast: APPEALED, rendersResult: true }) });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Appeal",
    description: "Ask us to look at a decision about your account once more.",
    more: [
      // The URL contains the link's token, which other sites must not see; without any referrer the form itself would
      // be refused.
      { name: "referrer", content: "same-origin" },
      { name: "robots", content: "noindex" },
    ],
  });

export default function Appeal() {
  const { link, decision } = useLoaderData<typeof loader>();
  const form = useActionForm({
    intent: "appeal",
    hiddenFields: link,
    // The token is a secret, so the decision names the draft.
    ...(decision ? { draft: `appeal ${decision.decidedAt}` } : {}),
  });
  if (!decision)
    return (
      <Page title="Appeal" width="narrow">
        <Warning title={APPEAL_EXPIRED} />
      </Page>
    );
  const { sentence, reason, kept: evidence, decidedAt, appeal, answer, isOpen } = decision;
  return (
    <Page title="Appeal" width="narrow">
      <Card className="flex flex-col gap-2">
        <p>{sentence}</p>
        <p className="wrap-anywhere">Reason: {reason}</p>
        {evidence && (
          <blockquote className="line-clamp-6 border-s-4 border-line ps-3 wrap-anywhere whitespace-pre-wrap">
            {evidence}
          </blockquote>
        )}
        <p className="text-sm text-soft">
          Decided <Time at={decidedAt} look="date" />
        </p>
      </Card>
      {!isOpen && (
        <Notice tone="success" title={APPEALED} isLive>
          <p className="wrap-anywhere whitespace-pre-wrap">{appeal}</p>
        </Notice>
      )}
      {answer && (
        <Notice title={answer.isGranted ? "Your appeal was granted." : "Your appeal was refused."}>
          <p className="wrap-anywhere">{answer.text}</p>
        </Notice>
      )}
      {isOpen && (
        <ActionForm form={form} className="flex flex-col gap-4">
          <TextAreaRow
            {...form.field("text")}
            label="Why should the decision change?"
            hint={`Up to ${MAX_APPEAL_CHARS.toLocaleString("en")} characters. You can appeal once.`}
            isRequired
            rows={6}
            maxLength={MAX_APPEAL_CHARS}
          />
          <SubmitRow form={form} variant="primary">
            Send appeal
          </SubmitRow>
        </ActionForm>
      )}
    </Page>
  );
}
