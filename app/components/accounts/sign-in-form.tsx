// The sign-in and registration forms, for the modal and the page (V-01 to V-09).
import { type RefObject, useEffect } from "react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { linkClass, TextLink } from "~/components/ui/text-link";
import { loginRules, REQUIRED, registerRules } from "~/domain/account-rules";
import { useActionForm } from "~/hooks/use-action-form";

export type SignInTab = "login" | "register";

type Props = {
  tab: SignInTab;
  /** The path of the redirect on success. */
  next: string;
  /** Stays on the page instead, once hydrated, and calls back when it is done. */
  onDone?: (() => void) | undefined;
  /** The values typed before the tab changed. */
  draft?: Record<string, string> | undefined;
  focusOnMount?: boolean | undefined;
};

/** Focuses the first empty field of a form in a dialog that has just opened. */
function useFirstFocus(form: RefObject<HTMLFormElement>, isWanted: boolean | undefined): void {
  useEffect(() => {
    if (!isWanted) return;
    const inputs = form.current?.querySelectorAll<HTMLInputElement>("input.control");
    const first = [...(inputs ?? [])].find((input) => input.value === "");
    first?.focus();
  }, [form, isWanted]);
}

export function SignInForm({ tab, next, onDone, draft, focusOnMount }: Props) {
  const isNew = tab === "register";
  const form = useActionForm({
    intent: tab,
    action: `/auth/${tab}`,
    about: { next },
    rules: isNew ? registerRules : loginRules,
    leaves: !onDone,
    ...(onDone ? { onDone } : {}),
  });
  useFirstFocus(form.element, focusOnMount);
  const field = (name: string) => form.field(name, draft?.[name]);
  // The only error of the server appears under the form and at its field (M-02).
  const { result, problems } = form;
  const refusal = result && !result.ok && result.sentences.length === 1 ? result.sentences : [];
  const shownProblems =
    problems.length > 0 ? problems : refusal.filter((sentence) => !sentence.startsWith(REQUIRED));
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      {isNew && (
        <TextRow
          {...field("username")}
          label="Username"
          autoComplete="nickname"
          hint="How everybody here will know you. It cannot be changed later."
          isRequired
        />
      )}
      <TextRow
        {...field("email")}
        label="Email"
        type="email"
        autoComplete={isNew ? "email" : "username"}
        isRequired
      />
      <PasswordRow
        {...field("password")}
        label="Password"
        autoComplete={isNew ? "new-password" : "current-password"}
        {...(isNew
          ? { hint: "At least 8 characters. Several words are easy to keep in mind." }
          : { aside: <TextLink to="/forgot-password">Forgot your password?</TextLink> })}
      />
      {isNew && (
        <>
          <PasswordRow
            {...field("passwordConfirmation")}
            label="Confirm password"
            autoComplete="new-password"
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextRow {...field("firstName")} label="First name" autoComplete="given-name" />
            <TextRow {...field("lastName")} label="Last name" autoComplete="family-name" />
          </div>
          <Checkbox
            name="terms"
            defaultChecked={field("terms").defaultValue !== ""}
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
        </>
      )}
      <FormErrors form={{ problems: shownProblems }} />
      <Button type="submit" variant="primary" isLoading={form.isBusy}>
        {isNew ? "Register" : "Login"}
      </Button>
    </ActionForm>
  );
}
