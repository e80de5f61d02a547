// The forms that suspend an account and lift its suspension.
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select, TextArea } from "~/components/ui/inputs";
import { REASON_LENGTH, SUSPENSION_DAYS } from "~/domain/safety/sanctions";
import { useActionForm } from "~/hooks/form/use-action-form";

const spanLabel = (days: number): string =>
  days === 0 ? "No end" : days === 1 ? "1 day" : days === 365 ? "A year" : `${days} days`;

export function SuspendForm({ username }: { username: string }) {
  const form = useActionForm({ intent: "suspend", hiddenFields: { username } });
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <p className="text-soft">
        Ends all logins of {username}, and cancels the upcoming sessions they host with refunds. They read the
        reason when they sign in.
      </p>
      <Field label="How long" error={form.errorsOf("days")} className="max-w-60">
        <Select name="days" defaultValue="7">
          {SUSPENSION_DAYS.map((days) => (
            <option key={days} value={days}>
              {spanLabel(days)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Reason" isRequired error={form.errorsOf("reason")}>
        <TextArea name="reason" rows={3} maxLength={REASON_LENGTH} />
      </Field>
      <SubmitRow form={form} variant="danger">
        Suspend
      </SubmitRow>
    </ActionForm>
  );
}

export function LiftSuspension({ username }: { username: string }) {
  const form = useActionForm({ intent: "lift-suspension", hiddenFields: { username } });
  return (
    <ActionForm form={form}>
      <Button type="submit" isLoading={form.isBusy}>
        Lift the suspension
      </Button>
    </ActionForm>
  );
}
