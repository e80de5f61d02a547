// Stopping a kind of email by the link in it (N-31), for people and for the one-click POST of mail programs.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { LinkToken } from "~/forms/accounts/accounts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { unsubscribe, viewUnsubscribe } from "~/use-cases/notices/unsubscribe.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewUnsubscribe, { input: LinkToken });
export const action = (args: ActionFunctionArgs) =>
  act(args, { stop: on(LinkToken, unsubscribe, { rendersResult: true }) });

const title = "Stop these emails";
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title,
    description: "Stop the emails of one kind.",
    more: [
      { name: "referrer", content: "same-origin" },
      { name: "robots", content: "noindex" },
    ],
  });

export default function Unsubscribe() {
  const { label } = useLoaderData<typeof loader>();
  const form = useActionForm({ intent: "stop" });
  return (
    <Page title={title} width="narrow">
      {form.result?.ok ? (
        <Notice tone="success" title="Done. You get no more emails of this kind." isLive>
          {label}. <TextLink to="/account">Your account</TextLink> stays as it is.
        </Notice>
      ) : (
        <ActionForm form={form} className="flex flex-col gap-4">
          <p>
            Stop emails of this kind? <strong>{label}</strong>
          </p>
          <SubmitRow form={form} variant="primary">
            Stop these emails
          </SubmitRow>
        </ActionForm>
      )}
    </Page>
  );
}
