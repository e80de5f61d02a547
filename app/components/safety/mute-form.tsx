// A form that mutes a person for some time, or lifts the mute.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Select } from "~/components/ui/inputs";
import { nameForActs } from "~/domain/room/aliases";
import { useActionForm } from "~/hooks/form/use-action-form";

type Props = {
  person: { username: string; handle?: string | null };
  /** Undefined where the page does not know of a mute: then the select offers to lift it. */
  isMuted: boolean | undefined;
  /** The label of the mute that has no end. */
  endlessLabel: string;
};

export function MuteForm({ person, isMuted, endlessLabel }: Props) {
  const { username } = person;
  const form = useActionForm({
    intent: "mute",
    hiddenFields: { username: nameForActs(person), ...(isMuted ? { mute: 0 } : {}) },
  });
  return (
    <ActionForm form={form} className="flex flex-wrap items-end gap-2">
      {!isMuted && (
        <Select name="mute" aria-label={`How long to mute ${username}`} defaultValue="300" className="w-auto">
          <option value="300">5 minutes</option>
          <option value="1800">30 minutes</option>
          <option value="1">{endlessLabel}</option>
          {isMuted === undefined && <option value="0">Lift the mute</option>}
        </Select>
      )}
      <Button
        type="submit"
        variant="quiet"
        isLoading={form.isBusy}
        aria-label={isMuted ? `Lift the mute of ${username}` : `Mute ${username}`}
      >
        {isMuted ? "Lift the mute" : "Mute"}
      </Button>
      <FormErrors form={form} />
    </ActionForm>
  );
}
