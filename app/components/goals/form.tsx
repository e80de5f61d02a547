// The form that creates or edits a goal of a user or a session (A-05). It submits to its own page.
import { useNavigate } from "@remix-run/react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { CancelEditButton } from "~/components/form/cancel-edit";
import { Button } from "~/components/ui/button";
import { GOAL_CREATED, type Goal, type Recurrence } from "~/domain/goals/goals";
import { useActionForm } from "~/hooks/form/use-action-form";
import { toast } from "~/hooks/toasts";
import { GoalFields } from "./fields";
import { GoalFolds } from "./folds";
import { TargetSentence } from "./target-sentence";

type Props = {
  /** Null for a new goal. */
  goal: Goal | null;
  /** The slug of the session whose goal it is. All its participants log for it. */
  session?: string;
  tags?: readonly string[];
  /** The uuid of a new goal, so that a repeated submit creates one. */
  newUuid?: string | undefined;
  onDone?: () => void;
  takesFocus?: boolean;
  onCancel?: () => void;
};

/** Says from when a change of the measure counts (R-79). */
const targetChangeSentence = ({ every }: Recurrence): string =>
  every === "week"
    ? "Another target, unit or repetition counts from this week, or from the next once this week is done. Earlier weeks stay as they were."
    : "Another target, unit or repetition counts from today, or from tomorrow once today is done. Earlier days stay as they were.";

type CreatedGoal = { goal: { id: number } };

export function GoalForm(props: Props) {
  const { goal, session, newUuid, onDone, takesFocus = false, onCancel } = props;
  const isOfSession = session !== undefined;
  const navigate = useNavigate();
  const form = useActionForm({
    intent: `${isOfSession ? "task" : "goal"}.${goal ? "update" : "create"}`,
    ...(goal ? { hiddenFields: isOfSession ? { part: goal.uuid } : { goal: goal.id } } : { uuid: newUuid }),
    since: goal?.updatedAt,
    clearsWhenDone: !goal,
    draft: isOfSession
      ? `session goal form ${goal?.uuid ?? `new ${session}`}`
      : `goal form ${goal?.id ?? "new"}`,
    takesFocus,
    ...(onDone ? { onDone } : {}),
    onSuccess: (result, sentence) => {
      if (goal || isOfSession) return toast.success(sentence);
      const to = `/my/goals/${(result as CreatedGoal).goal.id}`;
      toast.success(GOAL_CREATED, { action: { label: "View goal", onClick: () => navigate(to) } });
    },
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-4" aria-label={goal ? "Edit goal" : "New goal"}>
      <GoalFields goal={goal} form={form} />
      <TargetSentence isNew={!goal && !isOfSession} />
      {goal?.recurrence && <p className="text-sm text-soft">{targetChangeSentence(goal.recurrence)}</p>}
      <GoalFolds
        goal={goal}
        tags={props.tags ?? goal?.sharedTags ?? []}
        form={form}
        hasReminder={!isOfSession}
      />
      <FormErrors form={form} />
      <div className="submit-row flex flex-wrap gap-3 bg-surface">
        <Button type="submit" variant="primary" isLoading={form.isBusy}>
          {goal ? "Save" : isOfSession ? "Add goal" : "Create goal"}
        </Button>
        {onCancel && <CancelEditButton onCancel={onCancel} />}
      </div>
    </ActionForm>
  );
}
