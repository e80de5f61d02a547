// "Skip this date": the holder of a standing seat gives up the seat of one session (H-09). The dialog says beforehand
// whether the token returns.
import { Button } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { leavingSentence } from "~/domain/sessions/leaving";
import type { PlaceSession } from "~/domain/sessions/series-place";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { Instant } from "~/domain/time";

type Props = { session: PlaceSession; startedAt: Instant | null; now: Instant; address: string };

export function SkipDate({ session, startedAt, now, address }: Props) {
  if (session.seatTerms === null || session.status !== SESSION_STATUS.waiting) return null;
  return (
    <ConfirmDialog
      trigger={<Button variant="quiet">Skip this date</Button>}
      title="Skip this date?"
      confirmLabel="Skip it"
      cancelLabel="Keep my seat"
      form={{ fields: { intent: "leave", session: session.id }, action: address }}
    >
      Your spot becomes free for somebody else. {leavingSentence(session.seatTerms, startedAt, now)} You go on
      joining every time.
    </ConfirmDialog>
  );
}
