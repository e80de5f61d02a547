// Goals as rows inside the form of an activity: what, how much, how long, how far; folded below each, how it repeats, its
// checklist, its quick-log buttons, its timers and the rest. Plain fields, with and without JavaScript.
import { RichTextField } from "~/components/editor/rich-text-field";
import { NumberField, SpanField, spanField } from "~/components/my/measure-fields";
import { asTyped, type TypedForm } from "~/components/my/use-my-form";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { GOAL_LIMITS, type Goal } from "~/domain/goals";
import { decimalField } from "~/domain/measure-text";
import { describeRecurrence } from "~/domain/recurrence";
import { Fold, FormRows } from "./form-rows";
import { ButtonRows, ChecklistRows, TimerRows } from "./goal-form-rows";
import { RecurrenceFields } from "./recurrence-fields";

/** A row as it was posted, when the page comes again. */
export type TypedGoal = Record<string, unknown>;

type GoalRowsProps = {
  goals: readonly Goal[];
  /** Of an activity to be made: goals of a template become new ones. */
  isNew: boolean;
  typed: readonly TypedGoal[] | undefined;
  errors: Record<string, string[] | null>;
};

export function GoalRows({ goals, isNew, typed, errors }: GoalRowsProps) {
  const values = typed
    ? typed.map((row, index) => goals.find(({ uuid }) => uuid === row?.uuid) ?? (isNew ? goals[index] : null))
    : goals;
  return (
    <FormRows values={values} noun="goal" addLabel="Add a goal" spare={typed || goals.length > 0 ? 1 : 2}>
      {(goal, index) => (
        <GoalRow
          goal={goal ?? null}
          isNew={isNew}
          form={{
            ...asTyped(typed?.[index], errorsIn(errors, `goals[${index}]`)),
            under: `goals[${index}].`,
          }}
        />
      )}
    </FormRows>
  );
}

/** What is wrong in a row, by the names inside it. */
const errorsIn = (errors: Record<string, string[] | null>, row: string) =>
  Object.fromEntries(
    Object.entries(errors)
      .filter(([name]) => name.startsWith(`${row}.`))
      .map(([name, sentences]) => [name.slice(row.length + 1), sentences]),
  );

function GoalRow({ goal, isNew, form }: { goal: Goal | null; isNew: boolean; form: TypedForm }) {
  const field = (name: string, own: string) => ({
    name: `${form.under}${name}`,
    defaultValue: form.shown(name, own),
  });
  const error = form.errorsOf;
  return (
    <div className="flex flex-col gap-3">
      {goal && !isNew && <input type="hidden" name={`${form.under}uuid`} value={goal.uuid} />}
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Field label="Goal" className="col-span-2 sm:col-span-4" error={error("title")}>
          <TextInput
            {...field("title", goal?.title ?? "")}
            maxLength={GOAL_LIMITS.title}
            autoComplete="off"
          />
        </Field>
        <NumberField
          {...field("amount", decimalField(goal?.amount ?? null))}
          label="Amount"
          placeholder="1"
          error={error("amount")}
        />
        <Field label="Unit" error={error("unit")}>
          <TextInput
            {...field("unit", goal?.unit ?? "")}
            placeholder="times"
            maxLength={GOAL_LIMITS.word}
            autoComplete="off"
            autoCapitalize="none"
          />
        </Field>
        <SpanField
          {...field("action_duration", spanField(goal?.actionDuration))}
          label="Duration"
          error={error("action_duration")}
        />
        <NumberField
          {...field("distance", decimalField(goal?.distance ?? null))}
          label="Miles"
          error={error("distance")}
        />
      </div>
      <GoalFolds goal={goal} form={form} field={field} />
    </div>
  );
}

type FoldsProps = {
  goal: Goal | null;
  form: TypedForm;
  field: (name: string, own: string) => { name: string; defaultValue: string };
};

const DETAILS = ["content", "action", "link", "completions_required", "tags"];
const FOLDED = ["recurrence", "items", "quick_log_buttons", "timers", ...DETAILS];

function GoalFolds({ goal, form, field }: FoldsProps) {
  const counted = (list: readonly unknown[] | undefined) => (list?.length ? String(list.length) : "");
  const isOpen = (...names: string[]) => names.some(form.hasErrorsUnder);
  const count = (list: readonly unknown[] | undefined, one: string) =>
    list?.length ? `${list.length} ${one}${list.length === 1 ? "" : "s"}` : "";
  const has = [
    goal?.recurrence ? describeRecurrence(goal.recurrence) : "",
    count(goal?.items, "line"),
    count(goal?.quickLogButtons, "button"),
    count(goal?.timers, "timer"),
  ].filter(Boolean);
  return (
    <Fold title="Checklist, buttons and more" hint={has.join(", ")} isOpen={isOpen(...FOLDED)}>
      <Fold
        title="Repeats"
        hint={goal?.recurrence ? describeRecurrence(goal.recurrence) : ""}
        isOpen={isOpen("recurrence")}
      >
        <RecurrenceFields recurrence={goal?.recurrence ?? null} form={form} />
      </Fold>
      <Fold title="Checklist" hint={counted(goal?.items)} isOpen={isOpen("items")}>
        <ChecklistRows items={goal?.items ?? []} form={form} />
      </Fold>
      <Fold
        title="Quick-log buttons"
        hint={counted(goal?.quickLogButtons)}
        isOpen={isOpen("quick_log_buttons")}
      >
        <ButtonRows buttons={goal?.quickLogButtons ?? []} form={form} />
      </Fold>
      <Fold title="Timers of the goal" hint={counted(goal?.timers)} isOpen={isOpen("timers")}>
        <TimerRows timers={goal?.timers ?? []} form={form} />
      </Fold>
      <Fold title="Details" isOpen={isOpen(...DETAILS)}>
        <RichTextField
          {...field("content", goal?.content ?? "")}
          label="Why, and how?"
          rows={3}
          loadsOnFocus
          saved={goal?.content ?? ""}
          error={form.errorsOf("content")}
          about="goal"
        />
        <Field label="Tags" hint="With commas between them." error={form.errorsOf("tags")}>
          <TextInput
            {...field("tags", goal?.sharedTags.join(", ") ?? "")}
            maxLength={500}
            autoComplete="off"
            autoCapitalize="none"
          />
        </Field>
        <div className="grid gap-3 sm:grid-cols-3">
          <Field label="Action" error={form.errorsOf("action")}>
            <TextInput
              {...field("action", goal?.action ?? "Do")}
              maxLength={GOAL_LIMITS.word}
              autoComplete="off"
            />
          </Field>
          <Field label="Link" error={form.errorsOf("link")}>
            <TextInput
              {...field("link", goal?.link ?? "")}
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
              autoCapitalize="none"
            />
          </Field>
          <NumberField
            {...field("completions_required", String(goal?.completionsRequired ?? 1))}
            label="Completions required"
            error={form.errorsOf("completions_required")}
          />
        </div>
      </Fold>
    </Fold>
  );
}
