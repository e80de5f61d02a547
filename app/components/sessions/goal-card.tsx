// A goal of the session on the viewer's Goals tab: own progress, logging, and its form for people who run the session.
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
  one,
  head,
  openLogs,
}: {
  one: SessionGoal;
  head: SessionHead;
  openLogs: readonly LogShown[];
}) {
  const { goal } = one;
  const { session, me } = head;
  // Without JavaScript the URL selects the goal to edit or log for.
  const [query, setQuery] = useSearchParams();
  const [isEditing, setEditing] = useState(query.get("edit") === goal.uuid);
  const [isLogging, setLogging] = useState(query.get("log") === goal.uuid);
  const isOpenedByPress = useHasMounted();
  const mayLog = me.isJoined && session.status !== SESSION_STATUS.ended;
  const mayEdit = me.canRun && session.status !== SESSION_STATUS.ended;
  const hasList = goal.isList && goal.items.length > 0;
  const isByHand = mayLog && isLogging;
  const close = () => {
    setEditing(false);
    setLogging(false);
    if (query.has("edit") || query.has("log")) setQuery({}, { preventScrollReset: true, replace: true });
  };
  if (mayEdit && isEditing)
    return (
      <Card as="li">
        <GoalEditor
          goal={goal}
          session={session.slug}
          onDone={close}
          cancel={
            <Button onClick={close} className="needs-script">
              Cancel
            </Button>
          }
        />
      </Card>
    );
  return (
    <>
      <GoalCard
        goal={{
          ...goal,
          items: goal.items.map((item) => ({ ...item, isChecked: one.checked.includes(item.uuid) })),
        }}
        isOwner={false}
        username={me.username ?? ""}
        path={null}
        tags={goal.sharedTags}
        totals={one.mine}
        openLogs={openLogs}
        door={mayLog ? sessionTarget(session.id, goal.uuid) : null}
        canEdit={false}
        actions={
          <>
            {mayLog && (
              <Button asChild>
                <Link
                  to={`?log=${goal.uuid}`}
                  preventScrollReset
                  aria-expanded={isByHand}
                  onClick={(event) => {
                    event.preventDefault();
                    if (isByHand) close();
                    else setLogging(true);
                  }}
                >
                  <Icon name="edit" />
                  Log by hand
                </Link>
              </Button>
            )}
            {me.isSignedIn && !me.isGuest && (
              <ButtonForm fields={{ intent: "task.copy", part: goal.uuid }}>
                {(isBusy) => (
                  <Button type="submit" variant="ghost" isLoading={isBusy}>
                    <Icon name="copy" />
                    Copy to My Goals
                  </Button>
                )}
              </ButtonForm>
            )}
            {mayEdit && (
              <Button asChild variant="ghost">
                <Link
                  to={`?edit=${goal.uuid}`}
                  preventScrollReset
                  onClick={(event) => {
                    event.preventDefault();
                    startTransition(() => setEditing(true));
                  }}
                >
                  <Icon name="edit" />
                  Edit
                </Link>
              </Button>
            )}
            {mayEdit && (
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
        }
      />
      {(isByHand || hasList || hasText(goal)) && (
        <li>
          <Card className="flex flex-col gap-4">
            <GoalText goal={goal} />
            {hasList && (
              <Checklist
                goalId={goal.id}
                title={goal.title}
                sessionId={session.id}
                canTick={mayLog}
                items={goal.items.map((item) => ({ ...item, isChecked: one.checked.includes(item.uuid) }))}
              />
            )}
            {isByHand && <LogByHand goal={goal} takesFocus={isOpenedByPress} onDone={close} />}
          </Card>
        </li>
      )}
    </>
  );
}
