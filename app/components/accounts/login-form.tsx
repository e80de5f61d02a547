// Signing in, in the modal and on its own page.
import { type RefObject, useEffect } from "react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { loginRules } from "~/domain/account-rules";
import { useActionForm } from "~/hooks/use-action-form";

export type SignInFormProps = {
  /** Where it leads on success. */
  next: string;
  /** Stays on the page instead, once JavaScript runs the form, and calls back when it is done. */
  onDone?: (() => void) | undefined;
  /** What was typed before the tab was changed. */
  draft?: Record<string, string> | undefined;
  focusOnMount?: boolean | undefined;
};

/** Puts the cursor into the first empty field of a form in a dialog that was just opened. */
export function useFirstFocus(form: RefObject<HTMLFormElement>, isWanted: boolean | undefined): void {
  useEffect(() => {
    if (!isWanted) return;
    const inputs = form.current?.querySelectorAll<HTMLInputElement>("input.control");
    const first = [...(inputs ?? [])].find((input) => input.value === "");
    first?.focus();
  }, [form, isWanted]);
}

export function LoginForm({ next, onDone, draft, focusOnMount }: SignInFormProps) {
  const form = useActionForm({
    intent: "login",
    action: "/auth/login",
    about: { next },
    rules: loginRules,
    leaves: !onDone,
    ...(onDone ? { onDone } : {}),
  });
  useFirstFocus(form.element, focusOnMount);
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <TextRow
        {...form.field("email", draft?.email)}
        label="Email"
        type="email"
        autoComplete="username"
        isRequired
      />
      <PasswordRow
        {...form.field("password", draft?.password)}
        label="Password"
        autoComplete="current-password"
        aside={<TextLink to="/forgot-password">Forgot your password?</TextLink>}
      />
      <FormErrors form={form} />
      <Button type="submit" variant="primary" isLoading={form.isBusy}>
        Login
      </Button>
    </ActionForm>
  );
}
