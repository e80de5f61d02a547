// Another password; all other logins end with the old one.
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { passwordRules } from "~/domain/account-rules";
import { FormProblems, PasswordRow } from "./account-fields";
import { useActForm } from "./use-act-form";

export function PasswordForm({ email }: { email: string }) {
  const { fields, formProps, Form, isBusy, problems } = useActForm({
    rules: passwordRules,
    intent: "password",
    isClearedWhenDone: true,
  });
  return (
    <Form {...formProps} className="flex flex-col gap-4">
      <input type="hidden" name="intent" value="password" />
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordRow
        field={fields.currentPassword}
        label="Current password"
        autoComplete="current-password"
        aside={<TextLink to="/forgot-password">Forgot it?</TextLink>}
      />
      <PasswordRow
        field={fields.password}
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters. Everywhere else you will be signed out."
      />
      <PasswordRow field={fields.passwordConfirmation} label="Confirm password" autoComplete="new-password" />
      <FormProblems problems={problems} />
      <Button type="submit" isLoading={isBusy} className="self-start">
        Change password
      </Button>
    </Form>
  );
}
