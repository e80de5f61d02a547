// A goal of the session on my Goals tab: my part of it, ways to log, and for who runs the session its form.
import { Link, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { Checklist } from "~/components/goals/checklist";
import { GoalCard } from "~/components/goals/goal-card";
import { sessionDoor } from "~/components/logs/use-logging";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import type { LogShown } from "~/domain/logs";
import type { SessionGoal, SessionHead } from "~/domain/session-view";
import { useCall } from "~/hooks/use-call";
import { paths } from "~/wire/paths";
import { LogByHand } from "./log-by-hand";
import { SessionGoalForm } from "./session-goal-form";

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
  const [isByHand, setByHand] = useState(false);
  // Without JavaScript the address says which goal is edited.
  const [query, setQuery] = useSearchParams();
  const [isEditing, setEditing] = useState(query.get("edit") === goal.uuid);
  const copy = useCall(paths.copyGoal, { success: "Goal copied successfully!" });
  const mayLog = me.isJoined && session.status !== 2;
  const mayEdit = me.canRun && session.status !== 2;
  const close = () => {
    setEditing(false);
    if (query.has("edit")) setQuery({}, { preventScrollReset: true, replace: true });
  };
  if (mayEdit && isEditing)
    return (
      <Card as="li">
        <SessionGoalForm goal={goal} onDone={close} />
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
        totals={one.mine}
        openLogs={openLogs}
        door={mayLog ? sessionDoor(session.id, goal.uuid) : null}
        canEdit={false}
        actions={
          <>
            {mayLog && (
              <Button className="needs-script" aria-expanded={isByHand} onClick={() => setByHand(!isByHand)}>
                <Icon name="edit" />
                Log by hand
              </Button>
            )}
            {me.isSignedIn && (
              <Button
                variant="ghost"
                className="needs-script"
                isLoading={copy.isBusy}
                onClick={() => void copy.run({ body: { challengeEventId: session.id, goalUuid: goal.uuid } })}
              >
                <Icon name="copy" />
                Copy to My Goals
              </Button>
            )}
            {mayEdit && (
              <Button asChild variant="ghost">
                <Link
                  to={`?edit=${goal.uuid}`}
                  preventScrollReset
                  onClick={(event) => {
                    event.preventDefault();
                    setEditing(true);
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
      {(isByHand || (goal.isList && goal.items.length > 0)) && (
        <li>
          <Card className="flex flex-col gap-4">
            {goal.isList && goal.items.length > 0 && (
              <Checklist
                goalId={goal.id}
                title={goal.title}
                sessionId={session.id}
                canTick={mayLog}
                items={goal.items.map((item) => ({ ...item, isChecked: one.checked.includes(item.uuid) }))}
              />
            )}
            {isByHand && <LogByHand goal={goal} sessionId={session.id} onDone={() => setByHand(false)} />}
          </Card>
        </li>
      )}
    </>
  );
}
