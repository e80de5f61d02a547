// Making an account, in the modal and on its own page (V-02 to V-09).
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { linkClass } from "~/components/ui/text-link";
import { REQUIRED, registerRules } from "~/domain/account-rules";
import { useActionForm } from "~/hooks/use-action-form";
import { type SignInFormProps, useFirstFocus } from "./login-form";

export function RegisterForm({ next, onDone, draft, focusOnMount }: SignInFormProps) {
  const form = useActionForm({
    intent: "register",
    action: "/auth/register",
    about: { next },
    rules: registerRules,
    leaves: !onDone,
    ...(onDone ? { onDone } : {}),
  });
  useFirstFocus(form.element, focusOnMount);
  // The server's one reason is shown under the form as well as at its field (M-02).
  const { result, problems } = form;
  const refusal = result && !result.ok && result.sentences.length === 1 ? result.sentences : [];
  const told = problems.length > 0 ? problems : refusal.filter((sentence) => !sentence.startsWith(REQUIRED));
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <TextRow
        {...form.field("username", draft?.username)}
        label="Username"
        autoComplete="nickname"
        hint="How everybody here will know you. It cannot be changed later."
        isRequired
      />
      <TextRow
        {...form.field("email", draft?.email)}
        label="Email"
        type="email"
        autoComplete="email"
        isRequired
      />
      <PasswordRow
        {...form.field("password", draft?.password)}
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters. Several words are easy to keep in mind."
      />
      <PasswordRow
        {...form.field("passwordConfirmation", draft?.passwordConfirmation)}
        label="Confirm password"
        autoComplete="new-password"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextRow
          {...form.field("firstName", draft?.firstName)}
          label="First name"
          autoComplete="given-name"
        />
        <TextRow {...form.field("lastName", draft?.lastName)} label="Last name" autoComplete="family-name" />
      </div>
      <Checkbox
        name="terms"
        defaultChecked={form.shown("terms", draft?.terms) !== ""}
        required
        error={form.errorsOf("terms")}
        label={
          <>
            I accept the{" "}
            <a href="/terms-of-service" target="_blank" rel="noreferrer" className={linkClass}>
              Terms of Service
            </a>{" "}
            and the{" "}
            <a href="/privacy-policy" target="_blank" rel="noreferrer" className={linkClass}>
              Privacy Policy
            </a>
          </>
        }
      />
      <FormErrors form={{ problems: told }} />
      <Button type="submit" variant="primary" isLoading={form.isBusy}>
        Register
      </Button>
    </ActionForm>
  );
}
