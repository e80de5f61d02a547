// The problems of an activity's plan, which each of its sessions would meet (V-22 to V-26, T-07). Pure.

import { asOnOtherDates } from "~/domain/schedule/groups";
import { type ScheduleProblem, scheduleProblems } from "~/domain/schedule/problems";
import { scheduleSentences } from "~/domain/schedule/sentences";
import type { Schedule } from "~/domain/schedule/shape";
import { instant } from "~/domain/time";

type ActivityPlan = { schedule: Schedule; isManuallyStarted: boolean };

/**
 * The sentences of the plan's problems, each once. Those of the plan `before` pass, because it may be older than the
 * rule and its form sends it again.
 */
export function planSentences(plan: ActivityPlan, before: ActivityPlan | null): string[] {
  const nameOf = ({ partId, code }: ScheduleProblem) => `${code} ${partId}`;
  const oldProblems = new Set(before && problemsOfSessions(before).map(nameOf));
  const problems = problemsOfSessions(plan).filter((problem) => !oldProblems.has(nameOf(problem)));
  return [...new Set(problems.flatMap(scheduleSentences))];
}

/** A session takes the plan as on another date, and its own start moves all dates alike. */
const problemsOfSessions = ({ schedule, isManuallyStarted }: ActivityPlan) =>
  scheduleProblems(asOnOtherDates(schedule), {
    sessionStart: isManuallyStarted ? null : instant(0),
    rosterSize: 1,
    isManuallyStarted,
  });
