// The Details of a goal. Only the running timer, or the button that starts it, is emphasised.
import { useSearchParams } from "@remix-run/react";
import { lazy, startTransition, useMemo } from "react";
import { Section } from "~/components/layout/page";
import { Icon } from "~/components/pictures/icon";
import { Card } from "~/components/ui/card";
import { LazyPart } from "~/components/ui/lazy-part";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { Day } from "~/domain/days";
import { GOAL_STATUS, type Goal, hasText, isProgressComplete } from "~/domain/goals/goals";
import { isRunning, LOG_STATUS } from "~/domain/goals/log-state";
import type { LogShown } from "~/domain/goals/logs";
import { deedText, goalMeasures, totalsText } from "~/domain/goals/measure-text";
import { type DayTotals, totalsOn } from "~/domain/goals/recurrence";
import type { Streak } from "~/domain/goals/streaks";
import type { GoalMeasure } from "~/domain/goals/target-changes";
import { useInlineEdit } from "~/hooks/form/use-inline-edit";
import { loadLate } from "~/hooks/load-late";
import { useReader } from "~/hooks/use-shell";
import { StartProgressButton } from "./card";
import { GoalEditor } from "./editor";
import { EndedTimer } from "./ended-timer";
import { GoalFrame } from "./frame";
import { LogByHand } from "./log-forms";
import { LogList } from "./log-list";
import { GoalProgress } from "./progress";
import { QuickLogButtons } from "./quick-log-buttons";
import { RunningLine } from "./running-line";
import { RunningLog } from "./running-log";
import { StreakLine } from "./streak-line";
import { GoalText } from "./text";
import { GoalTimers } from "./timers";
import { GoalCompletion, GoalMenu } from "./tools";
import { ownTarget, useLogging } from "./use-logging";
import { isRecurring } from "./week-dots";

const Checklist = lazy(async () => ({ default: (await loadLate(() => import("./checklist"))).Checklist }));
const LogElsewhere = lazy(async () => ({
  default: (await loadLate(() => import("./log-elsewhere"))).LogElsewhere,
}));
const HeatMapChart = lazy(async () => ({
  default: (await loadLate(() => import("./heat-map-chart"))).HeatMapChart,
}));

export type GoalDetailsProps = {
  data: {
    goal: Goal;
    tags: string[];
    username: string;
    logs: LogShown[];
    openLogs: LogShown[];
    days: DayTotals[];
    measures: GoalMeasure[];
    streak: Streak | null;
    today: Day;
    newUuid: string;
  };
};

export function GoalDetails({ data }: GoalDetailsProps) {
  const { goal, tags } = data;
  const [query] = useSearchParams();
  const { isEditing, setEditing, pencil, isOpenedByPress } = useInlineEdit(
    query.get("edit") === String(goal.id),
  );
  if (isEditing)
    return (
      <GoalFrame goal={goal} tags={tags}>
        <Card as="section">
          <GoalEditor
            goal={goal}
            tags={tags}
            takesFocus={isOpenedByPress}
            onDone={() => setEditing(false)}
            onCancel={() => setEditing(false)}
          />
        </Card>
      </GoalFrame>
    );
  return (
    <GoalFrame
      goal={goal}
      tags={tags}
      actions={
        <GoalMenu goal={goal} onEdit={() => startTransition(() => setEditing(true))} pencil={pencil} />
      }
    >
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <ProgressPart data={data} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {goal.isList && goal.items.length > 0 && (
            <Section title="Checklist">
              <LazyPart>
                <Checklist goalId={goal.id} title={goal.title} items={goal.items} canTick />
              </LazyPart>
            </Section>
          )}
          {hasText(goal) && (
            <Section title="About this goal">
              <GoalText goal={goal} />
            </Section>
          )}
          <GoalCompletion goal={goal} isRunning={data.openLogs.some(isRunning)} />
          <LazyPart>
            <LogElsewhere goal={goal} />
          </LazyPart>
        </div>
        <div className="flex min-w-0 flex-col gap-6 lg:col-span-2">
          {goal.logsCount > 0 && (
            <Section title="The last year">
              <LazyPart>
                <HeatMapChart goal={goal} measures={data.measures} days={data.days} today={data.today} />
              </LazyPart>
            </Section>
          )}
          <RecentLogs data={data} />
        </div>
      </div>
    </GoalFrame>
  );
}

function ProgressPart({ data }: GoalDetailsProps) {
  const reader = useReader();
  const { goal } = data;
  const { days, today, openLogs } = data;
  const serverState = useMemo(
    () => ({ totals: goal.recurrence ? totalsOn(days, today) : goal, openLogs }),
    [goal, days, today, openLogs],
  );
  const logging = useLogging(goal, serverState, ownTarget(goal.id), data.username);
  const { progress } = logging;
  const timedLogs = progress.openLogs.filter(({ isTimed }) => isTimed);
  const openLog = timedLogs.find(({ status }) => status === LOG_STATUS.active) ?? timedLogs[0];
  const otherLogs = progress.openLogs.filter((log) => log !== openLog);
  const newestDone = data.logs.find((log) => log.status === LOG_STATUS.done && isOwn(log, data));
  const isOpen = goal.status !== GOAL_STATUS.completed;
  // Once the target is reached, the Complete button is emphasised.
  const isReached = goal.recurrence === null && isProgressComplete(goal, progress.totals);
  return (
    <>
      <Card as="section" isGlowing={openLog?.status === LOG_STATUS.active} className="flex flex-col gap-5">
        {goal.completedAt !== null && !isOpen && (
          <p className="flex items-center gap-2 text-lg font-semibold text-pine">
            <Icon name="check" />
            <span>
              Completed on <Time at={goal.completedAt} look="date" />
            </span>
          </p>
        )}
        {openLog ? (
          <RunningLog key={openLog.uuid} log={openLog} timers={goal.timers} />
        ) : (
          isOpen && (
            <div className="flex flex-col items-center gap-3 py-2 text-center">
              <p className="text-soft">You don't have any active progress for this goal...</p>
              <StartProgressButton
                goalId={goal.id}
                onPress={() => logging.begin()}
                isBusy={logging.isBusy}
                variant={isReached ? "quiet" : "primary"}
              />
            </div>
          )
        )}
        {newestDone?.isInterval && <EndedTimer key={newestDone.uuid} log={newestDone} />}
        {otherLogs.map((log) => (
          <RunningLine key={log.uuid} log={log} />
        ))}
        {isOpen && (
          <QuickLogButtons
            goal={goal}
            className="justify-center"
            onPress={logging.press}
            isBusy={logging.isBusy}
          />
        )}
        <div className="flex flex-col gap-2">
          <p className="font-semibold empty:hidden">{deedText(goal.action, goalMeasures(goal, reader))}</p>
          <GoalProgress goal={goal} totals={progress.totals} openLogs={progress.openLogs} />
        </div>
        {isRecurring(goal) && (
          <>
            <StreakLine goal={goal} measures={data.measures} days={days} today={today} streak={data.streak} />
            <p className="tabular text-sm text-soft">
              {["In all:", totalsText(goal, goal.unit, reader) || "nothing yet"].join(" ")}
            </p>
          </>
        )}
        {isOpen && <LogByHand goal={goal} today={today} newUuid={data.newUuid} />}
      </Card>
      {isOpen && goal.timers.length > 0 && (
        <Section title="Timers">
          <GoalTimers
            timers={goal.timers}
            goalId={goal.id}
            onStart={logging.begin}
            openLog={openLog}
            isDisabled={logging.isBusy || openLog?.status === LOG_STATUS.active}
          />
        </Section>
      )}
    </>
  );
}

/** A session's goal has the logs of others too. */
const isOwn = (log: LogShown, { goal, username }: GoalDetailsProps["data"]) =>
  goal.sessionId === null || log.username === username;

function RecentLogs({ data }: GoalDetailsProps) {
  const { goal } = data;
  // Running and waiting logs are shown above.
  const logs = data.logs.filter(({ status }) => status !== LOG_STATUS.active && status !== LOG_STATUS.paused);
  if (logs.length === 0) return null;
  return (
    <Section
      title="Recent logs"
      actions={
        goal.logsCount > logs.length && (
          <TextLink to={`/my/goals/${goal.id}/logs`}>All {goal.logsCount} logs</TextLink>
        )
      }
    >
      <LogList logs={logs} canControl={(log) => isOwn(log, data)} />
    </Section>
  );
}
