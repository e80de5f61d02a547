// A goal of the session, made or changed by who runs it; everybody in the session logs against it. Posts to the
// goals' own page.

import { useEffect, useState } from "react";
import { Fold } from "~/components/goals/form-rows";
import { ButtonRows, ChecklistRows } from "~/components/goals/goal-form-rows";
import { NumberField, SpanField, spanField } from "~/components/my/measure-fields";
import { MyFormProblems, useMyForm } from "~/components/my/use-my-form";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextArea, TextInput } from "~/components/ui/inputs";
import { GOAL_LIMITS, type Goal } from "~/domain/goals";
import { decimalField } from "~/domain/measure-text";

type SessionGoalFormProps = {
  /** Null: a new one. */
  goal: Goal | null;
  onDone: () => void;
};

export function SessionGoalForm({ goal, onDone }: SessionGoalFormProps) {
  // Of the goal to be made: sending the form twice makes one. Only the browser makes it up.
  const [newUuid, setNewUuid] = useState("");
  useEffect(() => setNewUuid(crypto.randomUUID()), []);
  const uuid = goal?.uuid ?? newUuid;
  const form = useMyForm(goal ? "task.update" : "task.create", {
    about: uuid ? { uuid } : {},
    isClearedWhenDone: !goal,
    onDone,
  });
  const text = (name: string, kept: string) => form.typed(name) ?? kept;
  return (
    <form.Form
      {...form.formProps}
      className="flex flex-col gap-4"
      aria-label={goal ? "Edit goal" : "New goal"}
    >
      {form.hidden}
      <Field label="Title" isRequired error={form.errorsOf("title")}>
        <TextInput
          name="title"
          defaultValue={text("title", goal?.title ?? "")}
          maxLength={GOAL_LIMITS.title}
          autoComplete="off"
        />
      </Field>
      <Field label="Details" hint="Markdown works here." error={form.errorsOf("content")}>
        <TextArea name="content" rows={2} defaultValue={text("content", goal?.content ?? "")} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Action" error={form.errorsOf("action")}>
          <TextInput
            name="action"
            defaultValue={text("action", goal?.action ?? "Do")}
            maxLength={GOAL_LIMITS.word}
            autoComplete="off"
          />
        </Field>
        <NumberField
          name="amount"
          label="Amount"
          defaultValue={text("amount", goal ? decimalField(goal.amount) : "1")}
          error={form.errorsOf("amount")}
        />
        <Field label="Unit" error={form.errorsOf("unit")}>
          <TextInput
            name="unit"
            placeholder="times"
            defaultValue={text("unit", goal?.unit ?? "")}
            maxLength={GOAL_LIMITS.word}
            autoComplete="off"
            autoCapitalize="none"
          />
        </Field>
        <SpanField
          name="action_duration"
          label="Duration"
          defaultValue={text("action_duration", spanField(goal?.actionDuration))}
          error={form.errorsOf("action_duration")}
        />
        <NumberField
          name="distance"
          label="Distance (miles)"
          defaultValue={text("distance", decimalField(goal?.distance ?? null))}
          error={form.errorsOf("distance")}
        />
        <NumberField
          name="completions_required"
          label="Completions required"
          defaultValue={text("completions_required", String(goal?.completionsRequired ?? 1))}
          error={form.errorsOf("completions_required")}
        />
      </div>
      <Fold title="Checklist" hint="" isOpen={form.hasErrorsUnder("items") || (goal?.items.length ?? 0) > 0}>
        <ChecklistRows items={goal?.items ?? []} form={form} />
      </Fold>
      <Fold
        title="Quick-log buttons"
        hint=""
        isOpen={form.hasErrorsUnder("quick_log_buttons") || (goal?.quickLogButtons.length ?? 0) > 0}
      >
        <ButtonRows buttons={goal?.quickLogButtons ?? []} form={form} />
      </Fold>
      <MyFormProblems form={form} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          {goal ? "Save" : "Add goal"}
        </Button>
        <Button onClick={onDone} className="needs-script">
          Cancel
        </Button>
      </div>
    </form.Form>
  );
}
