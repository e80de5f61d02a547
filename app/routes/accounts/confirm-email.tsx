// Confirming an account's email address with the emailed link, and requesting another link.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { MadeFor } from "~/components/form/made-for";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button, buttonClass } from "~/components/ui/button";
import { Notice, Warning } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import {
  ALREADY_CONFIRMED,
  CONFIRM_LINK_HOURS,
  CONFIRMED,
  LINK_EXPIRED,
  linkSentSentence,
} from "~/domain/confirmation";
import { LinkToken } from "~/forms/accounts/accounts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { sendConfirmation } from "~/use-cases/accounts/confirmations.server";
import {
  type AfterConfirmation,
  confirmInvited,
  viewConfirmationInvited,
} from "~/use-cases/confirm-invited.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewConfirmationInvited, { input: LinkToken });

const rendersResult = true;
export const action = (args: ActionFunctionArgs) =>
  act(args, {
    confirm: on(LinkToken, confirmInvited, { rendersResult }),
    send: on(LinkToken, sendConfirmation, { toast: ({ email }) => linkSentSentence(email), rendersResult }),
  });

const title = "Confirm your email address";
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title,
    description: "Open the link of our email to confirm that your address is yours.",
    more: [
      // The URL contains the link's token, which other sites must not see; without any referrer the form itself would
      // be refused.
      { name: "referrer", content: "same-origin" },
      { name: "robots", content: "noindex" },
    ],
  });

/** Without JavaScript nothing reads the code in the fragment. */
function InvitationForm({ url }: { url: string }) {
  const { pathname, search, searchParams } = new URL(url, "https://bothy.example");
  return (
    <form method="post" action={pathname + search}>
      <MadeFor />
      <input type="hidden" name="intent" value="open" />
      <input type="hidden" name="code" value={url} />
      <input type="hidden" name="session" value={searchParams.get("session") ?? ""} />
      <Button type="submit" variant="primary">
        Back to the invitation
      </Button>
    </form>
  );
}

export default function ConfirmEmail() {
  const {
    email,
    token,
    isConfirmed,
    canSendAgain,
    invitation: acceptedInvitation,
  } = useLoaderData<typeof loader>();
  const { isLocalRun, viewer } = useShell();
  const confirmForm = useActionForm({ intent: "confirm", hiddenFields: { token } });
  const sendForm = useActionForm({ intent: "send", hiddenFields: { token } });
  if (confirmForm.result?.ok || (viewer && isConfirmed && email === null)) {
    const confirmation = confirmForm.result?.ok ? (confirmForm.result.result as AfterConfirmation) : null;
    const invitation = confirmation ? confirmation.invitation : acceptedInvitation;
    return (
      <Page title={title} width="narrow">
        <Notice tone="success" title={confirmation ? CONFIRMED : ALREADY_CONFIRMED} isLive>
          {!invitation && <TextLink to="/">Continue to Home</TextLink>}
        </Notice>
        {invitation && (
          <div className="flex flex-col items-start gap-3">
            <p className="wrap-anywhere">
              You are invited to <strong>{invitation.title}</strong>.
            </p>
            {/* A whole load, because the fragment opens the invitation. */}
            <a href={invitation.url} className={buttonClass("primary", "md", "needs-script")}>
              Back to the invitation
            </a>
            <noscript>
              <InvitationForm url={invitation.url} />
            </noscript>
          </div>
        )}
      </Page>
    );
  }
  return (
    <Page title={title} width="narrow">
      {sendForm.result?.ok && (
        <Notice tone="success" title={sendForm.result.toast} isLive>
          It works once and for {CONFIRM_LINK_HOURS} hours.
          {isLocalRun && (
            <>
              {" "}
              On this local run, emails arrive in the <TextLink to="/local/mailbox">mailbox</TextLink>.
            </>
          )}
        </Notice>
      )}
      {email !== null && (
        <ActionForm form={confirmForm} className="flex flex-col gap-4">
          <p className="wrap-anywhere">
            Is <strong>{email}</strong> your address?
          </p>
          <FormErrors form={confirmForm} />
          <Button type="submit" variant="primary" isLoading={confirmForm.isBusy}>
            Confirm email address
          </Button>
        </ActionForm>
      )}
      {email === null && !sendForm.result?.ok && token !== "" && <Warning title={LINK_EXPIRED} />}
      {(email === null || confirmForm.isFailed) && canSendAgain && (
        <ActionForm form={sendForm} className="flex flex-col gap-4">
          <SubmitRow form={sendForm} variant={sendForm.result?.ok ? "quiet" : "primary"}>
            Send a new link
          </SubmitRow>
        </ActionForm>
      )}
      {email === null && isConfirmed && <p>{ALREADY_CONFIRMED}</p>}
      {email === null && !canSendAgain && !isConfirmed && (
        <p>
          <TextLink to="/auth/login?next=/account/confirm-email">Login</TextLink> to get a new link.
        </p>
      )}
    </Page>
  );
}
