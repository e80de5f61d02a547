// The sentence about a log: its measures, and the progress of its goal. Pure; thousandths, millimetres and milliseconds.
import { describeWorkOf } from "~/domain/duration-text";
import type { Reader } from "~/domain/numbers";
import { SECOND } from "~/domain/time";
import { type Goal, type Totals, targetSpan } from "./goals";
import { LOG_STATUS } from "./log-state";
import { countOf, type Log } from "./logs";
import {
  amountText,
  decimalText,
  distanceNumber,
  distanceText,
  logMeasures,
  spanText,
  startedText,
  withPlus,
  workText,
} from "./measure-text";

/** A small copy of `isolateRtl` of isolated.ts, which would lengthen the first load of the list of goals. */
const isolateRtl = (text: string): string => (/[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text);

/** The log's fields that its sentence reads. */
export type LoggedLog = Pick<
  Log,
  "status" | "isTimed" | "amount" | "distance" | "duration" | "elapsedDuration" | "sessionGoalUuid"
>;
export type LoggedGoal = Pick<
  Goal,
  "unit" | "amount" | "distance" | "duration" | "actionDuration" | "completionsRequired" | "recurrence"
>;

/**
 * "+10 pages, 22 of 300". `totals`: the goal's with this log, of the current day for one that starts over; null where
 * they are unknown. The title of a log that has lost its goal names the unit, so its amount is a number.
 */
export function loggedText(
  log: LoggedLog,
  goal: LoggedGoal | null,
  totals: Totals | null,
  reader: Reader,
): string {
  const unit = goal?.unit ?? "";
  if (log.status === LOG_STATUS.active) return startedText(log, unit, reader);
  if (log.status === LOG_STATUS.paused)
    return ["On your to-do list", logMeasures(log, unit, log.elapsedDuration, reader)]
      .filter(Boolean)
      .join(": ");
  const { amount, distance, duration } = countOf(log);
  const measures = [
    amount === 0
      ? ""
      : isolateRtl(
          goal || !log.sessionGoalUuid ? amountText(amount, unit, reader) : decimalText(amount, reader),
        ),
    distance !== 0 ? distanceText(distance, reader) : "",
    duration !== 0 ? spanText(duration) : "",
  ].filter(Boolean);
  const reached = goal && totals ? reachedText(goal, totals, { amount, distance, duration }, reader) : "";
  const text = withPlus(measures.join(" · "));
  return [text || "Logged", reached].filter(Boolean).join(", ");
}

/** "22 of 300", of the first measure that the log adds to and that has a target; without one, "22 pages in all". */
function reachedText(
  goal: LoggedGoal,
  totals: Totals,
  contribution: { amount: number; distance: number; duration: number },
  reader: Reader,
): string {
  const times = Math.max(1, goal.completionsRequired);
  const span = targetSpan(goal);
  if (contribution.amount !== 0 && goal.amount !== null && goal.amount > 0)
    return `${decimalText(totals.amountElapsed, reader)} of ${decimalText(goal.amount * times, reader)}`;
  if (contribution.distance !== 0 && goal.distance !== null && goal.distance > 0)
    return `${distanceNumber(totals.distanceElapsed, reader)} of ${distanceNumber(goal.distance * times, reader)}`;
  if (contribution.duration !== 0 && span > 0)
    return describeWorkOf(totals.durationElapsed / SECOND, span * times);
  if (contribution.amount !== 0 && totals.amountElapsed !== contribution.amount)
    return `${amountText(totals.amountElapsed, goal.unit, reader)} in all`;
  if (contribution.duration >= SECOND && totals.durationElapsed !== contribution.duration)
    return `${workText(totals.durationElapsed)} in all`;
  return "";
}

/**
 * The stored totals of the goal; null where the sentence needs others. A goal that starts over counts only today, and a
 * session's goal counts only one person.
 */
export const totalsFor = (log: Pick<Log, "sessionId">, goal: (LoggedGoal & Totals) | null): Totals | null =>
  goal === null || goal.recurrence !== null || log.sessionId !== null ? null : goal;
