// The sentence of a log by the answer of its call.
import { loggedText, totalsFor } from "~/domain/goals/logged-text";
import type { LogShown } from "~/domain/goals/logs";
import type { Reader } from "~/domain/numbers";
import { millis, seconds } from "~/domain/time";
import type { goalOut } from "~/wire/goals/goals";

/** The answer of the call that creates a log (C-40). */
export type LoggedAnswer = { goal: ReturnType<typeof goalOut> | null };

export function answeredText(log: LogShown, { goal: answered }: LoggedAnswer, reader: Reader): string {
  if (answered === null) return loggedText(log, null, null, reader);
  const thousandths = (decimal: number | null) => (decimal === null ? null : Math.round(decimal * 1000));
  const goal = {
    unit: answered.unit,
    amount: thousandths(answered.amount),
    distance: answered.distance_mm,
    duration: answered.duration === null ? null : seconds(answered.duration),
    actionDuration: answered.action_duration === null ? null : seconds(answered.action_duration),
    completionsRequired: answered.completions_required,
    recurrence: answered.recurrence,
    amountElapsed: thousandths(answered.amount_elapsed) ?? 0,
    durationElapsed: millis(answered.duration_elapsed),
    distanceElapsed: answered.distance_elapsed_mm,
  };
  return loggedText(log, goal, totalsFor(log, goal), reader);
}
