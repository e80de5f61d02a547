// The form of a goal, to make one and to change one. Title first; what few need is folded away. Posts to the page it
// stands on, whose action knows `goal.create` and `goal.update`.
import { useNavigate } from "@remix-run/react";
import type { ReactNode } from "react";
import { MyFormProblems, useMyForm } from "~/components/my/use-my-form";
import { Button } from "~/components/ui/button";
import { toast } from "~/components/ui/toasts";
import type { Goal } from "~/domain/goals";
import { Measures, TitleField } from "./goal-fields";
import { GoalFolds } from "./goal-folds";
import { GOAL_CREATED } from "./goal-form-later";

type Props = {
  /** Null: a new one. */
  goal: Goal | null;
  tags?: readonly string[];
  /** Of the goal to be made: sending the form twice makes one. */
  newUuid?: string;
  onDone?: () => void;
  takesFocus?: boolean;
  cancel?: ReactNode;
};

type Made = { goal: { id: number } };

export function GoalForm({ goal, tags = [], newUuid, onDone, takesFocus = false, cancel }: Props) {
  const navigate = useNavigate();
  const form = useMyForm(goal ? "goal.update" : "goal.create", {
    ...(goal ? { about: { goal: goal.id } } : { uuid: newUuid }),
    isClearedWhenDone: !goal,
    takesFocus,
    ...(onDone ? { onDone } : {}),
    onSuccess: (result, sentence) => {
      if (goal) toast.success(sentence ?? "Success!");
      else {
        const to = `/my/goals/${(result as Made).goal.id}`;
        toast.success(GOAL_CREATED, { action: { label: "View goal", onClick: () => navigate(to) } });
      }
    },
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
      <GoalFolds goal={goal} tags={tags} form={form} draftKey={`goal:${goal?.id ?? "new"}`} />
      <MyFormProblems form={form} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          {goal ? "Save" : "Create goal"}
        </Button>
        {cancel}
      </div>
    </form.Form>
  );
}
