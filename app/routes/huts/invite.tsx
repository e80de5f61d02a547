// Entering a private hut: with the code of its link, which stays in the fragment until the form submits it, or
// by a request.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useEffect, useState } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Notice } from "~/components/ui/notice";
import { REQUEST_SENT } from "~/domain/huts/huts";
import { EnterInput, RequestInput } from "~/forms/huts/huts";
import { useActionForm } from "~/hooks/use-action-form";
import { usePosted } from "~/hooks/use-posted";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { acceptInvitation, requestEntry } from "~/use-cases/huts/entry.server";

export const loader = (args: LoaderFunctionArgs) => load(args, async () => ({}));

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    enter: on(EnterInput, acceptInvitation, {
      then: (hut) => hut.path,
      toast: (hut) => `Welcome to h/${hut.title}.`,
    }),
    request: on(RequestInput, requestEntry, { toast: REQUEST_SENT, keep: true }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Enter a private hut",
    description: "Open an invitation to a private hut, or ask to enter.",
    more: [{ name: "robots", content: "noindex" }],
  });

export default function HutInvite() {
  const posted = usePosted();
  const entering = useActionForm({ intent: "enter", leaves: true });
  const asking = useActionForm({ intent: "request", clearsWhenDone: true });
  const [code, setCode] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setCode(window.location.hash.slice(1) || null);
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  return (
    <Page
      title="Enter a private hut"
      width="narrow"
      breadcrumbs={[{ label: "Home", to: "/" }, { label: "Huts", to: "/groups" }, { label: "Enter" }]}
    >
      {posted?.ok && posted.intent === "request" && (
        <Notice tone="success" isLive>
          {posted.toast}
        </Notice>
      )}
      <Section title="With an invitation">
        <ActionForm form={entering} className="flex flex-col gap-4">
          <TextRow
            key={code}
            {...entering.field("code", code ?? "")}
            label="Invitation"
            hint="The link that you were given, or the part after #."
            autoCapitalize="none"
            spellCheck={false}
          />
          <SubmitRow form={entering} variant="primary">
            Enter the hut
          </SubmitRow>
        </ActionForm>
      </Section>
      <Section title="Without an invitation">
        <ActionForm form={asking} className="flex flex-col gap-4">
          <TextRow
            {...asking.field("slug")}
            label="Address of the hut"
            hint="Such as /group/hill-folk, or its last word alone. Requests are open for 30 days."
            autoCapitalize="none"
            spellCheck={false}
          />
          <SubmitRow form={asking}>Ask to enter</SubmitRow>
        </ActionForm>
      </Section>
    </Page>
  );
}
