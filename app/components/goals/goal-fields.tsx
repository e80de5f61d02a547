// What the forms of one's own goals and of a session's goals both ask.
import { useId } from "react";
import { NumberField, SpanField, spanField } from "~/components/my/measure-fields";
import type { MyForm } from "~/components/my/use-my-form";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { GOAL_LIMITS, type Goal } from "~/domain/goals";
import { decimalField } from "~/domain/measure-text";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";

type Props = { goal: Goal | null; form: MyForm };

export const TitleField = ({ goal, form }: Props) => (
  <Field label="Title" isRequired error={form.errorsOf("title")}>
    <TextInput
      name="title"
      defaultValue={form.shown("title", goal?.title ?? "")}
      maxLength={GOAL_LIMITS.title}
      autoComplete="off"
      data-tour={GOAL_ANCHORS.startGoalTutorial}
    />
  </Field>
);

const UNITS = ["pages", "glasses", "words", "repetitions", "exercises", "lessons", "steps"];

const THIRD = "col-span-2";
const HALF = "col-span-3";

/** What is done, and how much of it. */
export function Measures({ goal, form }: Props) {
  const list = useId();
  return (
    <div className="grid grid-cols-6 gap-x-3 gap-y-4 sm:gap-x-4">
      <Field label="Action" className={THIRD} error={form.errorsOf("action")}>
        <TextInput
          name="action"
          defaultValue={form.shown("action", goal?.action ?? "Do")}
          maxLength={GOAL_LIMITS.word}
          autoComplete="off"
        />
      </Field>
      <NumberField
        name="amount"
        label="Amount"
        className={THIRD}
        defaultValue={form.shown("amount", goal ? decimalField(goal.amount) : "1")}
        error={form.errorsOf("amount")}
      />
      <Field label="Unit" className={THIRD} error={form.errorsOf("unit")}>
        <TextInput
          name="unit"
          list={list}
          placeholder="times"
          defaultValue={form.shown("unit", goal?.unit ?? "")}
          maxLength={GOAL_LIMITS.word}
          autoComplete="off"
          autoCapitalize="none"
        />
      </Field>
      <datalist id={list}>
        {UNITS.map((unit) => (
          <option key={unit} value={unit} />
        ))}
      </datalist>
      <SpanField
        name="action_duration"
        label="Duration"
        className={HALF}
        defaultValue={form.shown("action_duration", spanField(goal?.actionDuration))}
        error={form.errorsOf("action_duration")}
      />
      <NumberField
        name="distance"
        label="Distance (miles)"
        className={HALF}
        defaultValue={form.shown("distance", decimalField(goal?.distance ?? null))}
        error={form.errorsOf("distance")}
      />
    </div>
  );
}

export const CompletionsField = ({ goal, form, hint }: Props & { hint?: string }) => (
  <NumberField
    name="completions_required"
    label="Completions required"
    {...(hint ? { hint } : {})}
    defaultValue={form.shown("completions_required", String(goal?.completionsRequired ?? 1))}
    error={form.errorsOf("completions_required")}
  />
);
