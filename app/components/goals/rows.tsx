// Goals as rows inside the form of an activity: the fields of the goal form, with names under `goals[0].` and so on.
import type { Goal } from "~/domain/goals/goals";
import { describeRecurrence } from "~/domain/goals/recurrence";
import type { TypedFields } from "~/hooks/form/typed-fields";
import { GoalFields } from "./fields";
import { Fold } from "./fold";
import { GoalFolds } from "./folds";
import { FormRows } from "./form-rows";

/** The fields in the fold, which opens if one has an error. */
const FOLDED_FIELDS = [
  "recurrence",
  "items",
  "timers",
  "quickLogButtons",
  "content",
  "tags",
  "link",
  "distance",
  "completionsRequired",
];

type GoalRowsProps = {
  goals: readonly Goal[];
  /** A new activity: goals of a template become new goals. */
  isNew: boolean;
  form: TypedFields;
};

export function GoalRows({ goals, isNew, form }: GoalRowsProps) {
  const typedRows = form.typedRows("goals") as readonly ({ uuid?: string } | undefined)[] | undefined;
  const values = typedRows
    ? typedRows.map(
        (row, index) => goals.find(({ uuid }) => uuid === row?.uuid) ?? (isNew ? goals[index] : null),
      )
    : goals;
  return (
    <FormRows values={values} noun="goal" addLabel="Add a goal" spare={typedRows || goals.length > 0 ? 1 : 2}>
      {(goal, index) => <GoalRow goal={goal ?? null} isNew={isNew} form={form.row(`goals[${index}].`)} />}
    </FormRows>
  );
}

function GoalRow({ goal, isNew, form }: { goal: Goal | null; isNew: boolean; form: TypedFields }) {
  const count = (list: readonly unknown[] | undefined, singular: string) =>
    list?.length ? `${list.length} ${singular}${list.length === 1 ? "" : "s"}` : "";
  const contents = [
    goal?.recurrence ? describeRecurrence(goal.recurrence) : "",
    count(goal?.items, "line"),
    count(goal?.quickLogButtons, "button"),
    count(goal?.timers, "timer"),
  ].filter(Boolean);
  return (
    <div className="flex flex-col gap-3">
      {goal && !isNew && <input type="hidden" name={form.full("uuid")} value={goal.uuid} />}
      <GoalFields goal={goal} form={form} isRow />
      <Fold
        title="Checklist, buttons and more"
        hint={contents.join(", ")}
        isOpen={FOLDED_FIELDS.some(form.hasErrorsUnder)}
      >
        <GoalFolds goal={goal} tags={goal?.sharedTags ?? []} form={form} isRow />
      </Fold>
    </div>
  );
}
