// Signing in, in the modal and on its own page.
import { useEffect } from "react";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/text-link";
import { loginRules } from "~/domain/account-rules";
import { useHydrated } from "~/hooks/use-hydrated";
import { FormProblems, PasswordRow, TextRow } from "./account-fields";
import { useActForm } from "./use-act-form";

export type SignInFormProps = {
  /** Where it leads on success. */
  next: string;
  /** Stays on the page instead, once JavaScript is there, and tells here when it is done. */
  onDone?: (() => void) | undefined;
  /** What was typed before the tab was changed. */
  draft?: Record<string, string> | undefined;
  focusOnMount?: boolean;
};

/** Puts the cursor into the first empty field of a form in a dialog that was just opened. */
export function useFirstFocus(formId: string, isWanted: boolean | undefined): void {
  useEffect(() => {
    if (!isWanted) return;
    const inputs = document.getElementById(formId)?.querySelectorAll<HTMLInputElement>("input.control");
    const first = [...(inputs ?? [])].find((input) => input.value === "");
    first?.focus();
  }, [formId, isWanted]);
}

export function LoginForm({ next, onDone, draft, focusOnMount }: SignInFormProps) {
  const isHydrated = useHydrated();
  const { form, fields, formProps, Form, isBusy, problems } = useActForm({
    rules: loginRules,
    intent: "login",
    action: "/auth/login",
    ...(draft ? { defaultValue: draft } : {}),
    ...(onDone ? { onDone } : {}),
  });
  useFirstFocus(form.id, focusOnMount);
  return (
    <Form {...formProps} className="flex flex-col gap-4">
      <input type="hidden" name="intent" value="login" />
      {onDone && isHydrated && <input type="hidden" name="stay" value="1" />}
      <input type="hidden" name="next" value={next} />
      <TextRow field={fields.email} label="Email" type="email" autoComplete="username" isRequired />
      <PasswordRow
        field={fields.password}
        label="Password"
        autoComplete="current-password"
        aside={<TextLink to="/forgot-password">Forgot your password?</TextLink>}
      />
      <FormProblems problems={problems} />
      <Button type="submit" variant="primary" isLoading={isBusy}>
        Login
      </Button>
    </Form>
  );
}
