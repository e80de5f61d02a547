// A goal of the session on its tab Goals: the viewer's progress, logging, and its form for people who run the session.
import { Link, useSearchParams } from "@remix-run/react";
import { startTransition, useState } from "react";
import { ButtonForm } from "~/components/form/button-form";
import { GoalCard } from "~/components/goals/card";
import { Checklist } from "~/components/goals/checklist";
import { GoalEditor } from "~/components/goals/editor";
import { GoalText } from "~/components/goals/text";
import { sessionTarget } from "~/components/goals/use-logging";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { hasText } from "~/domain/goals/goals";
import type { LogShown } from "~/domain/goals/logs";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { SessionGoal, SessionHead } from "~/domain/sessions/view";
import { useHasMounted } from "~/hooks/form/use-inline-edit";
import { LogByHand } from "./log-by-hand";

export function SessionGoalCard({
  sessionGoal,
  head,
  openLogs,
}: {
  sessionGoal: SessionGoal;
  head: SessionHead;
  openLogs: readonly LogShown[];
}) {
  const { goal, checked, mine } = sessionGoal;
  const items = goal.items.map((item) => ({ ...item, isChecked: checked.includes(item.uuid) }));
  const { session, me } = head;
  // Without JavaScript the URL selects the goal to edit or log for.
  const [query, setQuery] = useSearchParams();
  const [isEditing, setEditing] = useState(query.get("edit") === goal.uuid);
  const [isLogging, setLogging] = useState(query.get("log") === goal.uuid);
  const isOpenedByPress = useHasMounted();
  const mayLog = me.isJoined && session.status !== SESSION_STATUS.ended;
  const mayEdit = me.canRun && session.status !== SESSION_STATUS.ended;
  const hasList = goal.isList && goal.items.length > 0;
  const isLogFormOpen = mayLog && isLogging;
  const closeForms = () => {
    setEditing(false);
    setLogging(false);
  };
  const close = () => {
    closeForms();
    if (query.has("edit") || query.has("log")) setQuery({}, { preventScrollReset: true, replace: true });
  };
  if (mayEdit && isEditing)
    return (
      <Card as="li">
        <GoalEditor goal={goal} session={session.slug} onDone={close} onCancel={closeForms} />
      </Card>
    );
  return (
    <>
      <GoalCard
        goal={{ ...goal, items }}
        isOwner={false}
        username={me.username ?? ""}
        path={null}
        tags={goal.sharedTags}
        totals={mine}
        openLogs={openLogs}
        logTarget={mayLog ? sessionTarget(session.id, goal.uuid) : null}
        canEdit={false}
        actions={
          <SessionGoalActions
            goal={goal}
            isLogFormOpen={isLogFormOpen}
            onToggleLogForm={mayLog ? () => (isLogFormOpen ? close() : setLogging(true)) : null}
            canCopy={me.isSignedIn && !me.isGuest}
            onEdit={mayEdit ? () => startTransition(() => setEditing(true)) : null}
          />
        }
      />
      {(isLogFormOpen || hasList || hasText(goal)) && (
        <li>
          <Card className="flex flex-col gap-4">
            <GoalText goal={goal} />
            {hasList && (
              <Checklist
                goalId={goal.id}
                title={goal.title}
                sessionId={session.id}
                canTick={mayLog}
                isOver={me.isJoined && !mayLog}
                items={items}
              />
            )}
            {isLogFormOpen && <LogByHand goal={goal} takesFocus={isOpenedByPress} onDone={close} />}
          </Card>
        </li>
      )}
    </>
  );
}

type SessionGoalActionsProps = {
  goal: SessionGoal["goal"];
  /** The form for a log by hand is open. */
  isLogFormOpen: boolean;
  /** Opens or closes the form for a log by hand; null for a viewer who may not log. */
  onToggleLogForm: (() => void) | null;
  canCopy: boolean;
  /** Opens the goal's form; null for a viewer who may not edit the goal. */
  onEdit: (() => void) | null;
};

function SessionGoalActions({
  goal,
  isLogFormOpen,
  onToggleLogForm,
  canCopy,
  onEdit,
}: SessionGoalActionsProps) {
  return (
    <>
      {onToggleLogForm && (
        <Button asChild>
          <Link
            to={`?log=${goal.uuid}`}
            preventScrollReset
            aria-expanded={isLogFormOpen}
            onClick={(event) => {
              event.preventDefault();
              onToggleLogForm();
            }}
          >
            <Icon name="edit" />
            Log by hand
          </Link>
        </Button>
      )}
      {canCopy && (
        <ButtonForm fields={{ intent: "task.copy", part: goal.uuid }}>
          {(isBusy) => (
            <Button type="submit" variant="ghost" isLoading={isBusy}>
              <Icon name="copy" />
              Copy to My Goals
            </Button>
          )}
        </ButtonForm>
      )}
      {onEdit && (
        <Button asChild variant="ghost">
          <Link
            to={`?edit=${goal.uuid}`}
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
      )}
      {onEdit && (
        <ConfirmDialog
          trigger={
            <Button variant="ghost">
              <Icon name="delete" />
              Remove
            </Button>
          }
          title={`Remove “${goal.title}”?`}
          confirmLabel="Remove"
          form={{ fields: { intent: "task.delete", part: goal.uuid } }}
        >
          A goal that somebody has logged progress for stays.
        </ConfirmDialog>
      )}
    </>
  );
}
