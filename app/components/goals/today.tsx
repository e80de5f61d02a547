// Today: logs that run or are paused with their clock, then the goals that are due, each with one large button.
import { Link } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { MyClock } from "~/components/layout/my-clock";
import { Section } from "~/components/layout/page";
import { Icon } from "~/components/pictures/icon";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import type { Today, TodayGoal } from "~/domain/goals/today";
import { GOALS_PATH, TodayLogRow, TodayRow } from "./today-row";

type Props = {
  today: Today;
  /** Shown without goals: the way to the first one. */
  whenEmpty?: ReactNode;
  /** True if no other part of the page plays the cues of these logs. */
  soundsCues?: boolean;
};

export const TodayAtHome = ({ today }: { today: Today }) => (
  <MyClock>
    <TodayPart
      today={today}
      soundsCues
      whenEmpty={
        <Button asChild className="self-start">
          <Link to={`${GOALS_PATH}?create=1`}>
            <Icon name="flag" />
            Set your first goal
          </Link>
        </Button>
      }
    />
  </MyClock>
);

export function TodayPart({ today, whenEmpty, soundsCues = false }: Props) {
  const { goals, yesterday } = today;
  const hasOpenLog = ({ id }: TodayGoal) => today.openLogs.some(({ goalId }) => goalId === id);
  const goalsWithLog = goals.filter(hasOpenLog);
  const goalsWithoutLog = goals.filter((goal) => !hasOpenLog(goal));
  const inPlace = (place: TodayGoal["place"]) => goalsWithoutLog.filter((goal) => goal.place === place);
  const due = inPlace("due");
  const otherLogs = today.openLogs.filter(({ goalId }) => !goals.some(({ id }) => id === goalId));
  const glowingId = goalsWithLog.length + otherLogs.length > 0 ? undefined : due[0]?.id;
  const dueCount = goals.filter(({ place }) => place === "due").length;
  const isDone = dueCount === 0 && inPlace("reached").length > 0;
  useAppBadge(dueCount);
  const rows = (list: readonly TodayGoal[]) =>
    list.map((goal) => (
      <TodayRow
        key={goal.uuid}
        goal={goal}
        openLogs={today.openLogs}
        isGlowing={goal.id === glowingId}
        soundsCues={soundsCues}
      />
    ));
  return (
    <Section
      title="Today"
      className="gap-2!"
      actions={dueCount > 0 ? <Badge>{dueCount} due</Badge> : isDone && <Badge tone="pine">All done</Badge>}
    >
      {goals.length === 0 && otherLogs.length === 0 && whenEmpty}
      {goalsWithLog.length + otherLogs.length + due.length > 0 && (
        <ul aria-label="Due today" className="grid grid-cols-1 gap-x-8 lg:grid-cols-2">
          {rows(goalsWithLog)}
          {otherLogs.map((log) => (
            <TodayLogRow key={log.uuid} log={log} soundsCues={soundsCues} />
          ))}
          {rows(due)}
        </ul>
      )}
      <GoalFold label="Later this week" count={inPlace("week").length}>
        {rows(inPlace("week"))}
      </GoalFold>
      <GoalFold label="Long goals" count={inPlace("long").length} isOpen={due.length === 0}>
        {rows(inPlace("long"))}
      </GoalFold>
      <GoalFold label="Reached" count={inPlace("reached").length}>
        {rows(inPlace("reached"))}
      </GoalFold>
      {yesterday.length > 0 && <p className="text-sm text-soft">Yesterday: {namesOf(yesterday)}</p>}
    </Section>
  );
}

/** Shows the number of due goals on the icon of the installed app. */
function useAppBadge(due: number): void {
  useEffect(() => {
    // Browsers without badges lack the function. Without permission the promise rejects.
    navigator.setAppBadge?.(due).catch(() => {});
  }, [due]);
}

const MAX_NAMED = 3;
function namesOf(titles: readonly string[]): string {
  const firstTitles = titles.slice(0, MAX_NAMED).join(", ");
  const otherCount = titles.length - MAX_NAMED;
  return otherCount > 0 ? `${firstTitles} and ${otherCount} more` : firstTitles;
}

type FoldProps = { label: string; count: number; isOpen?: boolean; children: ReactNode };
const GoalFold = ({ label, count, isOpen, children }: FoldProps) =>
  count > 0 && (
    <details open={isOpen} className="group/fold">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold marker:content-none">
        <Icon name="right" className="transition-transform group-open/fold:rotate-90" />
        {label} <span className="tabular font-normal text-soft">{count}</span>
      </summary>
      <ul aria-label={label} className="grid grid-cols-1 gap-x-8 lg:grid-cols-2">
        {children}
      </ul>
    </details>
  );
