// Asking for a reset link (P-07).
import type { ActionFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { FormProblems, TextRow } from "~/components/accounts/account-fields";
import { useActForm } from "~/components/accounts/use-act-form";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { forgotRules, RESET_FAILED, RESET_LINK_MINUTES, RESET_SENT } from "~/domain/account-rules";
import { ForgotInput } from "~/domain/accounts";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { requestPasswordReset } from "~/use-cases/accounts-passwords.server";

export const action = (args: ActionFunctionArgs) =>
  act(args, { ask: on(ForgotInput, requestPasswordReset, { toast: RESET_SENT, keep: true }) });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Forgot your password?",
    description: "Tell us your email and we send a link that sets a new password.",
  });

export default function ForgotPassword() {
  const { isLocalRun } = useShell();
  const { fields, formProps, Form, isBusy, problems, result } = useActForm({
    rules: forgotRules,
    intent: "ask",
    isClearedWhenDone: true,
    failure: RESET_FAILED,
  });
  return (
    <Page
      title="Forgot your password?"
      intro={`Tell us the email of your account. The link we send works once and for ${RESET_LINK_MINUTES} minutes.`}
      width="narrow"
    >
      <Form {...formProps} className="flex flex-col gap-4">
        <TextRow field={fields.email} label="Email" type="email" autoComplete="email" isRequired />
        <FormProblems problems={problems} />
        {result?.ok && (
          <Notice tone="success" title={RESET_SENT} isLive>
            Nothing there? Look among unwanted mail, and check that the address is the one you registered
            with.
            {isLocalRun && (
              <>
                {" "}
                On this local run mails land in the <TextLink to="/local/mailbox">mailbox</TextLink>.
              </>
            )}
          </Notice>
        )}
        <Button type="submit" variant="primary" isLoading={isBusy}>
          Send Password Reset Link
        </Button>
      </Form>
      <p>
        You know it after all? <TextLink to="/auth/login">Login</TextLink>
      </p>
    </Page>
  );
}
