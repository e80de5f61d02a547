// Asks about the log that is running before a second clock starts.
import { openModal } from "~/hooks/modal-store";
import { useShell } from "~/hooks/use-shell";

/** Returns true when a log of another goal runs: a modal then asks about it, and `goOn` runs after the answer. */
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
