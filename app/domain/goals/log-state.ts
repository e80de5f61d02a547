// The state of a log and its measured time at an instant (S-10, R-07). Pure; browsers show running seconds with it.

import type { Day } from "~/domain/days";
import { type Instant, type Millis, millis, SECOND, type Seconds } from "~/domain/time";

/** Amounts in thousandths, distances in millimetres; `duration` is planned or typed, `elapsedDuration` measured. */
export type Log = {
  id: number;
  uuid: string;
  goalId: number | null;
  username: string;
  sessionId: number | null;
  /** The uuid of the log's goal within its session. */
  sessionGoalUuid: string | null;
  title: string;
  content: string;
  contentHtml: string;
  summary: string;
  action: string;
  status: number;
  amount: number | null;
  distance: number | null;
  duration: Seconds | null;
  isTimed: boolean;
  /** Measured before `startedAt`. */
  elapsedDuration: Millis;
  remainingDuration: Millis | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  pausedAt: Instant | null;
  qlButtonUuid: string | null;
  timerUuid: string | null;
  /** Nobody but its user reads title and text. */
  isWithheld: boolean;
  /** Its timer has intervals, and ends after the last set. */
  isInterval: boolean;
  day: Day;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The newest log of a user that runs, and how many do; `elapsed` in milliseconds, measured before `startedAt`. */
export type RunningLog = {
  id: number;
  goalId: number | null;
  title: string;
  startedAt: Instant;
  /** The end of an interval timer. */
  endsAt: Instant | null;
  elapsed: Millis;
  count: number;
};

/** S-10. `paused` is also the state of a to-do log, which was never started. */
export const LOG_STATUS = { active: 1, done: 2, paused: 3, stopped: 4 } as const;

/** A to-do log: never started, or reset. It counts nothing. */
export const isToDo = (log: Pick<Log, "status" | "pausedAt">): boolean =>
  log.status === LOG_STATUS.paused && log.pausedAt === null;

export const isRunning = (log: Pick<Log, "status" | "isTimed">): boolean =>
  log.status === LOG_STATUS.active && log.isTimed;

type Measured = Pick<Log, "status" | "isTimed" | "elapsedDuration" | "startedAt" | "endedAt" | "isInterval">;

/** The instant after its last set at which a running interval timer ends by itself; null for any other log. */
export const endOf = (log: Measured): Instant | null =>
  isRunning(log) && log.isInterval ? log.endedAt : null;

/**
 * The measured time at `now`, at least the stored time, even if the client's clock lags. A plain duration is counted past
 * its end, the sets of an interval timer are not.
 */
export function elapsedAt(log: Measured, now: Instant): Millis {
  if (!isRunning(log) || log.startedAt === null) return log.elapsedDuration;
  const until = Math.min(now, endOf(log) ?? now);
  return millis(log.elapsedDuration + Math.max(0, until - log.startedAt));
}

/** The remaining plan at `now`; null without a plan, 0 once it is over. */
export function remainingAt(log: Measured & Pick<Log, "duration">, now: Instant): Millis | null {
  if (!log.isTimed || log.duration === null || log.duration === 0) return null;
  if (log.status === LOG_STATUS.done) return millis(0);
  return millis(Math.max(0, log.duration * SECOND - elapsedAt(log, now)));
}
