// A goal of the session, made or changed by who runs it; everybody in the session logs against it. Posts to the
// goals' own page.
import { Measures, TitleField } from "~/components/goals/goal-fields";
import { GoalFolds } from "~/components/goals/goal-folds";
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
      <Measures goal={goal} form={form} />
      <GoalFolds
        goal={goal}
        tags={goal?.sharedTags ?? []}
        form={form}
        draftKey={`session goal ${goal?.uuid ?? "new"}`}
      />
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
