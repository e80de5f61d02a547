// The sub-tab My Goals of a session (P-32).
import { Link } from "@remix-run/react";
import { startTransition, useState } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { GoalCard } from "~/components/goals/card";
import { GoalEditor } from "~/components/goals/editor";
import { Section } from "~/components/layout/page";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Field } from "~/components/ui/field";
import { Select } from "~/components/ui/inputs";
import { Notice } from "~/components/ui/notice";
import { TextLink } from "~/components/ui/text-link";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { SessionGoalsView, SessionHead } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useNewUuid } from "~/hooks/form/use-new-uuid";
import { useHydrated } from "~/hooks/use-hydrated";
import { SessionGoalCard } from "./goal-card";
import { GoalPills } from "./page";

export function MySessionGoals({ view }: { view: SessionGoalsView }) {
  const { session, me, goals, attached, attachable, openLogs } = view;
  const isEmpty = goals.length === 0 && attached.length === 0;
  const isOpen = session.status !== SESSION_STATUS.ended;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <GoalPills path={session.path} />
      <JoinNotice head={view} />
      {isEmpty ? (
        <EmptyState drawing="path">No goals found :(</EmptyState>
      ) : (
        <ul aria-label="Goals of the session" className="flex flex-col gap-4">
          {goals.map((sessionGoal) => (
            <SessionGoalCard
              key={sessionGoal.goal.uuid}
              sessionGoal={sessionGoal}
              head={view}
              openLogs={openLogs.filter((log) => log.goalId === sessionGoal.goal.id)}
            />
          ))}
        </ul>
      )}
      {attached.length > 0 && (
        <Section title="My own goals here">
          <ul className="flex flex-col gap-4">
            {attached.map(({ goal, username }) => (
              <GoalCard
                key={goal.uuid}
                goal={goal}
                isOwner
                username={username}
                openLogs={openLogs.filter((log) => log.goalId === goal.id)}
                path={`/my/goals/${goal.id}`}
                canEdit={false}
                headingLevel={3}
              />
            ))}
          </ul>
        </Section>
      )}
      {me.canRun && isOpen && <NewGoal key={goals.length} sessionSlug={session.slug} />}
      {me.isJoined && !me.isGuest && isOpen && <AttachGoalForm goals={attachable} />}
    </div>
  );
}

/** The logs of an attached goal appear in the session too (E-27). */
function AttachGoalForm({ goals }: { goals: SessionGoalsView["attachable"] }) {
  const form = useActionForm({ intent: "goal.attach" });
  const { error } = form.field("goal");
  if (goals.length === 0)
    return (
      <p className="text-soft">
        To use a goal of your own, create it on <TextLink to="/my/goals?create=1">My Goals</TextLink>, then
        attach it here.
      </p>
    );
  return (
    <ActionForm form={form} className="flex max-w-md flex-col gap-3">
      <Field label="Attach a goal of your own" hint="Its logs then appear in this session too." error={error}>
        <Select name="goal" options={goals.map(({ id, title }) => ({ value: id, label: title }))} />
      </Field>
      <SubmitRow form={form}>Attach</SubmitRow>
    </ActionForm>
  );
}

/** people who run the session add goals for everybody. */
function NewGoal({ sessionSlug }: { sessionSlug: string }) {
  const [isOpen, setOpen] = useState(false);
  const isHydrated = useHydrated();
  const [newUuid, renew] = useNewUuid();
  if (isHydrated && !isOpen)
    return (
      <Button className="self-start" onClick={() => startTransition(() => setOpen(true))}>
        <Icon name="plus" />
        Add a goal for everybody
      </Button>
    );
  return (
    <details open={isHydrated}>
      <summary className={isHydrated ? "hidden" : "min-h-11 font-semibold underline"}>
        Add a goal for everybody
      </summary>
      <Card>
        <GoalEditor
          goal={null}
          session={sessionSlug}
          newUuid={newUuid}
          onDone={() => {
            renew();
            setOpen(false);
          }}
          onCancel={() => setOpen(false)}
        />
      </Card>
    </details>
  );
}

/** In a session without a join code visitors may read, but only participants log (V-19). */
function JoinNotice({ head }: { head: SessionHead }) {
  const { me, session } = head;
  if (me.isJoined) return null;
  return (
    <Notice
      action={
        <Button asChild>
          <Link to={session.path} preventScrollReset>
            To the session
          </Link>
        </Button>
      }
    >
      {me.isSignedIn
        ? "Join the session to log progress for its goals."
        : "Please login or create an account to join a session, then log progress for its goals."}
    </Notice>
  );
}
