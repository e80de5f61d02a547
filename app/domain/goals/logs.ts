// Progress logs: their state changes, edits and contribution to the goal (S-10, S-11, S-13, R-06 to R-08). Pure; browsers
// use the same functions.

import type { Day } from "~/domain/days";
import { keptDistance } from "~/domain/distances";
import {
  HOUR,
  type Instant,
  instant,
  MINUTE,
  type Millis,
  millis,
  SECOND,
  type Seconds,
  seconds,
} from "~/domain/time";
import { elapsedAt, endOf, isRunning, LOG_STATUS, type Log } from "./log-state";

export type { Log };

/** The goal's fields that lists of logs show (E-12). */
type LogGoal = { id: number; uuid: string; title: string; action: string; unit: string };
/** `guestName`: the name that a guest typed or the host has given, in a session (H-23). */
export type LogShown = Log & { goal: LogGoal | null; guestName?: string | null };

/**
 * A log as its reader sees it. For others a withheld log has no texts, and its goal only if the session shares it.
 * `isOwn`: the reader wrote the log.
 */
export function logSeenBy<L extends LogShown>(log: L, isOwn: boolean, isGoalShared: boolean): L {
  if (!log.isWithheld || isOwn) return log;
  const goal = isGoalShared ? log.goal : null;
  return { ...log, goal, title: "", content: "", contentHtml: "", summary: "", action: goal?.action ?? "" };
}

export type LogMove = "start" | "pause" | "stop" | "complete" | "reset";
export type LogChange = Partial<Omit<Log, "id" | "uuid" | "createdAt">>;

/** The time that a client claims to have measured; accepted within 2 seconds of the server's. */
export type Claim = { at?: Instant | undefined; elapsed?: number | undefined };
const CLAIM_TOLERANCE = 2 * SECOND;

const MOVE_REFUSALS: Record<Exclude<LogMove, "complete" | "reset">, string> = {
  start: "Only a paused, stopped or planned log can be started.",
  pause: "Only a running log can be paused.",
  stop: "Only a running log can be stopped.",
};
const ALLOWED_STATES: Record<keyof typeof MOVE_REFUSALS, readonly number[]> = {
  start: [LOG_STATUS.paused, LOG_STATUS.stopped],
  pause: [LOG_STATUS.active],
  stop: [LOG_STATUS.active],
};

/** S-13. */
export const TIMER_NEEDS_GOAL = "A timer belongs to a goal, and this log has none.";

/** The sentence of a change that the log's state forbids, or null. */
export function moveRefusal(log: Log, move: LogMove): string | null {
  if (move === "complete") return null;
  if (move !== "reset" && !ALLOWED_STATES[move].includes(log.status)) return MOVE_REFUSALS[move];
  return (move === "start" || move === "reset") && log.goalId === null ? TIMER_NEEDS_GOAL : null;
}

/** The fields that a state change sets (S-11, R-06, R-07), where `moveRefusal` has no objection. */
export function moveLog(log: Log, move: LogMove, now: Instant, claim: Claim = {}): LogChange {
  const at = claimedInstant(claim.at, now);
  const elapsed = claimedSpan(claim.elapsed, elapsedAt(log, at));
  const remaining = log.duration === null ? null : millis(Math.max(0, log.duration * SECOND - elapsed));
  switch (move) {
    case "start":
      return {
        status: LOG_STATUS.active,
        isTimed: true,
        elapsedDuration: log.elapsedDuration,
        remainingDuration: remaining,
        startedAt: at,
        endedAt: remaining === null || (remaining === 0 && !log.isInterval) ? null : instant(at + remaining),
        pausedAt: null,
      };
    case "pause":
      return {
        status: LOG_STATUS.paused,
        elapsedDuration: elapsed,
        remainingDuration: remaining,
        endedAt: null,
        pausedAt: at,
      };
    case "stop":
      return {
        status: LOG_STATUS.stopped,
        elapsedDuration: elapsed,
        remainingDuration: remaining,
        endedAt: at,
        pausedAt: null,
      };
    case "complete":
      if (log.status === LOG_STATUS.done) return {};
      return {
        status: LOG_STATUS.done,
        elapsedDuration: elapsed,
        remainingDuration: log.isTimed ? millis(0) : log.remainingDuration,
        endedAt: log.status === LOG_STATUS.stopped ? log.endedAt : at,
        pausedAt: null,
      };
    case "reset":
      return {
        status: LOG_STATUS.paused,
        elapsedDuration: millis(0),
        remainingDuration: log.duration === null ? null : millis(log.duration * SECOND),
        startedAt: null,
        endedAt: null,
        pausedAt: null,
      };
  }
}

/** The change that an interval timer past its end still needs: Done at that end, with the planned time. */
export function pendingEnd(log: Log, now: Instant): LogChange | null {
  const end = endOf(log);
  return end === null || end > now ? null : moveLog(log, "complete", end);
}

/** The log as it is at `now`, whether or not its end has been stored. */
export const logAt = <L extends Log>(log: L, now: Instant): L => ({ ...log, ...pendingEnd(log, now) });

/** An interval timer that ended by itself: nobody has corrected its time since. */
export const hasRunOut = (log: Log): boolean =>
  log.isInterval &&
  log.status === LOG_STATUS.done &&
  log.duration !== null &&
  log.elapsedDuration === log.duration * SECOND;

/** How long the time of an interval timer that ended by itself may be corrected. */
const CORRECTION_PERIOD = 12 * HOUR;
/**
 * The time from the start of a timer that has run out until now, in whole minutes but at least as planned; null once it
 * is too late to correct it, and for any other log.
 */
export function spanUntil(log: Log, now: Instant): Seconds | null {
  const { endedAt, duration } = log;
  if (!hasRunOut(log) || endedAt === null || duration === null || now - endedAt > CORRECTION_PERIOD)
    return null;
  const minutes = Math.floor((duration * SECOND + now - endedAt) / MINUTE);
  return seconds(Math.max(duration, (minutes * MINUTE) / SECOND));
}

const claimedInstant = (claimed: Instant | undefined, serverInstant: Instant): Instant =>
  claimed !== undefined && Math.abs(claimed - serverInstant) <= CLAIM_TOLERANCE ? claimed : serverInstant;
const claimedSpan = (claimed: number | undefined, serverSpan: Millis): Millis =>
  claimed !== undefined && Math.abs(claimed - serverSpan) <= CLAIM_TOLERANCE
    ? millis(Math.max(0, Math.round(claimed)))
    : serverSpan;

/** A log that is taken back within this time returns its price. */
const UNDO_PERIOD = 10 * MINUTE;
export const canUndoLog = (log: Pick<Log, "createdAt">, now: Instant): boolean =>
  now - log.createdAt <= UNDO_PERIOD;

/** A log's contribution to its goal: thousandths, millimetres, milliseconds, and 1 if the log counts. */
export type GoalContribution = { amount: number; distance: number; duration: number; logs: number };
export const NOTHING: GoalContribution = { amount: 0, distance: 0, duration: 0, logs: 0 };

/**
 * amount, distance and the log itself count from Done on. A timed log counts its measured time in every
 * state, any other its duration once it is done.
 */
export function countOf(
  log: Pick<Log, "status" | "isTimed" | "amount" | "distance" | "duration" | "elapsedDuration">,
): GoalContribution {
  const isDone = log.status === LOG_STATUS.done;
  const planned = isDone ? (log.duration ?? 0) * SECOND : 0;
  return {
    amount: isDone ? (log.amount ?? 0) : 0,
    distance: isDone ? (log.distance ?? 0) : 0,
    duration: log.isTimed ? log.elapsedDuration : planned,
    logs: isDone ? 1 : 0,
  };
}

export const differenceOf = (before: GoalContribution, after: GoalContribution): GoalContribution => ({
  amount: after.amount - before.amount,
  distance: after.distance - before.distance,
  duration: after.duration - before.duration,
  logs: after.logs - before.logs,
});
export const isNothing = (contribution: GoalContribution): boolean =>
  contribution.amount === 0 &&
  contribution.distance === 0 &&
  contribution.duration === 0 &&
  contribution.logs === 0;

/** An edit of a log; `undefined` leaves a field unchanged, `null` clears it. */
export type LogEdit = {
  title?: string | undefined;
  content?: { content: string; contentHtml: string; summary: string } | undefined;
  amount?: number | null | undefined;
  distance?: number | null | undefined;
  duration?: Seconds | null | undefined;
  day?: Day | undefined;
};

/**
 * Applies an edit. In a stopped timed log a typed duration replaces the measured time, because people forget to stop or
 * start late. In a running or paused log it is the plan.
 */
export function editLog(log: Log, edit: LogEdit): LogChange {
  const change: LogChange = { ...edit.content };
  if (edit.title !== undefined) change.title = edit.title;
  if (edit.amount !== undefined) change.amount = edit.amount;
  if (edit.distance !== undefined) change.distance = keptDistance(log.distance, edit.distance);
  if (edit.day !== undefined && edit.day !== log.day) change.day = edit.day;
  if (edit.duration === undefined) return change;
  const hasFinished = log.status === LOG_STATUS.done || log.status === LOG_STATUS.stopped;
  const span = edit.duration === null ? null : edit.duration * SECOND;
  if (log.isTimed && hasFinished) {
    // A form shows the measured time in whole seconds; submitting it unchanged changes nothing.
    if (Math.round(log.elapsedDuration / SECOND) === (edit.duration ?? 0)) return change;
    change.duration = edit.duration;
    change.elapsedDuration = millis(span ?? 0);
    // A typed time is not that of the sets.
    if (log.isInterval) change.isInterval = false;
    change.remainingDuration = millis(0);
  } else {
    const remaining = span === null ? null : millis(Math.max(0, span - log.elapsedDuration));
    change.duration = edit.duration;
    if (log.status !== LOG_STATUS.done) change.remainingDuration = remaining;
    if (isRunning(log) && log.startedAt !== null)
      change.endedAt = remaining === null ? null : instant(log.startedAt + remaining);
  }
  return change;
}

/** The input of a new log; the button and then the defaults fill missing fields (E-26, S-15). */
export type LogDraft = {
  uuid: string;
  title: string;
  content: { content: string; contentHtml: string; summary: string };
  action: string;
  status: (typeof LOG_STATUS)[keyof typeof LOG_STATUS];
  amount: number | null;
  distance: number | null;
  duration: Seconds | null;
  qlButtonUuid: string | null;
  timerUuid: string | null;
  isInterval: boolean;
  day: Day;
};

/** A log without amount, duration or distance counts amount 1 (E-26). */
const amountOf = (fields: {
  amount: number | null;
  distance: number | null;
  duration: number | null;
}): number | null =>
  fields.amount === null && fields.distance === null && fields.duration === null ? 1000 : fields.amount;

/** The row of a new log. An active one is timed from `now`; a finished one has no measured time. */
export function newLog(draft: LogDraft, now: Instant) {
  const isTimed = draft.status === LOG_STATUS.active;
  const planned = draft.duration === null ? null : millis(draft.duration * SECOND);
  return {
    uuid: draft.uuid,
    title: draft.title,
    ...draft.content,
    action: draft.action,
    status: draft.status,
    amount: amountOf(draft),
    distance: draft.distance,
    duration: draft.duration,
    isTimed,
    elapsedDuration: millis(0),
    remainingDuration: draft.status === LOG_STATUS.done ? null : planned,
    startedAt: isTimed ? now : null,
    endedAt: isTimed
      ? planned
        ? instant(now + planned)
        : null
      : draft.status === LOG_STATUS.done
        ? now
        : null,
    pausedAt: null,
    qlButtonUuid: draft.qlButtonUuid,
    timerUuid: draft.timerUuid,
    isInterval: draft.isInterval,
    day: draft.day,
    createdAt: now,
    updatedAt: now,
  };
}
