// Starts, pauses, stops, completes and resets a log, with an optimistic update by the server's rule.
import { useContext, useEffect, useRef } from "react";
import { endOf, LOG_STATUS } from "~/domain/goals/log-state";
import { type LogMove, type LogShown, moveLog } from "~/domain/goals/logs";
import { instant, MINUTE } from "~/domain/time";
import { useSecondClock } from "~/hooks/goals/use-second-clock";
import { isOutOfReach } from "~/hooks/outbox/door";
import { toast } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import { useFreshData } from "~/hooks/use-fresh-data";
import { ClockContext } from "~/hooks/use-now";
import { useOptimistic } from "~/hooks/use-optimistic";
import { useReader } from "~/hooks/use-shell";
import type { CallPath } from "~/wire/call-path";
import * as paths from "~/wire/paths";
import { answeredText, type LoggedAnswer } from "./answered-text";

const CALLS: Record<LogMove, CallPath> = {
  start: paths.startLog,
  pause: paths.stopLog,
  stop: paths.stopLog,
  complete: paths.completeLog,
  reset: paths.resetLog,
};

/** A margin after the end of an interval timer, by which the server's clock has passed it as well. */
const END_MARGIN_MS = 300;
/** The shortest wait between reloads, which repeat until the server's log no longer runs. */
const MIN_RELOAD_WAIT_MS = 2000;

/** Runs a log's actions optimistically, and reloads the page's data once its interval timer has ended. */
export function useLogMoves(log: LogShown) {
  const reader = useReader();
  const { value: shownLog, apply, confirmPatch, dropPatch } = useOptimistic(log);
  const clock = useContext(ClockContext);
  const key = useRef("");
  const completedLog = useRef<LogShown | null>(null);
  const { run, isBusy } = useCall<LoggedAnswer>({
    onDone: (answer) => {
      confirmPatch(key.current);
      const log = completedLog.current;
      if (log) toast.logged(log.id, answeredText(log, answer, reader));
    },
    onError: () => {
      dropPatch(key.current);
      return false;
    },
    retries: true,
  });
  const confirmSecondClock = useSecondClock();
  const move = (to: LogMove, { isClockConfirmed = false } = {}) => {
    // A log that is still being recorded has no id.
    if (isBusy || log.id === 0 || isOutOfReach()) return;
    if (
      to === "start" &&
      !isClockConfirmed &&
      confirmSecondClock(log.goalId, () => move(to, { isClockConfirmed: true }))
    )
      return;
    const now = instant(clock.now());
    const change = moveLog(shownLog, to, now);
    key.current = crypto.randomUUID();
    completedLog.current = to === "complete" ? { ...shownLog, ...change } : null;
    apply(key.current, (previous) => ({ ...previous, ...change }));
    const timestamp = new Date(now).toISOString();
    const bodies: Record<LogMove, object> = {
      start: { status: LOG_STATUS.active, started_at: timestamp },
      pause: { status: LOG_STATUS.paused, paused_at: timestamp, elapsed_duration: change.elapsedDuration },
      stop: { status: LOG_STATUS.stopped, ended_at: timestamp, elapsed_duration: change.elapsedDuration },
      complete: {},
      reset: {},
    };
    void run(CALLS[to], { params: { log: log.id }, body: bodies[to], idempotencyKey: key.current });
  };
  const end = endOf(shownLog);
  const readAgain = useFreshData();
  useEffect(() => {
    if (end === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const scheduleReload = () => {
      const remaining = end + END_MARGIN_MS - clock.now();
      timer = setTimeout(reloadOnceEnded, Math.min(Math.max(remaining, MIN_RELOAD_WAIT_MS), MINUTE));
    };
    const reloadOnceEnded = () => {
      if (clock.now() >= end && navigator.onLine) readAgain();
      scheduleReload();
    };
    scheduleReload();
    return () => clearTimeout(timer);
  }, [end, clock, readAgain]);
  return { log: shownLog, move, isBusy: isBusy || log.id === 0 };
}
