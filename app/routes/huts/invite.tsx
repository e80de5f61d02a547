// Entering a private hut: by an invitation link, whose code stays in the fragment until the form submits
// it, or by a request.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { InvitationScene } from "~/components/huts/invitation-scene";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Notice } from "~/components/ui/notice";
import { REQUEST_SENT, type InvitationScene as Scene } from "~/domain/huts/huts";
import { isolateRtl } from "~/domain/isolated";
import { EnterInput, RequestInput } from "~/forms/huts/huts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { acceptInvitation, requestEntry, viewInvitation } from "~/use-cases/huts/entry.server";

export const loader = (args: LoaderFunctionArgs) => load(args, async () => ({}));

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    open: on(EnterInput, async (app, input) => ({ ...input, scene: await viewInvitation(app, input) }), {
      rendersResult: true,
    }),
    enter: on(EnterInput, acceptInvitation, {
      redirectTo: pathAfterEntry,
      toast: (hut) => `Welcome to h/${isolateRtl(hut.title)}.`,
    }),
    request: on(RequestInput, requestEntry, { toast: REQUEST_SENT, rendersResult: true }),
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Enter a private hut",
    description: "Open an invitation to a private hut, or ask to enter.",
    more: [{ name: "robots", content: "noindex" }],
  });

/** The session that the link invites to, otherwise the hut. */
const pathAfterEntry = (hut: { path: string }, form: FormData): string => {
  const session = String(form.get("session") ?? "");
  return /^\d+$/.test(session) ? `/sessions/${session}` : hut.path;
};

/** The code in the page's fragment; null before hydration and without a fragment. */
function useLinkCode(): string | null {
  const [code, setCode] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setCode(window.location.hash.slice(1) || null);
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  return code;
}

export default function HutInvite() {
  const posted = usePosted();
  const openForm = useActionForm({ intent: "open" });
  const requestForm = useActionForm({ intent: "request", draft: "request to enter", clearsWhenDone: true });
  const [params] = useSearchParams();
  const session = params.get("session") ?? "";
  const linkCode = useLinkCode();
  // An act that was refused, such as that of an unconfirmed account, still names its invitation.
  const refusedCode =
    posted && !posted.ok && posted.intent === "enter" ? String(posted.form.initialValue?.code ?? "") : "";
  const code = linkCode ?? (refusedCode || null);
  const lastOpenedCode = useRef<string | null>(null);
  const { element } = openForm;
  useEffect(() => {
    if (code === null || lastOpenedCode.current === code) return;
    lastOpenedCode.current = code;
    element.current?.requestSubmit();
  }, [code, element]);
  const answer = openForm.result?.ok ? (openForm.result.result as { code: string; scene: Scene }) : null;
  // A submit's navigation drops the fragment, and with it the invitation of a page that is loaded again.
  useEffect(() => {
    // The router pushes another page's address before that page renders.
    if (answer && !window.location.hash && window.location.pathname === "/groups/invite")
      window.history.replaceState(window.history.state, "", `#${answer.code}`);
  });
  const isLookingUp = code !== null && !answer && !openForm.isFailed;
  return (
    <Page
      title={answer ? "An invitation" : "Enter a private hut"}
      width="narrow"
      breadcrumbs={[{ label: "Home", to: "/" }, { label: "Huts", to: "/groups" }, { label: "Enter" }]}
    >
      {posted?.ok && posted.intent === "request" && (
        <Notice tone="success" isLive>
          {posted.toast}
        </Notice>
      )}
      {answer && (
        <InvitationScene key={answer.code} scene={answer.scene} code={answer.code} session={session} />
      )}
      <div hidden={answer !== null} className="flex flex-col gap-6">
        <Section title="With an invitation">
          {isLookingUp && <p className="needs-script text-soft">Opening your invitation …</p>}
          <ActionForm form={openForm} className="flex flex-col gap-4">
            <TextRow
              key={code}
              {...openForm.field("code", code ?? "")}
              label="Invitation"
              hint="The link that you were given, or the part after #."
              autoCapitalize="none"
              spellCheck={false}
            />
            {session && <input type="hidden" name="session" value={session} />}
            <SubmitRow form={openForm} variant="primary">
              Show the invitation
            </SubmitRow>
          </ActionForm>
        </Section>
        <Section title="Without an invitation">
          <ActionForm form={requestForm} className="flex flex-col gap-4">
            <TextRow
              {...requestForm.field("slug")}
              label="Address of the hut"
              hint="Such as /group/hill-folk, or only its last word. Requests are open for 30 days."
              autoCapitalize="none"
              spellCheck={false}
            />
            <SubmitRow form={requestForm}>Ask to enter</SubmitRow>
          </ActionForm>
        </Section>
      </div>
    </Page>
  );
}
