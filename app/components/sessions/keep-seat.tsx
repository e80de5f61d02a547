// Asks the holder of a standing seat whether to keep it, after the start has moved (G-16).
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import type { SeatTerms } from "~/domain/sessions/leaving";
import type { Instant } from "~/domain/time";
import { useActionForm } from "~/hooks/form/use-action-form";
import type { ActResult } from "~/wire/act";
import { LeaveSession } from "./leave-session";

export function KeepSeat({
  until,
  terms,
  isFree,
  path,
  posted,
}: {
  until: Instant;
  terms: SeatTerms;
  isFree: boolean;
  path: string;
  /** The answer to a submit without JavaScript. */
  posted: ActResult | undefined;
}) {
  const form = useActionForm({ intent: "seat.keep", action: path, posted });
  return (
    <Notice
      tone="warning"
      title="The start has moved"
      action={
        <>
          <ActionForm form={form}>
            <Button type="submit" isLoading={form.isBusy}>
              Keep my seat
            </Button>
            <FormErrors form={form} />
          </ActionForm>
          <LeaveSession
            path={path}
            terms={terms}
            isFree={isFree}
            trigger={<Button variant="ghost">Give it up</Button>}
            title="Give up your seat?"
            confirmLabel="Give it up"
            cancelLabel="Keep it"
          />
        </>
      }
    >
      You have a seat because you join every time. Until <Time at={until} look="auto" /> you may give it up,
      and its token is returned. Without an answer you keep it.
    </Notice>
  );
}
