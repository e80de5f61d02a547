// Plans the dates of a session that has not begun (T-08, T-10, T-15, V-21 to V-26, R-04). Pure and without zod.

import { formatDuration } from "~/domain/duration-text";
import { AppError, type FieldErrors, invalid, TOO_LARGE_A_PLAN } from "~/domain/errors";
import { SESSION_SECONDS } from "~/domain/schedule/length";
import { hasTurns, kindOf } from "~/domain/schedule/part-kinds";
import { layOut, linkAllGroups, scheduleLength, sessionEnd } from "~/domain/schedule/plan";
import { type ScheduleProblem, scheduleProblems } from "~/domain/schedule/problems";
import { scheduleSentences } from "~/domain/schedule/sentences";
import { partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { fitsPlan } from "~/domain/schedule/size";
import { type Instant, plusSeconds, SECOND, type Seconds, seconds } from "~/domain/time";
import { sessionDurationProblem } from "./limits";
import type { SessionTimes } from "./status";

/** The input of `planSession`. */
export type PlanRequest = {
  schedule: Schedule;
  startedAt: Instant | null;
  endedAt?: Instant | null | undefined;
  /** Seconds; null: as long as its parts. */
  duration: Seconds | null;
  isManuallyStarted: boolean;
  rosterSize: number;
};
/** The parts of a session with their dates, and the dates of the session. */
export type SessionPlan = {
  schedule: Schedule;
  startedAt: Instant | null;
  endedAt: Instant | null;
  duration: Seconds;
};

const secondsBetween = (start: Instant, end: Instant): Seconds => seconds(Math.round((end - start) / SECOND));

/** The fields of problems that are not the timers' own. */
const FIELD_OF_PROBLEM: Partial<Record<ScheduleProblem["code"], string>> = {
  "no-session-start": "startedAt",
  "session-length": "duration",
};

/**
 * The dates of a session that has not started, or every problem at its field: `duration`, `startedAt`, `schedule` (V-21
 * to V-26). A manual start has no dates and links all groups (T-10).
 */
export function planSession(request: PlanRequest): SessionPlan {
  const { isManuallyStarted, rosterSize } = request;
  const startedAt = isManuallyStarted ? null : request.startedAt;
  const length = scheduleLength(request.schedule, rosterSize);
  const span =
    request.duration ??
    (startedAt !== null && request.endedAt ? secondsBetween(startedAt, request.endedAt) : length);
  const problems = scheduleProblems(request.schedule, {
    sessionStart: startedAt,
    isManuallyStarted,
    rosterSize,
  });
  if (!fitsPlan(request.schedule)) throw invalid("schedule", TOO_LARGE_A_PLAN);
  const fields: FieldErrors = {};
  const addProblem = (field: string, sentence: string) => {
    fields[field] = [...new Set([...(fields[field] ?? []), sentence])];
  };
  const lengthProblem = sessionDurationProblem(span);
  if (lengthProblem) addProblem("duration", lengthProblem);
  for (const problem of problems)
    for (const sentence of scheduleSentences(problem))
      addProblem(FIELD_OF_PROBLEM[problem.code] ?? "schedule", sentence);
  if (Object.keys(fields).length > 0) throw new AppError("INVALID", undefined, { fields });
  const schedule = layOut(
    isManuallyStarted ? linkAllGroups(request.schedule) : request.schedule,
    startedAt,
    rosterSize,
  );
  if (startedAt === null)
    return { schedule, startedAt, endedAt: null, duration: seconds(Math.max(span, length)) };
  // the end follows the last part.
  const endedAt =
    sessionEnd(schedule, plusSeconds(startedAt, span), startedAt) ?? plusSeconds(startedAt, span);
  return { schedule, startedAt, endedAt, duration: secondsBetween(startedAt, endedAt) };
}

/**
 * The plan for a requested length below that of its timers. A single plain, untitled timer, as in an activity without
 * timers, takes that length. If the plan was not sent along, INVALID at `duration` (V-21).
 */
export function planForLength(
  schedule: Schedule,
  request: { duration: Seconds | null | undefined; isPlanSent: boolean; rosterSize: number },
): Schedule {
  const { duration, isPlanSent, rosterSize } = request;
  const length = scheduleLength(schedule, rosterSize);
  if (!duration || duration >= length) return schedule;
  const [group] = schedule.groups;
  const [part] = group?.parts ?? [];
  const isOnlyOne = schedule.groups.length === 1 && group?.parts.length === 1 && group.sets === 1;
  if (group && part && isOnlyOne && part.title === "" && kindOf(part) === "plain")
    return { groups: [{ ...group, parts: [{ ...part, duration }] }] };
  // the end follows timers that were sent along.
  if (isPlanSent) return schedule;
  throw invalid(
    "duration",
    `The timers of this session last ${formatDuration(length)}. Please choose a longer duration, or change the timers first.`,
  );
}

type UnbegunSession = SessionTimes & { schedule: Schedule; duration: Seconds; isManuallyStarted: boolean };

const longerCapped = (a: Seconds, b: Seconds): Seconds =>
  seconds(Math.min(Math.max(a, b), SESSION_SECONDS.max));
const spanFrom = (startedAt: Instant, endedAt: Instant | null) => ({
  endedAt,
  duration: secondsBetween(startedAt, endedAt ?? startedAt),
});

/**
 * The plan of a session that has not begun, for `rosterSize` participants (T-08, T-15); null if their number changes
 * nothing. The end only moves later, and never exceeds 30 days.
 */
export function planForRoster(session: UnbegunSession, rosterSize: number): SessionPlan | null {
  const { startedAt, duration, isManuallyStarted } = session;
  if (!partsInOrder(session.schedule).some(hasTurns)) return null;
  const schedule = layOut(session.schedule, startedAt, rosterSize);
  const plan =
    startedAt === null
      ? { endedAt: null, duration: longerCapped(duration, scheduleLength(schedule, rosterSize)) }
      : spanFrom(
          startedAt,
          sessionEnd(schedule, session.endedAt ?? plusSeconds(startedAt, duration), startedAt),
        );
  const isSame =
    plan.duration === duration &&
    (isManuallyStarted || plan.endedAt === session.endedAt) &&
    JSON.stringify(schedule) === JSON.stringify(session.schedule);
  return isSame ? null : { schedule, startedAt, ...plan };
}
