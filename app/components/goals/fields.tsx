// The first fields of every goal form: title, action and amounts.

import { useId } from "react";
import { NumberField } from "~/components/form/number-field";
import { TextRow } from "~/components/form/rows";
import { GOAL_LIMITS, type Goal } from "~/domain/goals/goals";
import { decimalField, distanceField, distanceLabel } from "~/domain/goals/measure-text";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";
import type { TypedFields } from "~/hooks/form/typed-fields";
import { useReader } from "~/hooks/use-shell";
import { SpanField, spanField } from "./span-field";

export type GoalFieldsProps = {
  goal: Goal | null;
  form: TypedFields;
  /** The fields are a row of a larger form, in which an empty row is no goal. */
  isRow?: boolean;
};

const UNITS = ["pages", "glasses", "words", "repetitions", "exercises", "lessons", "steps"];

type DistanceProps = Pick<GoalFieldsProps, "goal" | "form"> & { className?: string };

/** One of the first fields of a goal with a distance; for any other goal it is in a fold. */
export function DistanceField({ goal, form, className = "" }: DistanceProps) {
  const reader = useReader();
  return (
    <NumberField
      {...form.field("distance", distanceField(goal?.distance ?? null, reader))}
      label={distanceLabel(reader)}
      className={className}
    />
  );
}

const HALF = "col-span-3";
const THIRD = "col-span-2";
/** On a phone, a row of a larger form is too narrow for three fields side by side. */
const THIRD_OF_ROW = "col-span-3 sm:col-span-2";

export function GoalFields({ goal, form, isRow = false }: GoalFieldsProps) {
  const unitListId = useId();
  const reader = useReader();
  const third = isRow ? THIRD_OF_ROW : THIRD;
  return (
    <>
      <TextRow
        {...form.field("title", goal?.title)}
        label={isRow ? "Goal" : "Title"}
        isRequired={!isRow}
        maxLength={GOAL_LIMITS.title}
        data-tour={GOAL_ANCHORS.startGoalTutorial}
      />
      <div className="field-grid grid-cols-6 gap-x-3 gap-y-4 sm:gap-x-4">
        <TextRow
          {...form.field("action", goal?.action ?? "Do")}
          label="Action"
          className={third}
          maxLength={GOAL_LIMITS.word}
        />
        <NumberField
          {...form.field("amount", goal ? decimalField(goal.amount, reader) : "")}
          label="Amount"
          className={third}
          placeholder="1"
        />
        <TextRow
          {...form.field("unit", goal?.unit)}
          label="Unit"
          className={third}
          list={unitListId}
          placeholder="times"
          maxLength={GOAL_LIMITS.word}
          autoCapitalize="none"
        />
        <datalist id={unitListId}>
          {UNITS.map((unit) => (
            <option key={unit} value={unit} />
          ))}
        </datalist>
        <SpanField
          {...form.field("actionDuration", spanField(goal?.actionDuration))}
          label="Duration"
          className={HALF}
        />
        {goal?.distance != null && <DistanceField goal={goal} form={form} className={HALF} />}
      </div>
    </>
  );
}
