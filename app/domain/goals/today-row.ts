// A row of Today: its buttons and its progress in words. Pure; thousandths, millimetres and milliseconds.
import { describeWorkOf } from "~/domain/duration-text";
import type { Reader } from "~/domain/numbers";
import { SECOND } from "~/domain/time";
import {
  type Countable,
  type Goal,
  isUnitMinutes,
  minuteButtons,
  ONE_MORE,
  type QuickLogButton,
  type Totals,
  targetMinutes,
  targetSpan,
} from "./goals";
import { LOG_STATUS } from "./log-state";
import { amountText, decimalText, distanceNumber, distanceText } from "./measure-text";

/** The buttons of a row. A goal without buttons of its own gets one that logs all that its day still requires. */
export function buttonsOfDay(
  goal: Countable & Pick<Goal, "distance" | "completionsRequired" | "recurrence">,
  totals: Totals,
): readonly QuickLogButton[] {
  const ownButton =
    goal.quickLogButtons.find(({ status }) => status === LOG_STATUS.done) ?? goal.quickLogButtons[0];
  if (ownButton) return [ownButton];
  const times = Math.max(1, goal.completionsRequired);
  const minutes = targetMinutes(goal);
  if (minutes > 0) {
    const minutesDone = isUnitMinutes(goal)
      ? totals.amountElapsed / 1000
      : totals.durationElapsed / (60 * SECOND);
    const minutesLeft = goal.recurrence === null ? minutes : Math.ceil(minutes * times - minutesDone);
    return minutesLeft > 0 ? minuteButtons(goal, minutesLeft).slice(-2) : [];
  }
  if (goal.recurrence === null) return [ONE_MORE];
  const amount = (goal.amount ?? 0) * times - totals.amountElapsed;
  if ((goal.amount ?? 0) > 0) return amount > 0 ? [{ ...ONE_MORE, amount }] : [];
  const distance = (goal.distance ?? 0) * times - totals.distanceElapsed;
  if ((goal.distance ?? 0) > 0) return distance > 0 ? [{ ...ONE_MORE, amount: null, distance }] : [];
  return [ONE_MORE];
}

/** "3 of 10 pages": the first measure with a target; empty for one that is only done or not. */
export function progressText(
  goal: Pick<Goal, "amount" | "distance" | "duration" | "actionDuration" | "unit" | "completionsRequired">,
  totals: Totals,
  reader: Reader,
): string {
  const times = Math.max(1, goal.completionsRequired);
  const amount = (goal.amount ?? 0) * times;
  const span = targetSpan(goal) * times;
  const distance = (goal.distance ?? 0) * times;
  if (amount > 0 && (amount !== 1000 || goal.unit !== ""))
    return `${decimalText(totals.amountElapsed, reader)} of ${amountText(amount, goal.unit, reader)}`;
  if (span > 0) return describeWorkOf(totals.durationElapsed / SECOND, span);
  if (distance > 0)
    return `${distanceNumber(totals.distanceElapsed, reader)} of ${distanceText(distance, reader)}`;
  return "";
}
