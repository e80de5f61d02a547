// A running or paused log in one line, for cards and lists.
import { Badge } from "~/components/ui/badge";
import { formatClock } from "~/domain/duration-text";
import { elapsedAt, isRunning, isToDo } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { logMeasures, statusText } from "~/domain/goals/measure-text";
import { useFlips } from "~/hooks/use-now";
import { useReader } from "~/hooks/use-shell";
import { EndCues } from "./end-cues";
import { LogControls } from "./log-controls";
import { useLogMoves } from "./use-log-moves";

export function RunningLine({ log: serverLog, showsTitle = false }: { log: LogShown; showsTitle?: boolean }) {
  const { log, move, isBusy } = useLogMoves(serverLog);
  const reader = useReader();
  const title = log.title || (showsTitle ? (log.goal?.title ?? "") : "");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {isToDo(log) ? <Status log={log} /> : <RunningClock log={log} />}
      {title && <span className="font-semibold">{title}</span>}
      {isToDo(log) && <span className="text-soft">{logMeasures(log, log.goal?.unit ?? "", 0, reader)}</span>}
      <EndCues log={log} timer={null} />
      <LogControls log={log} onMove={move} isBusy={isBusy} isQuiet={!isRunning(log)} />
    </div>
  );
}

const Status = ({ log }: { log: LogShown }) => (
  <Badge tone={isRunning(log) ? "ember" : "dusk"}>{statusText(log)}</Badge>
);

/** The state and the time of a log that runs or is paused. */
export function RunningClock({ log }: { log: LogShown }) {
  const clock = useFlips((now) => formatClock(elapsedAt(log, now)), { isMoving: isRunning(log) }).value;
  return (
    <span className="flex items-center gap-4">
      <Status log={log} />
      <span className="tabular text-xl" role="timer" aria-live="off">
        {clock}
      </span>
    </span>
  );
}
