// The progress of a goal: a bar for each measure with a target. A running log advances the time.
import { ProgressBar } from "~/components/ui/progress-bar";
import { describeWorkOf } from "~/domain/duration-text";
import { type Goal, type Totals, targetSpan } from "~/domain/goals/goals";
import { elapsedAt, isRunning } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { amountText, decimalText, distanceNumber, distanceText, workText } from "~/domain/goals/measure-text";
import { SECOND } from "~/domain/time";
import { useFlips } from "~/hooks/use-now";
import { useReader } from "~/hooks/use-shell";

type Props = {
  goal: Pick<
    Goal,
    "title" | "amount" | "distance" | "duration" | "actionDuration" | "unit" | "completionsRequired"
  >;
  totals: Totals;
  /** Running logs, which count on from the stored time. */
  openLogs?: readonly LogShown[];
};

export function GoalProgress({ goal, totals, openLogs = [] }: Props) {
  const reader = useReader();
  const times = Math.max(1, goal.completionsRequired);
  const runningSeconds = useFlips(
    (now) =>
      openLogs.reduce(
        (sum, log) => sum + Math.floor((elapsedAt(log, now) - log.elapsedDuration) / SECOND),
        0,
      ),
    { isMoving: openLogs.some(isRunning) },
  ).value;
  const elapsed = totals.durationElapsed + runningSeconds * SECOND;
  const span = targetSpan(goal) * SECOND * times;
  const amount = (goal.amount ?? 0) * times;
  const distance = (goal.distance ?? 0) * times;
  const hasNoTarget = amount === 0 && span === 0 && distance === 0;
  return (
    <div className="flex flex-col gap-3">
      {amount > 0 && (
        <ProgressBar
          label={`Amount of ${goal.title}`}
          value={totals.amountElapsed}
          max={amount}
          text={`${decimalText(totals.amountElapsed, reader)} of ${amountText(amount, goal.unit, reader)}`}
          isTextShown
        />
      )}
      {span > 0 && (
        <ProgressBar
          label={`Time of ${goal.title}`}
          value={elapsed}
          max={span}
          text={describeWorkOf(elapsed / SECOND, span / SECOND)}
          isTextShown
        />
      )}
      {distance > 0 && (
        <ProgressBar
          label={`Distance of ${goal.title}`}
          value={totals.distanceElapsed}
          max={distance}
          text={`${distanceNumber(totals.distanceElapsed, reader)} of ${distanceText(distance, reader)}`}
          isTextShown
        />
      )}
      <OtherMeasures
        parts={[
          // Without a unit, the amount only counts the logs of a goal that measures something else.
          amount === 0 && totals.amountElapsed > 0 && (hasNoTarget || goal.unit !== "")
            ? amountText(totals.amountElapsed, goal.unit, reader)
            : "",
          span === 0 && elapsed > 0 ? workText(elapsed) : "",
          distance === 0 && totals.distanceElapsed > 0 ? distanceText(totals.distanceElapsed, reader) : "",
        ]}
        fallback={hasNoTarget ? "Nothing logged yet." : ""}
      />
    </div>
  );
}

/** The measures without a target. */
function OtherMeasures({ parts, fallback }: { parts: string[]; fallback: string }) {
  const text = parts.filter(Boolean).join(" · ");
  if (!text && !fallback) return null;
  return <p className="tabular text-sm text-soft">{text ? `So far: ${text}` : fallback}</p>;
}
