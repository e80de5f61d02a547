// Making an account, in the modal and on its own page (V-02 to V-09).
import { getInputProps } from "@conform-to/react";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { linkClass } from "~/components/ui/text-link";
import { REQUIRED, registerRules } from "~/domain/account-rules";
import { useHydrated } from "~/hooks/use-hydrated";
import { FormProblems, PasswordRow, TextRow } from "./account-fields";
import { type SignInFormProps, useFirstFocus } from "./login-form";
import { useActForm } from "./use-act-form";

export function RegisterForm({ next, onDone, draft, focusOnMount }: SignInFormProps) {
  const isHydrated = useHydrated();
  const { form, fields, formProps, Form, isBusy, problems, result } = useActForm({
    rules: registerRules,
    intent: "register",
    action: "/auth/register",
    ...(draft ? { defaultValue: draft } : {}),
    ...(onDone ? { onDone } : {}),
  });
  useFirstFocus(form.id, focusOnMount);
  // The server's one reason stands under the form as well as at its field (M-02).
  const refusal = result && !result.ok && result.sentences.length === 1 ? result.sentences : [];
  const told = problems.length > 0 ? problems : refusal.filter((sentence) => !sentence.startsWith(REQUIRED));
  const { key, ...terms } = getInputProps(fields.terms, { type: "checkbox", ariaAttributes: false });
  return (
    <Form {...formProps} className="flex flex-col gap-4">
      <input type="hidden" name="intent" value="register" />
      {onDone && isHydrated && <input type="hidden" name="stay" value="1" />}
      <input type="hidden" name="next" value={next} />
      <TextRow
        field={fields.username}
        label="Username"
        autoComplete="nickname"
        hint="How everybody here will know you. It cannot be changed later."
        isRequired
      />
      <TextRow field={fields.email} label="Email" type="email" autoComplete="email" isRequired />
      <PasswordRow
        field={fields.password}
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters. Several words are easy to keep in mind."
      />
      <PasswordRow field={fields.passwordConfirmation} label="Confirm password" autoComplete="new-password" />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextRow field={fields.firstName} label="First name" autoComplete="given-name" />
        <TextRow field={fields.lastName} label="Last name" autoComplete="family-name" />
      </div>
      <Checkbox
        key={key}
        {...terms}
        required
        error={fields.terms.errors}
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
      <FormProblems problems={told} />
      <Button type="submit" variant="primary" isLoading={isBusy}>
        Register
      </Button>
    </Form>
  );
}
