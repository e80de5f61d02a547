// The sentence about a new log, from the answer of the call that created it.
import { loggedText, totalsFor } from "~/domain/goals/logged-text";
import type { LogShown } from "~/domain/goals/logs";
import type { Reader } from "~/domain/numbers";
import { millis, seconds } from "~/domain/time";
import type { goalOut } from "~/wire/goals/goals";

/** The answer of the call that creates a log (C-40). */
export type LoggedAnswer = { goal: ReturnType<typeof goalOut> | null };

export function answeredText(log: LogShown, { goal: answeredGoal }: LoggedAnswer, reader: Reader): string {
  if (answeredGoal === null) return loggedText(log, null, null, reader);
  const thousandths = (decimal: number | null) => (decimal === null ? null : Math.round(decimal * 1000));
  const goal = {
    unit: answeredGoal.unit,
    amount: thousandths(answeredGoal.amount),
    distance: answeredGoal.distance_mm,
    duration: answeredGoal.duration === null ? null : seconds(answeredGoal.duration),
    actionDuration: answeredGoal.action_duration === null ? null : seconds(answeredGoal.action_duration),
    completionsRequired: answeredGoal.completions_required,
    recurrence: answeredGoal.recurrence,
    amountElapsed: thousandths(answeredGoal.amount_elapsed) ?? 0,
    durationElapsed: millis(answeredGoal.duration_elapsed),
    distanceElapsed: answeredGoal.distance_elapsed_mm,
  };
  return loggedText(log, goal, totalsFor(log, goal), reader);
}
