// The tab Goals of a session: my part of its goals, what the members did, everybody's logs (P-32 to P-34).
import { Link } from "@remix-run/react";
import { useState } from "react";
import { Checklist } from "~/components/goals/checklist";
import { GoalCard } from "~/components/goals/goal-card";
import { Section } from "~/components/layout/page";
import { LogList } from "~/components/logs/log-list";
import { sessionDoor } from "~/components/logs/use-logging";
import { Icon } from "~/components/pictures/icon";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { ProgressBar } from "~/components/ui/progress-bar";
import { TextLink } from "~/components/ui/text-link";
import type { Goal, Totals } from "~/domain/goals";
import { progressOf } from "~/domain/goals";
import { goalMeasures } from "~/domain/measure-text";
import type {
  MemberGoalsView,
  SessionGoal,
  SessionGoalsView,
  SessionHead,
  SessionLogsView,
  TaskTotal,
} from "~/domain/session-view";
import { useCall } from "~/hooks/use-call";
import { paths } from "~/wire/paths";
import { LogByHand } from "./log-by-hand";
import { GoalPills } from "./session-page";

export function MyGoalsHere({ view }: { view: SessionGoalsView }) {
  const { session, me, goals, attached } = view;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <GoalPills path={session.path} />
      <NotInside head={view} />
      {goals.length === 0 && attached.length === 0 ? (
        <EmptyState drawing="path">No goals found :(</EmptyState>
      ) : (
        <ul aria-label="Goals of the session" className="flex flex-col gap-4">
          {goals.map((one) => (
            <SessionGoalCard key={one.goal.uuid} one={one} head={view} />
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
                path={`/my/goals/${goal.id}`}
                canEdit={false}
                headingLevel={3}
              />
            ))}
          </ul>
        </Section>
      )}
      {me.isJoined && (
        <p className="text-soft">
          Bring one of your own: open it on <TextLink to="/my/goals">My Goals</TextLink> and attach it to this
          session.
        </p>
      )}
    </div>
  );
}

function SessionGoalCard({ one, head }: { one: SessionGoal; head: SessionHead }) {
  const { goal } = one;
  const { session, me } = head;
  const [isByHand, setByHand] = useState(false);
  const copy = useCall(paths.copyGoal, { success: "Goal copied successfully!" });
  const mayLog = me.isJoined;
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

/** Who is not inside may look, where there is no code; logging is for participants (V-19). */
function NotInside({ head }: { head: SessionHead }) {
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

const NO_TOTAL: TaskTotal = { amount: 0, distance: 0, duration: 0, listProgress: [] };
const totalsOf = (total: TaskTotal): Totals => ({
  amountElapsed: total.amount,
  distanceElapsed: total.distance,
  durationElapsed: total.duration,
});

export function MemberGoals({ view }: { view: MemberGoalsView }) {
  const { session, goals, members, me } = view;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <GoalPills path={session.path} />
      {!me.mayRead && <Notice>What the members did is for the participants of this session.</Notice>}
      {goals.length === 0 ? (
        <EmptyState drawing="path">No goals found :(</EmptyState>
      ) : members.length === 0 && me.mayRead ? (
        <EmptyState drawing="hut">No one has joined this session yet.</EmptyState>
      ) : (
        <ul aria-label="Members" className="flex flex-col gap-4">
          {members.map((member) => (
            <Card as="li" key={member.username} className="flex flex-col gap-3">
              <p className="flex items-center gap-3 font-semibold">
                <Avatar name={member.username} size={36} isOnline={member.isOnline} />
                {member.username}
                {member.isBuilder && <Icon name="key" className="size-4 text-ember" />}
              </p>
              <ul className="flex flex-col gap-3">
                {goals.map((goal) => (
                  <MemberGoal key={goal.uuid} goal={goal} total={member.taskTotals[goal.uuid] ?? NO_TOTAL} />
                ))}
              </ul>
            </Card>
          ))}
        </ul>
      )}
      <Pagination page={view.page} hasNext={view.hasNext} />
    </div>
  );
}

function MemberGoal({ goal, total }: { goal: Goal; total: TaskTotal }) {
  const ratio =
    goal.isList && goal.items.length > 0
      ? total.listProgress.length / goal.items.length
      : progressOf(goal, totalsOf(total));
  const percent = Math.min(100, Math.round(ratio * 100));
  return (
    <li>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>{goal.title}</span>
        <span className="text-sm text-soft">{goalMeasures(goal)}</span>
      </p>
      <ProgressBar label={goal.title} value={percent} max={100} text={`${percent} %`} isTextShown />
    </li>
  );
}

export function SessionLogs({ view }: { view: SessionLogsView }) {
  const { session, logs, me } = view;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <GoalPills path={session.path} />
      {!me.mayRead ? (
        <Notice>The logs are for the participants of this session.</Notice>
      ) : logs.length === 0 ? (
        <EmptyState drawing="kettle">No one has logged any goal progress in this session.</EmptyState>
      ) : (
        <LogList
          logs={logs}
          label="Logs of the session"
          showsWho
          canControl={(log) => log.username === me.username}
          goalPathOf={() => `${session.path}/goals`}
        />
      )}
      <Pagination page={view.page} hasNext={view.hasNext} />
    </div>
  );
}
