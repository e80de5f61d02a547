// The owner's actions on a goal: Complete or Reopen, and the menu with Edit, Export and Delete (U-24).
import { Link } from "@remix-run/react";
import type { Ref } from "react";
import { ActionForm } from "~/components/form/action-form";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { DropdownMenu } from "~/components/ui/dropdown-menu";
import { GOAL_STATUS, type Goal, isProgressComplete } from "~/domain/goals/goals";
import { GOAL_ANCHORS } from "~/domain/tour-anchors";
import { type ActionFormState, useActionForm } from "~/hooks/form/use-action-form";
import { exportPath } from "~/wire/export";

type MenuProps = { goal: Goal; onEdit: () => void; pencil: Ref<HTMLAnchorElement> };

export const GoalMenu = ({ goal, onEdit, pencil }: MenuProps) => (
  <DropdownMenu
    label="More"
    trigger={<Icon name="more" />}
    triggerClassName="grid size-11 cursor-pointer place-content-center rounded-md hover:bg-sunken"
  >
    <Link
      ref={pencil}
      to={`?edit=${goal.id}`}
      preventScrollReset
      className="menu-item"
      onClick={(event) => {
        event.preventDefault();
        onEdit();
      }}
    >
      Edit
    </Link>
    <a href={`/my/goals/${goal.id}/log`} className="menu-item">
      One-press page
    </a>
    <a href={`${exportPath("logs.csv")}?goal=${goal.id}`} className="menu-item">
      Export
    </a>
    {/* A session's goal is removed in the session. */}
    {goal.sessionId === null && (
      <ConfirmDialog
        trigger={
          <button type="button" className="menu-item is-danger">
            Delete
          </button>
        }
        title={`Delete “${goal.title}”?`}
        confirmLabel="Delete goal"
        form={{ fields: { intent: "goal.delete", goal: goal.id } }}
      >
        Its {goal.logsCount === 1 ? "one log" : `${goal.logsCount} logs`} and its notes will be deleted too.
        This cannot be undone.
      </ConfirmDialog>
    )}
  </DropdownMenu>
);

/** `isRunning`: a timer is running and is emphasised instead. */
export function GoalCompletion({ goal, isRunning }: { goal: Goal; isRunning: boolean }) {
  // This component has the form hooks, because each button unmounts after its success, before the result is shown.
  const completeForm = useActionForm({ intent: "goal.complete", hiddenFields: { goal: goal.id } });
  const reopenForm = useActionForm({ intent: "goal.reopen", hiddenFields: { goal: goal.id } });
  return goal.status === GOAL_STATUS.completed ? (
    <ReopenButton form={reopenForm} />
  ) : (
    <CompleteButton goal={goal} isRunning={isRunning} form={completeForm} />
  );
}

/** Completes the goal (C-34). The button is emphasised once the target is reached. */
function CompleteButton({
  goal,
  isRunning,
  form,
}: {
  goal: Goal;
  isRunning: boolean;
  form: ActionFormState;
}) {
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

function ReopenButton({ form }: { form: ActionFormState }) {
  return (
    <ActionForm form={form}>
      <Button type="submit" isLoading={form.isBusy}>
        <Icon name="undo" />
        Reopen
      </Button>
    </ActionForm>
  );
}
