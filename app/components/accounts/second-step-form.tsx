// The second step of a sign-in: a code of the authenticator, or a recovery code.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Button } from "~/components/ui/button";
import { codeRules } from "~/domain/accounts/rules";
import { useActionForm } from "~/hooks/form/use-action-form";

type Props = {
  token: string;
  next: string;
  actToResume: string;
  onDone?: (() => void) | undefined;
  /** Called when the token has expired; the password form then shows `sentence`. */
  onExpired: (sentence: string) => void;
};

export function SecondStepForm({ token, next, actToResume, onDone, onExpired }: Props) {
  const form = useActionForm({
    intent: "two-step",
    action: "/auth/two-step",
    hiddenFields: actToResume === "" ? { token, next } : { token, next, actToResume },
    asDocument: actToResume !== "",
    rules: codeRules,
    redirects: !onDone,
    changesOwner: true,
    takesFocus: true,
    onRefused: ({ code, message }) => {
      if (code !== "UNAUTHENTICATED") return false;
      onExpired(message);
      return true;
    },
    ...(onDone ? { onDone } : {}),
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-4" aria-label="Second step">
      <CodeRow field={form.field("code")} />
      <FormErrors form={form} />
      <Button type="submit" variant="primary" isLoading={form.isBusy}>
        Continue
      </Button>
    </ActionForm>
  );
}

type CodeField = { name: string; defaultValue: string; error: string[] };

export const CodeRow = ({ field }: { field: CodeField }) => (
  <TextRow
    {...field}
    label="Code"
    hint="The six digits of your authenticator app, or one of your recovery codes."
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    isRequired
  />
);
