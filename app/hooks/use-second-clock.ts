// Whether a clock that is about to start is a second one; the question about the first opens with it.
import { openModal } from "./modal-store";
import { useShell } from "./use-shell";

/** `goOn` runs after the answer. True if another log than `logId` runs, and the question is open. */
export function useSecondClock(): (logId: number | null, goOn: () => void) => boolean {
  const { viewer } = useShell();
  return (logId, goOn) => {
    const running = viewer?.runningLog;
    if (!running || running.id === logId) return false;
    openModal({ name: "second-clock", running, onGoOn: goOn });
    return true;
  };
}
