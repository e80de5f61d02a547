// The schedule of a running session at present: parts start and end on this screen on time, even if the room's frame is
// late (T-16, L-10). It renders on changes, not each second.
import { useMemo } from "react";
import { advanceSchedule, nextTransitionAt } from "~/domain/schedule-advance";
import { partsInOrder, type Schedule } from "~/domain/schedule-shape";
import { type Instant, instant, plusMillis } from "~/domain/time";
import { useFlips } from "~/hooks/use-now";

const MOST_TRANSITIONS = 200;

/** The instants of all scheduled changes from here on. Pure. */
export function transitionsOf(schedule: Schedule, roster: readonly string[]): Instant[] {
  const starts = partsInOrder(schedule).flatMap((part) =>
    part.state === "running" && part.startedAt !== null ? [part.startedAt] : [],
  );
  const found: Instant[] = [];
  let current = schedule;
  let at = instant(Math.max(0, ...starts));
  while (found.length < MOST_TRANSITIONS) {
    const next = nextTransitionAt(current, { now: at, roster });
    if (next === null) break;
    found.push(next);
    current = advanceSchedule(current, { now: next, roster }).schedule;
    at = next > at ? next : plusMillis(at, 1);
  }
  return found;
}

export function useLiveSchedule(
  schedule: Schedule,
  roster: readonly string[],
  isRunning: boolean,
): { schedule: Schedule; at: Instant } {
  const rosterKey = roster.join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: rosterKey represents the roster.
  const transitions = useMemo(
    () => (isRunning ? transitionsOf(schedule, roster) : []),
    [schedule, rosterKey, isRunning],
  );
  const { value: passed, at } = useFlips((now) => transitions.filter((one) => one <= now).length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `passed` changes at each transition; `at` alone does not.
  const advanced = useMemo(
    () => (isRunning ? advanceSchedule(schedule, { now: at, roster }).schedule : schedule),
    [schedule, rosterKey, isRunning, passed],
  );
  return { schedule: advanced, at };
}
