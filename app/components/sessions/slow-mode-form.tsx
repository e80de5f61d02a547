// The form by which host and admins set the chat's slow mode.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import { SLOW_MODES } from "~/domain/sessions/chat";
import { useActionForm } from "~/hooks/form/use-action-form";

type Props = { session: { path: string }; slowModeSeconds: number };

export function SlowModeForm({ session, slowModeSeconds }: Props) {
  const form = useActionForm({ intent: "slow-mode", action: `${session.path}/chat` });
  return (
    <ActionForm form={form} className="flex flex-wrap items-end gap-3">
      <Field label="Slow mode" error={form.errorsOf("slowMode")}>
        {/* Remounts, because another admin may change the mode. */}
        <Select name="slowMode" defaultValue={String(slowModeSeconds)} key={slowModeSeconds}>
          {SLOW_MODES.map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? "Off" : `A message every ${seconds} seconds`}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" isLoading={form.isBusy}>
        Set
      </Button>
      <FormErrors form={form} />
    </ActionForm>
  );
}
