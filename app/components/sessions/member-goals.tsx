// The members' progress on a session's goals, and everybody's logs (P-33, P-34).

import { useRevalidator } from "@remix-run/react";
import { LogList } from "~/components/goals/log-list";
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { Avatar } from "~/components/ui/avatar";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Notice } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { ProgressBar } from "~/components/ui/progress-bar";
import type { Goal, Totals } from "~/domain/goals/goals";
import { progressOf } from "~/domain/goals/goals";
import { goalMeasures } from "~/domain/goals/measure-text";
import { nameOfSeat } from "~/domain/room/guest-names";
import type { GoalTotal, MemberGoalsView, SessionLogsView } from "~/domain/sessions/view";
import { useReader } from "~/hooks/use-shell";
import { GoalPills, NO_LOGS } from "./page";

const NO_TOTAL: GoalTotal = { amount: 0, distance: 0, duration: 0, listProgress: [] };
const totalsOf = (total: GoalTotal): Totals => ({
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
                {nameOfSeat(member)}
                {member.isBuilder && (
                  <span title="Session builder" className="inline-flex text-ember">
                    <Icon name="key" className="size-4" />
                    <span className="sr-only">Session builder</span>
                  </span>
                )}
              </p>
              <ul className="flex flex-col gap-3">
                {goals.map((goal) => (
                  <MemberGoal key={goal.uuid} goal={goal} total={member.goalTotals[goal.uuid] ?? NO_TOTAL} />
                ))}
              </ul>
            </Card>
          ))}
        </ul>
      )}
      <Pagination page={view.page} hasNext={view.hasNext} after={view.after} />
    </div>
  );
}

function MemberGoal({ goal, total }: { goal: Goal; total: GoalTotal }) {
  const ratio =
    goal.isList && goal.items.length > 0
      ? total.listProgress.length / goal.items.length
      : progressOf(goal, totalsOf(total));
  const percent = Math.min(100, Math.round(ratio * 100));
  return (
    <li>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>{goal.title}</span>
        <span className="text-sm text-soft">{goalMeasures(goal, useReader())}</span>
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
        <EmptyState drawing="kettle">{NO_LOGS}</EmptyState>
      ) : (
        <>
          <FreshLogs shownIds={logs.map((log) => log.id)} isFirstPage={view.page === 1} />
          <LogList
            logs={logs}
            label="Logs of the session"
            showsAuthor
            canControl={(log) => log.username === me.username}
            goalPathOf={() => `${session.path}/goals`}
          />
        </>
      )}
      <Pagination page={view.page} hasNext={view.hasNext} after={view.after} />
    </div>
  );
}

/** New logs wait for a click, so that the list does not move while it is read. */
function FreshLogs({ shownIds, isFirstPage }: { shownIds: readonly number[]; isFirstPage: boolean }) {
  const freshLogs = useLive("freshLogs");
  const { revalidate, state } = useRevalidator();
  const count = freshLogs.filter((log) => !shownIds.includes(log.id)).length;
  if (count === 0 || !isFirstPage) return null;
  return (
    <Button className="self-start" isLoading={state === "loading"} onClick={revalidate}>
      Show {count} new {count === 1 ? "log" : "logs"}
    </Button>
  );
}
