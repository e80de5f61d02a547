// Choosing a new password with the emailed link (P-08).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { TextRow } from "~/components/form/rows";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { Notice, Warning } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { ResetInput } from "~/domain/accounts/accounts";
import { RESET_DONE, RESET_FAILED, resetRules } from "~/domain/accounts/rules";
import { LinkToken } from "~/forms/accounts/accounts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { resetPassword, viewReset } from "~/use-cases/accounts/passwords.server";

export const loader = (args: LoaderFunctionArgs) => load(args, viewReset, { input: LinkToken });
export const action = (args: ActionFunctionArgs) =>
  act(args, { reset: on(ResetInput, resetPassword, { toast: RESET_DONE, rendersResult: true }) });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Reset your password",
    description: "Choose a new password; all your other logins end.",
    more: [
      // The URL contains the link's token, which other sites must not see; without any referrer the form itself would
      // be refused.
      { name: "referrer", content: "same-origin" },
      { name: "robots", content: "noindex" },
    ],
  });

export default function ResetPassword() {
  const { token, passkeys } = useLoaderData<typeof loader>();
  const form = useActionForm({
    hiddenFields: { token },
    intent: "reset",
    rules: resetRules,
    clearsWhenDone: true,
    failure: RESET_FAILED,
  });
  if (form.result?.ok)
    return (
      <Page title="Reset your password" width="narrow">
        <Notice tone="success" title={RESET_DONE} isLive>
          All other logins were ended. <TextLink to="/auth/login">Login</TextLink> with your new password.
        </Notice>
      </Page>
    );
  return (
    <Page
      title="Reset your password"
      intro="Choose a new password. Everywhere you are signed in, you will be signed out."
      width="narrow"
    >
      {token === "" && (
        <Warning title="This reset link is incomplete.">
          Please open the link in the email again, or{" "}
          <TextLink to="/forgot-password">ask for a new one</TextLink>.
        </Warning>
      )}
      <ActionForm form={form} className="flex flex-col gap-4">
        <TextRow {...form.field("email")} label="Email" type="email" autoComplete="username" isRequired />
        <PasswordRow
          {...form.field("password")}
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters. Several words are easy to remember."
        />
        <PasswordRow
          {...form.field("passwordConfirmation")}
          label="Confirm password"
          autoComplete="new-password"
        />
        {passkeys.length > 0 && <PasskeysToRemove passkeys={passkeys} />}
        <FormErrors form={form} />
        {form.problems.length > 0 && (
          <p>
            <TextLink to="/forgot-password">Ask for a new link</TextLink>
          </p>
        )}
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          Reset Password
        </Button>
      </ActionForm>
    </Page>
  );
}

type ListedPasskey = { id: string; name: string; createdAt: number };

/** A new password leaves passkeys valid, so the owner removes those that a stranger may have added. */
function PasskeysToRemove({ passkeys }: { passkeys: readonly ListedPasskey[] }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-semibold">Passkeys of your account</legend>
      <p className="text-soft">They go on working. Choose those that are not yours, and we remove them.</p>
      {passkeys.map(({ id, name, createdAt }) => (
        <label key={id} className="flex min-h-11 items-center gap-3">
          <input type="checkbox" name="passkeys" value={id} className="check" />
          <span className="wrap-anywhere">
            Remove {name}, added <Time at={createdAt} look="date" />
          </span>
        </label>
      ))}
    </fieldset>
  );
}
