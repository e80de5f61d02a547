// The schedule of a running session at present: parts start and end on this screen on time, even if the room's frame is
// late (T-16, L-10). It renders on changes, not each second.
import { useMemo } from "react";
import { rosterOf } from "~/domain/room/room";
import { advanceSchedule, nextTransitionAt } from "~/domain/schedule/advance";
import { partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { type Instant, instant, plusMillis } from "~/domain/time";
import { useFlips } from "~/hooks/use-now";
import type { LiveRoom } from "~/wire/room/live-room";

const MAX_TRANSITIONS = 200;

type Course = {
  /** How many scheduled changes have passed at an instant. */
  passedAt(now: Instant): number;
  /** The schedule after that number of changes. */
  scheduleAfter(passed: number): Schedule;
};

/** A schedule as it advances by itself. It is computed only up to the requested instant, because a plan can be long. */
export function courseOf(schedule: Schedule, roster: readonly string[]): Course {
  const starts = partsInOrder(schedule).flatMap((part) =>
    part.state === "running" && part.startedAt !== null ? [part.startedAt] : [],
  );
  let searchFrom = instant(Math.max(0, ...starts));
  let current = advanceSchedule(schedule, { now: instant(0), roster }).schedule;
  let nextAt = nextTransitionAt(schedule, { now: searchFrom, roster });
  const steps = [{ at: instant(0), schedule: current }];
  const advanceTo = (now: Instant) => {
    while (nextAt !== null && nextAt <= now && steps.length <= MAX_TRANSITIONS) {
      current = advanceSchedule(current, { now: nextAt, roster }).schedule;
      steps.push({ at: nextAt, schedule: current });
      searchFrom = nextAt > searchFrom ? nextAt : plusMillis(searchFrom, 1);
      nextAt = nextTransitionAt(current, { now: searchFrom, roster });
    }
  };
  return {
    passedAt: (now) => {
      advanceTo(now);
      return Math.max(
        0,
        steps.findLastIndex((step) => step.at <= now),
      );
    },
    scheduleAfter: (passed) => steps[passed]?.schedule ?? schedule,
  };
}

const coursesBySchedule = new WeakMap<Schedule, { rosterKey: string; course: Course }>();

/** One course for all components that show the schedule. */
function sharedCourse(schedule: Schedule, roster: readonly string[]): Course {
  const rosterKey = JSON.stringify(roster);
  const existing = coursesBySchedule.get(schedule);
  if (existing?.rosterKey === rosterKey) return existing.course;
  const course = courseOf(schedule, roster);
  coursesBySchedule.set(schedule, { rosterKey, course });
  return course;
}

export function useLiveSchedule(
  { schedule, participants }: Pick<LiveRoom, "schedule" | "participants">,
  isRunning: boolean,
): { schedule: Schedule; roster: readonly string[]; at: Instant } {
  const roster = useMemo(() => rosterOf({ participants }), [participants]);
  const course = useMemo(
    () => (isRunning ? sharedCourse(schedule, roster) : null),
    [schedule, roster, isRunning],
  );
  const { value: passed, at } = useFlips((now) => course?.passedAt(now) ?? 0);
  return { schedule: course?.scheduleAfter(passed) ?? schedule, roster, at };
}
