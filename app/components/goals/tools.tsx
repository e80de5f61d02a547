// The owner's actions on a goal: edit, complete, reopen, delete (U-24).
import { Link } from "@remix-run/react";
import type { Ref } from "react";
import { ActionForm } from "~/components/form/action-form";
import { Icon } from "~/components/pictures/icon";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { GOAL_STATUS, type Goal, isProgressComplete } from "~/domain/goals/goals";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";
import { type ActionFormState, useActionForm } from "~/hooks/use-action-form";

type Props = {
  goal: Goal;
  tags: readonly string[];
  /** A timer is running and is emphasised instead. */
  isRunning: boolean;
  onEdit: () => void;
  pencil: Ref<HTMLAnchorElement>;
};

export function GoalTools({ goal, tags, isRunning, onEdit, pencil }: Props) {
  const isCompleted = goal.status === GOAL_STATUS.completed;
  // The form hooks are here, because each button unmounts after its success, before the result is shown.
  const complete = useActionForm({ intent: "goal.complete", about: { goal: goal.id } });
  const reopen = useActionForm({ intent: "goal.reopen", about: { goal: goal.id } });
  return (
    <section aria-label="This goal" className="flex flex-col gap-4">
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li key={tag}>
              <Link
                to={`/my/goals?tag=${encodeURIComponent(tag)}`}
                className="-my-2 inline-flex min-h-11 items-center rounded-full"
              >
                <Badge className="whitespace-normal!">{tag}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2 sm:gap-3">
        {isCompleted ? (
          <Reopen form={reopen} />
        ) : (
          <Complete goal={goal} isRunning={isRunning} form={complete} />
        )}
        <Button asChild>
          <Link
            ref={pencil}
            to={`?edit=${goal.id}`}
            preventScrollReset
            onClick={(event) => {
              event.preventDefault();
              onEdit();
            }}
          >
            <Icon name="edit" />
            Edit
          </Link>
        </Button>
        <ConfirmDialog
          trigger={
            <Button variant="ghost" className="ms-auto max-sm:px-2.5!">
              <Icon name="delete" />
              <span className="max-sm:sr-only">Delete</span>
            </Button>
          }
          title={`Delete “${goal.title}”?`}
          confirmLabel="Delete goal"
          form={{ fields: { intent: "goal.delete", goal: goal.id } }}
        >
          Its {goal.logsCount === 1 ? "one log" : `${goal.logsCount} logs`} and its notes will be deleted too.
          This cannot be undone.
        </ConfirmDialog>
      </div>
    </section>
  );
}

/** C-34; emphasised once the target is reached. */
function Complete({ goal, isRunning, form }: { goal: Goal; isRunning: boolean; form: ActionFormState }) {
  const isNext = !isRunning && goal.recurrence === null && isProgressComplete(goal, goal);
  return (
    <ActionForm form={form}>
      <Button
        type="submit"
        variant={isNext ? "primary" : "quiet"}
        isLoading={form.isBusy}
        data-tour={GOAL_ANCHORS.finishMyGoalTour}
      >
        <Icon name="check" />
        Complete Goal
      </Button>
    </ActionForm>
  );
}

function Reopen({ form }: { form: ActionFormState }) {
  return (
    <ActionForm form={form}>
      <Button type="submit" isLoading={form.isBusy}>
        <Icon name="undo" />
        Reopen
      </Button>
    </ActionForm>
  );
}
