// Finds the problems of a plan (V-21 to V-26, T-07, T-09). It moves nothing.

import { SESSION_SECONDS } from "~/domain/schedule/length";
import { type Instant, later, SECOND } from "~/domain/time";
import {
  lineUp,
  linkAllGroups,
  mayOverlap,
  type Plan,
  placeDates,
  scheduleEnd,
  scheduleLength,
} from "./plan";
import type { ScheduleCode } from "./sentences";
import { unrollSets } from "./sets";
import { hasBegun, partPlaces, type Schedule } from "./shape";

/** `number` is the timer's number, from 1; null for a problem of the whole schedule. */
export type ScheduleProblem = { partId: string | null; number: number | null; code: ScheduleCode };
export type ProblemWithSentence = ScheduleProblem & { sentence: string };

/** All problems, in the order of the parts. Pass the schedule as requested; the function computes its dates. */
export function scheduleProblems(
  schedule: Schedule,
  { sessionStart, isManuallyStarted, rosterSize }: Plan & { isManuallyStarted: boolean },
): ScheduleProblem[] {
  const whole = (code: ScheduleCode): ScheduleProblem => ({ partId: null, number: null, code });
  const problems: ScheduleProblem[] = [];

  const isAutoUnlinked = schedule.groups.some(
    (group) => group.type === "event" && group.isAutoStart && !group.isLinked,
  );
  if (isManuallyStarted && isAutoUnlinked) problems.push(whole("auto-unlinked"));

  const linked = isManuallyStarted ? linkAllGroups(schedule) : schedule;
  for (const { part, group, number } of partPlaces(linked))
    if (group.isLinked && part.relativeStart?.startOf === "before-previous-ends")
      problems.push({ partId: part.id, number, code: "linked-before" });

  if (isManuallyStarted) return [...problems, ...lengthProblems(lineUp(linked), rosterSize, null)];

  const plan = { sessionStart, rosterSize };
  const dated = placeDates(linked, plan);
  if (sessionStart === null && partPlaces(dated).some(({ part }) => part.startedAt !== null))
    problems.push(whole("no-session-start"));
  problems.push(...datedProblems(dated, plan));
  return [...problems, ...lengthProblems(dated, rosterSize, sessionStart)];
}

/** Problems of computed dates. Parts that have begun are exempt; repeats are reported for their original part. */
function datedProblems(dated: Schedule, plan: Plan): ScheduleProblem[] {
  const problems = new Map<string, ScheduleProblem>();
  const numbers = new Map(partPlaces(dated).map(({ part, number }) => [part.id, number]));
  let busyUntil: Instant | null = null;
  for (const { part, group, index } of partPlaces(placeDates(unrollSets(dated), plan))) {
    const { startedAt, endedAt } = part;
    if (startedAt === null || endedAt === null) continue;
    const original = group.parts[index % (group.parts.length / group.sets)];
    const partId = original?.id ?? part.id;
    const number = numbers.get(partId) ?? 1;
    const problem = (code: ScheduleCode) => problems.set(partId + code, { partId, number, code });
    if (!hasBegun(part)) {
      if (part.duration === 0) problem("no-duration");
      if (plan.sessionStart !== null && startedAt < plan.sessionStart) problem("before-session");
      else if (busyUntil !== null && startedAt < busyUntil && !mayOverlap(part, group)) problem("overlap");
    }
    busyUntil = busyUntil === null ? endedAt : later(busyUntil, endedAt);
  }
  return [...problems.values()];
}

/** No part of a session ends more than 30 days after its start. */
function lengthProblems(
  dated: Schedule,
  rosterSize: number,
  sessionStart: Instant | null,
): ScheduleProblem[] {
  const end = scheduleEnd(dated);
  const span =
    sessionStart === null || end === null ? scheduleLength(dated, rosterSize) : (end - sessionStart) / SECOND;
  const isTooLong = span > SESSION_SECONDS.max;
  return isTooLong ? [{ partId: null, number: null, code: "session-length" }] : [];
}
