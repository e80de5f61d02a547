// The notice to a viewer who has a turn as host of a series, or is invited to one (G-17).
import { ActionForm, FormErrors, SubmitRow } from "~/components/form/action-form";
import { GuestFields } from "~/components/form/guest-fields";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import type { ShownSeries } from "~/domain/series/view";
import { GUESTS_BY_DEFAULT } from "~/domain/sessions/limits";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";

export function TurnNotice({ series }: { series: ShownSeries }) {
  const { viewer } = useShell();
  const username = viewer?.username ?? "";
  const leaveForm = useActionForm({ intent: "host.leave", hiddenFields: { username }, redirects: true });
  const isInvited = series.turn === "invited";
  return (
    <Notice
      action={
        <ActionForm form={leaveForm}>
          <Button type="submit" variant="quiet" isLoading={leaveForm.isBusy}>
            {isInvited ? "Decline" : "Stop hosting"}
          </Button>
          <FormErrors form={leaveForm} />
        </ActionForm>
      }
    >
      {isInvited
        ? `${series.hostUsername || "The host"} asks you to host this series in turn. Each session that you host costs you 1 token when it is created${series.isFree ? ", and 1 token for everybody who joins it, because joining is free" : ""}.`
        : "You host this series in turn. If you stop, you keep the sessions that already exist."}
      {isInvited && <AcceptForm isFree={series.isFree} />}
    </Notice>
  );
}

type AcceptProps = { isFree: boolean; guests?: number; label?: string };

/** Each host decides whether their sessions take guests (H-17): on accepting, and later by the same form. */
export function AcceptForm({ isFree, guests = 0, label = "Accept" }: AcceptProps) {
  const form = useActionForm({ intent: "host.accept", hiddenFields: { isFree: isFree ? "1" : "0" } });
  const answer = { takesGuests: guests > 0 ? "on" : "", guestLimit: String(guests || GUESTS_BY_DEFAULT) };
  return (
    <ActionForm form={form} className="flex flex-col gap-3 pt-3">
      <GuestFields
        field={(name) => ({
          name,
          defaultValue: form.shownValue(name, answer[name as keyof typeof answer]),
          error: form.errorsOf(name),
        })}
      />
      <SubmitRow form={form}>{label}</SubmitRow>
    </ActionForm>
  );
}
