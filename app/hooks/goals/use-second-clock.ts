// Whether a clock that is about to start is a second one; the question about the first opens with it.
import { openModal } from "~/hooks/modal-store";
import { useShell } from "~/hooks/use-shell";

/** `goOn` runs after the answer. True if a log of another goal runs, and the question is open. */
export function useSecondClock(): (goalId: number | null, goOn: () => void) => boolean {
  const { viewer } = useShell();
  return (goalId, goOn) => {
    const running = viewer?.runningLog;
    // At most one log of a goal runs, and the goal's page shows it.
    if (!running || running.goalId === goalId) return false;
    openModal({ name: "second-clock", running, onGoOn: goOn });
    return true;
  };
}
