// "Please confirm that it's you": the password, a code or a passkey, in the dialog and on its own page.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { Button } from "~/components/ui/button";
import { codeRules, deletionRules } from "~/domain/accounts/rules";
import { usePasskey, useSupportsPasskeys } from "~/hooks/accounts/use-passkey";
import { useActionForm } from "~/hooks/form/use-action-form";
import * as paths from "~/wire/paths";
import { CodeRow } from "./second-step-form";

export const CONFIRM_TITLE = "Please confirm that it's you";
export const CONFIRM_PATH = "/account/confirm";

type Props = {
  email: string;
  hasTwoStep: boolean;
  hasPasskey: boolean;
  /** The path of the redirect after the check. */
  next: string;
  /** Called after the check, in place of the redirect. */
  onDone?: () => void;
};

type CheckOptions = {
  action: string;
  hiddenFields: { next: string };
  redirects: boolean;
  onDone?: () => void;
};

export function CheckForm({ email, hasTwoStep, hasPasskey, next, onDone }: Props) {
  const checkOptions = {
    action: CONFIRM_PATH,
    hiddenFields: { next },
    redirects: !onDone,
    ...(onDone ? { onDone } : {}),
  };
  const passwordForm = useActionForm({
    ...checkOptions,
    intent: "password",
    rules: deletionRules,
    takesFocus: true,
  });
  return (
    <div className="flex flex-col gap-5">
      <ActionForm form={passwordForm} className="flex flex-col gap-4">
        <PasswordRow
          {...passwordForm.field("currentPassword")}
          label="Your password"
          autoComplete="current-password"
        />
        {/* Lets a password manager find the account. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <FormErrors form={passwordForm} />
        <Button type="submit" variant="primary" isLoading={passwordForm.isBusy}>
          Confirm
        </Button>
      </ActionForm>
      {hasTwoStep && <CodeCheck checkOptions={checkOptions} />}
      {hasPasskey && <PasskeyCheck onDone={onDone ?? (() => location.assign(next))} />}
    </div>
  );
}

function CodeCheck({ checkOptions }: { checkOptions: CheckOptions }) {
  const form = useActionForm({ ...checkOptions, intent: "code", rules: codeRules });
  return (
    <details open={form.isFailed} className="border-t border-line pt-3">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">Use a code instead</summary>
      <ActionForm form={form} className="flex flex-col gap-4 pt-2">
        <CodeRow field={form.field("code")} />
        <FormErrors form={form} />
        <Button type="submit" isLoading={form.isBusy}>
          Confirm with a code
        </Button>
      </ActionForm>
    </details>
  );
}

function PasskeyCheck({ onDone }: { onDone: () => void }) {
  const isSupported = useSupportsPasskeys();
  const { run, isBusy } = usePasskey(
    { kind: "get", optionsCall: paths.readPasskeyCheck, answerCall: paths.checkLogin },
    { onDone },
  );
  if (!isSupported) return null;
  return (
    <Button type="button" isLoading={isBusy} onClick={() => void run()}>
      Use a passkey
    </Button>
  );
}
