// The dialog that leaves a session. It says beforehand whether the token returns.
import type { ReactElement } from "react";
import { useLive } from "~/components/room/live-context";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { hasTurns } from "~/domain/schedule/part-kinds";
import { partsInOrder } from "~/domain/schedule/shape";
import { leavingSentence, paysAgain, type SeatTerms } from "~/domain/sessions/leaving";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { useHydrated } from "~/hooks/use-hydrated";
import { useFlips } from "~/hooks/use-now";

type Props = {
  path: string;
  terms: SeatTerms;
  /** Joining is free for this person: the host pays. */
  isFree: boolean;
  /** The button that opens the dialog. */
  trigger: ReactElement;
  title?: string;
  confirmLabel?: string;
  cancelLabel?: string;
};

export function LeaveSession({
  path,
  terms,
  isFree,
  trigger,
  title = "Leave this session?",
  confirmLabel = "Leave",
  cancelLabel = "Cancel",
}: Props) {
  const room = useLive("room");
  // The page's socket is a visit to the room, after which an early start returns no token.
  const isVisiting = useHydrated();
  const seat = isVisiting ? { ...terms, returnsUntil: null } : terms;
  const consequence = useFlips((now) => {
    const sentence = leavingSentence(seat, room.startedAt, now);
    if (statusAt(room, now) === SESSION_STATUS.waiting)
      return paysAgain(seat, { isFree, startedAt: room.startedAt, now })
        ? `${sentence} Joining again costs a token again.`
        : sentence;
    const hasTurnsLeft = partsInOrder(room.schedule).some(
      (part) => hasTurns(part) && (part.endedAt === null || part.endedAt > now),
    );
    return hasTurnsLeft ? `${sentence} You lose your remaining turns.` : sentence;
  }).value;
  return (
    <ConfirmDialog
      trigger={trigger}
      title={title}
      confirmLabel={confirmLabel}
      cancelLabel={cancelLabel}
      form={{ fields: { intent: "leave" }, action: path }}
    >
      Your spot becomes free for somebody else. {consequence}
    </ConfirmDialog>
  );
}
