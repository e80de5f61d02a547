// The target of a goal on a day, after its target, repetition or unit has changed. Pure.
import { type Day, plusDays, weekOf } from "~/domain/days";
import type { Goal, Recurrence } from "./goals";

export type GoalTarget = Pick<
  Goal,
  "amount" | "distance" | "duration" | "actionDuration" | "completionsRequired"
>;
/** A target, repetition and unit that hold from `day` until the next change. */
export type GoalMeasure = { day: Day; target: GoalTarget; recurrence: Recurrence | null; unit: string };

/** The day of the measure that holds before the first change. */
export const FROM_THE_START: Day = "0000-01-01";

export const targetOf = (goal: GoalTarget): GoalTarget => ({
  amount: goal.amount,
  distance: goal.distance,
  duration: goal.duration,
  actionDuration: goal.actionDuration,
  completionsRequired: goal.completionsRequired,
});

type Measured = GoalTarget & { recurrence: Recurrence | null };

/** The goal as it was on `day`; without a row its own values hold. `measures` are in the order of their days. */
export function goalOn<G extends Measured>(goal: G, measures: readonly GoalMeasure[], day: Day): G {
  const latestChange = measures.findLast((measure) => measure.day <= day);
  return latestChange ? { ...goal, ...latestChange.target, recurrence: latestChange.recurrence } : goal;
}

/** True if the goals have the same target, repetition and unit. */
export function isSameMeasure(
  goal: Measured & Pick<Goal, "unit">,
  other: Measured & Pick<Goal, "unit">,
): boolean {
  const serialise = ({ unit, recurrence, ...goal }: Measured & Pick<Goal, "unit">) =>
    JSON.stringify([targetOf(goal), recurrence, unit]);
  return serialise(goal) === serialise(other);
}

/** The first day of a changed measure. A period that is already done keeps its measure. */
export const countsFrom = (recurrence: Recurrence, isDone: boolean, today: Day): Day => {
  if (!isDone) return today;
  return recurrence.every === "week" ? plusDays(weekOf(today), 7) : plusDays(today, 1);
};
