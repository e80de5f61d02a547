// The form for a new password; it ends all other logins.
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { TextLink } from "~/components/ui/text-link";
import { passwordRules } from "~/domain/accounts/rules";
import { useActionForm } from "~/hooks/form/use-action-form";

export function PasswordForm({ email }: { email: string }) {
  const form = useActionForm({
    intent: "password",
    rules: passwordRules,
    clearsWhenDone: true,
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      {/* Lets a password manager find the account. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordRow
        {...form.field("currentPassword")}
        label="Current password"
        autoComplete="current-password"
        aside={<TextLink to="/forgot-password">Forgot it?</TextLink>}
      />
      <PasswordRow
        {...form.field("password")}
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters. You will be signed out everywhere else."
      />
      <PasswordRow
        {...form.field("passwordConfirmation")}
        label="Confirm password"
        autoComplete="new-password"
      />
      <SubmitRow form={form}>Change password</SubmitRow>
    </ActionForm>
  );
}
