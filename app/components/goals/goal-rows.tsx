// Goals as rows inside the form of an activity: what, how much, how long, how far. Plain fields, with and without
// JavaScript; what a row does not show of a goal stays as it is.
import { NumberField, SpanField, spanField } from "~/components/my/measure-fields";
import { Field, type FieldError } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { GOAL_LIMITS, type Goal } from "~/domain/goals";
import { decimalField } from "~/domain/measure-text";
import { FormRows } from "./form-rows";

type GoalFacts = Pick<Goal, "uuid" | "title" | "amount" | "unit" | "actionDuration" | "distance">;
/** A row as it was posted, when the page comes again. */
export type TypedGoal = Partial<
  Record<"uuid" | "title" | "amount" | "unit" | "action_duration" | "distance", string>
>;

type GoalRowsProps = {
  goals: readonly GoalFacts[];
  /** Of an activity to be made: goals of a template become new ones. */
  isNew: boolean;
  typed: readonly TypedGoal[] | undefined;
  errors: Record<string, FieldError>;
};

const typedOf = (goal: GoalFacts, isNew: boolean): TypedGoal => ({
  ...(isNew ? {} : { uuid: goal.uuid }),
  title: goal.title,
  amount: decimalField(goal.amount),
  unit: goal.unit,
  action_duration: spanField(goal.actionDuration),
  distance: decimalField(goal.distance),
});

export function GoalRows({ goals, isNew, typed, errors }: GoalRowsProps) {
  return (
    <FormRows
      values={typed ?? goals.map((goal) => typedOf(goal, isNew))}
      noun="goal"
      addLabel="Add a goal"
      spare={typed || goals.length > 0 ? 1 : 2}
    >
      {(row, index) => {
        const name = `goals[${index}]`;
        return (
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            {row?.uuid && <input type="hidden" name={`${name}.uuid`} value={row.uuid} />}
            <Field label="Goal" className="col-span-2 sm:col-span-4" error={errors[`${name}.title`]}>
              <TextInput
                name={`${name}.title`}
                defaultValue={row?.title ?? ""}
                maxLength={GOAL_LIMITS.title}
                autoComplete="off"
              />
            </Field>
            <NumberField
              name={`${name}.amount`}
              label="Amount"
              placeholder="1"
              defaultValue={row?.amount ?? ""}
              error={errors[`${name}.amount`]}
            />
            <Field label="Unit" error={errors[`${name}.unit`]}>
              <TextInput
                name={`${name}.unit`}
                defaultValue={row?.unit ?? ""}
                placeholder="times"
                maxLength={GOAL_LIMITS.word}
                autoComplete="off"
                autoCapitalize="none"
              />
            </Field>
            <SpanField
              name={`${name}.action_duration`}
              label="Duration"
              defaultValue={row?.action_duration ?? ""}
              error={errors[`${name}.action_duration`]}
            />
            <NumberField
              name={`${name}.distance`}
              label="Miles"
              defaultValue={row?.distance ?? ""}
              error={errors[`${name}.distance`]}
            />
          </div>
        );
      }}
    </FormRows>
  );
}
