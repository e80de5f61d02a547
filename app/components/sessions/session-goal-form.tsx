// A goal of the session, made or changed by who runs it; everybody in the session logs against it. Posts to the
// goals' own page.
import { RichTextField } from "~/components/editor/rich-text-field";
import { Fold } from "~/components/goals/form-rows";
import { CompletionsField, Measures, TitleField } from "~/components/goals/goal-fields";
import { ButtonRows, ChecklistRows } from "~/components/goals/goal-form-rows";
import { MyFormProblems, useMyForm } from "~/components/my/use-my-form";
import { Button } from "~/components/ui/button";
import type { Goal } from "~/domain/goals";
import { useNewUuid } from "~/hooks/use-new-uuid";

type SessionGoalFormProps = {
  /** Null: a new one. */
  goal: Goal | null;
  onDone: () => void;
};

export function SessionGoalForm({ goal, onDone }: SessionGoalFormProps) {
  const newUuid = useNewUuid();
  const form = useMyForm(goal ? "task.update" : "task.create", {
    ...(goal ? { about: { part: goal.uuid } } : { uuid: newUuid }),
    isClearedWhenDone: !goal,
    onDone,
  });
  return (
    <form.Form
      {...form.formProps}
      className="flex flex-col gap-4"
      aria-label={goal ? "Edit goal" : "New goal"}
    >
      {form.hidden}
      <TitleField goal={goal} form={form} />
      <RichTextField
        name="content"
        label="Details"
        hint="Why, and how?"
        rows={2}
        loadsOnFocus
        defaultValue={form.shown("content", goal?.content ?? "")}
        saved={goal?.content ?? ""}
        error={form.errorsOf("content")}
        draftKey={`session goal ${goal?.uuid ?? "new"}`}
        about="goal"
      />
      <Measures goal={goal} form={form}>
        <CompletionsField goal={goal} form={form} />
      </Measures>
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
