// A running or paused log as a timer face. It is computed from instants, so it stays correct after a reload, on
// another device, and after sleep.

import { TimerFace } from "~/components/schedule/timer-face";
import { formatDuration } from "~/domain/duration-text";
import { type GoalTimer, timerOf } from "~/domain/goals/goals";
import { elapsedAt, isRunning, remainingAt } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { intervalAt } from "~/domain/schedule/timer-pieces";
import { type Instant, SECOND } from "~/domain/time";
import { useFlips } from "~/hooks/use-now";
import { EndCues } from "./end-cues";
import { LogControls } from "./log-controls";
import { useLogMoves } from "./use-log-moves";

type Props = {
  log: LogShown;
  /** The goal's timers: an interval timer names its current interval. */
  timers: readonly GoalTimer[];
  /** False for viewers who may not control it. */
  canControl?: boolean;
};

export function RunningLog({ log: serverLog, timers, canControl = true }: Props) {
  const { log, move, isBusy } = useLogMoves(serverLog);
  const timer = timerOf({ timers: [...timers] }, log);
  const plannedMs = (log.duration ?? 0) * SECOND;
  const remaining = (now: Instant) => remainingAt(log, now) ?? 0;
  const isOver = useFlips((now) => plannedMs > 0 && remaining(now) === 0).value;
  const title = log.title || log.goal?.title || "Progress";
  return (
    <div className="flex flex-col items-center gap-4">
      <TimerFace
        title={title}
        state={isRunning(log) ? "running" : "paused"}
        span={plannedMs}
        remainingAt={remaining}
        {...(plannedMs > 0 && !isOver ? {} : { shownAt: (now: Instant) => elapsedAt(log, now) })}
        label={labelOf(log, plannedMs, isOver)}
        detail={timer?.isInterval ? <IntervalText timer={timer} log={log} /> : null}
        className="w-full max-w-md"
      />
      <p className="sr-only" aria-live="polite">
        <SpokenCues log={log} plannedMs={plannedMs} timer={timer} />
      </p>
      {canControl && <EndCues log={log} timer={timer} />}
      {canControl && <LogControls log={log} onMove={move} isBusy={isBusy} size="lg" />}
    </div>
  );
}

function labelOf(log: LogShown, plannedMs: number, isOver: boolean): string {
  if (!isRunning(log)) return "Paused";
  if (plannedMs === 0) return "Running";
  if (isOver && log.isInterval) return "Done";
  return isOver ? `Over the planned ${formatDuration(plannedMs / SECOND)}` : "Left";
}

type SpokenProps = { log: LogShown; plannedMs: number; timer: GoalTimer | null };

/** Announces changes: paused, the next interval, the planned time over; never the seconds. */
function SpokenCues({ log, plannedMs, timer }: SpokenProps) {
  const text = useFlips((now) => {
    if (!isRunning(log)) return "Paused";
    const isOver = plannedMs > 0 && remainingAt(log, now) === 0;
    if (isOver || !timer?.isInterval) return labelOf(log, plannedMs, isOver);
    const reading = intervalAt(timer.timers, timer.sets, elapsedAt(log, now));
    const interval = timer.timers[reading.intervalIndex ?? 0];
    return `Set ${reading.set} of ${timer.sets}, ${interval?.title || "Interval"}`;
  }).value;
  return <>{text}</>;
}

/** "Set 2 of 3 · Rest, 4m left" (T-14). */
function IntervalText({ timer, log }: { timer: GoalTimer; log: LogShown }) {
  const text = useFlips((now) => {
    const reading = intervalAt(timer.timers, timer.sets, elapsedAt(log, now));
    const interval = timer.timers[reading.intervalIndex ?? 0];
    if (!interval || reading.intervalRemaining === null) return "";
    const remaining = formatDuration(Math.ceil(reading.intervalRemaining / SECOND));
    return `Set ${reading.set} of ${timer.sets} · ${interval.title || "Interval"}, ${remaining} left`;
  }).value;
  return <>{text}</>;
}
