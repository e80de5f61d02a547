// The sign-in and registration forms, for the modal and the page (V-01 to V-09).
import { type RefObject, useEffect, useState } from "react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { PasswordRow } from "~/components/form/password-row";
import { TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { More } from "~/components/ui/more";
import { Warning } from "~/components/ui/notice";
import { linkClass, TextLink } from "~/components/ui/text-link";
import { loginRules, registerRules } from "~/domain/accounts/rules";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { toast } from "~/hooks/toasts";
import type { ActResult } from "~/wire/act";
import { PasskeySignIn } from "./passkey-sign-in";
import { SecondStepForm } from "./second-step-form";
import { UsernameRow } from "./username-row";

export type SignInTab = "login" | "register";

type Props = {
  tab: SignInTab;
  /** The path of the redirect on success. */
  next: string;
  /**
   * The act to run after sign-in. The browser then submits the forms as documents, and the answer runs the act.
   * An empty text for none.
   */
  actToResume: string;
  /** Called after a sign-in that stays on the page, as it does once hydrated. Without it the browser follows `next`. */
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
    const firstEmpty = [...(inputs ?? [])].find((input) => input.value === "");
    firstEmpty?.focus();
  }, [form, isWanted]);
}

/** A refusal of these intents shows above the first step. */
const LATER_STEPS = ["two-step", "passkey"];

/** The login, or its second step when the account requires one. */
export function SignInForm(props: Props) {
  const posted = usePosted();
  const [stepToken, setStepToken] = useState<string | null>(null);
  const [expiredMessage, setExpiredMessage] = useState<string | null>(null);
  // Without JavaScript the page's answer says which step it is.
  const token = stepToken ?? tokenIn(posted);
  if (token === null || expiredMessage !== null)
    return (
      <CredentialsForm
        {...props}
        notice={
          expiredMessage ??
          (posted && LATER_STEPS.includes(posted.intent) && !posted.ok ? posted.message : null)
        }
        onSecondStep={(token) => {
          setStepToken(token);
          setExpiredMessage(null);
        }}
      />
    );
  const { next, actToResume, onDone } = props;
  return (
    <SecondStepForm
      token={token}
      next={next}
      actToResume={actToResume}
      onDone={onDone}
      onExpired={setExpiredMessage}
    />
  );
}

/** The token of a second step that the page's answer requires, or that was just tried and is still valid. */
function tokenIn(posted: ActResult | undefined): string | null {
  if (posted?.intent === "login" && posted.ok) return stepTokenOf(posted.result);
  if (posted?.intent !== "two-step" || posted.ok || posted.code === "UNAUTHENTICATED") return null;
  const { token } = posted.form.initialValue ?? {};
  return typeof token === "string" ? token : null;
}

const stepTokenOf = (result: unknown): string | null =>
  (result as { twoStep?: { token: string } | null } | null)?.twoStep?.token ?? null;

/** The fields behind "More". */
const OPTIONAL_FIELDS = ["firstName", "lastName"];

type CredentialsFormProps = Props & { notice: string | null; onSecondStep: (token: string) => void };

function CredentialsForm({
  tab,
  next,
  actToResume,
  onDone,
  draft,
  focusOnMount,
  notice,
  onSecondStep,
}: CredentialsFormProps) {
  const isNew = tab === "register";
  const form = useActionForm({
    intent: tab,
    action: `/auth/${tab}`,
    hiddenFields: actToResume === "" ? { next } : { next, actToResume },
    asDocument: actToResume !== "",
    rules: isNew ? registerRules : loginRules,
    redirects: !onDone,
    changesOwner: true,
    onSuccess: (result, sentence) => {
      const token = stepTokenOf(result);
      if (token !== null) onSecondStep(token);
      else if (sentence) toast.success(sentence);
    },
    ...(onDone
      ? {
          onDone: (result) => {
            if (stepTokenOf(result) === null) onDone();
          },
        }
      : {}),
  });
  useFirstFocus(form.element, focusOnMount);
  const field = (name: string) => form.field(name, draft?.[name]);
  // A single error from the server appears under the form as well as at its field (M-02).
  const { result, problems } = form;
  const refusal =
    result && !result.ok && result.sentences.length === 1 && form.hasErrorsUnder("") ? result.sentences : [];
  const shownProblems = problems.length > 0 ? problems : refusal;
  return (
    <ActionForm form={form} className="flex flex-col gap-3 sm:gap-4">
      {notice !== null && <Warning title={notice} />}
      <TextRow
        {...field("email")}
        label="Email"
        type="email"
        autoComplete={isNew ? "email" : "username"}
        isRequired
      />
      {isNew && <UsernameRow {...field("username")} />}
      <PasswordRow
        {...field("password")}
        label="Password"
        autoComplete={isNew ? "new-password" : "current-password"}
        {...(isNew
          ? { hint: "At least 8 characters. Several words are easy to remember." }
          : { aside: <TextLink to="/forgot-password">Forgot your password?</TextLink> })}
      />
      {isNew && (
        <>
          <PasswordRow
            {...field("passwordConfirmation")}
            label="Confirm password"
            autoComplete="new-password"
          />
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
          <More name="register" hint="Your name" isOpen={OPTIONAL_FIELDS.some(form.hasErrorsUnder)}>
            <div className="grid gap-4 sm:grid-cols-2">
              <TextRow {...field("firstName")} label="First name" autoComplete="given-name" />
              <TextRow {...field("lastName")} label="Last name" autoComplete="family-name" />
            </div>
          </More>
        </>
      )}
      <FormErrors form={{ problems: shownProblems }} />
      <Button type="submit" variant="primary" isLoading={form.isBusy}>
        {isNew ? "Register" : "Login"}
      </Button>
      {!isNew && <PasskeySignIn next={next} actToResume={actToResume} onDone={onDone} />}
    </ActionForm>
  );
}
