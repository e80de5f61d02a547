// Requesting a reset link (P-07).
import type { ActionFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { ForgotInput } from "~/domain/accounts/accounts";
import { forgotRules, RESET_FAILED, RESET_LINK_MINUTES, RESET_SENT } from "~/domain/accounts/rules";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { requestPasswordReset } from "~/use-cases/accounts/passwords.server";

export const action = (args: ActionFunctionArgs) =>
  act(args, { ask: on(ForgotInput, requestPasswordReset, { toast: RESET_SENT, rendersResult: true }) });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Forgot your password?",
    description: "Tell us your email and we send a link that sets a new password.",
  });

export default function ForgotPassword() {
  const { isLocalRun } = useShell();
  const form = useActionForm({
    intent: "ask",
    rules: forgotRules,
    clearsWhenDone: true,
    failure: RESET_FAILED,
  });
  return (
    <Page
      title="Forgot your password?"
      intro={`Tell us the email of your account. The link we send works once and for ${RESET_LINK_MINUTES} minutes.`}
      width="narrow"
    >
      <ActionForm form={form} className="flex flex-col gap-4">
        <TextRow {...form.field("email")} label="Email" type="email" autoComplete="email" isRequired />
        <FormErrors form={form} />
        {form.result?.ok && (
          <Notice tone="success" title={RESET_SENT} isLive>
            No email? Check your spam folder, and that this is the address you registered with.
            {isLocalRun && (
              <>
                {" "}
                On this local run, emails arrive in the <TextLink to="/local/mailbox">mailbox</TextLink>.
              </>
            )}
          </Notice>
        )}
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Send Password Reset Link
        </Button>
      </ActionForm>
      <p>
        Remembered it? <TextLink to="/auth/login">Login</TextLink>
      </p>
    </Page>
  );
}
