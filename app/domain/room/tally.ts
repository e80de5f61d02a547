// Counts pauses and added seconds while a session runs, and makes the recap at its close (G-32). Pure.
import { actualStart, findPart, partsInOrder } from "~/domain/schedule/shape";
import { countedStart } from "~/domain/sessions/leaving";
import type { Recap } from "~/domain/sessions/recap";
import { type Instant, millis, plusMillis, SECOND, seconds } from "~/domain/time";
import { attendanceOf, NOBODY_YET, type Presence } from "./presence";
import type { PartTally, RoomState, RunPlan, Tally } from "./room";

const NO_TALLY: PartTally = { added: seconds(0), paused: millis(0) };

export const planOf = (begun: RoomState, plannedStart: Instant | null): RunPlan => ({
  plannedStart,
  // An early start by hand moves the run, not its plan.
  end:
    begun.endedAt === null || begun.startedAt === null
      ? begun.endedAt
      : plusMillis(begun.endedAt, (plannedStart ?? begun.startedAt) - begun.startedAt),
  parts: Object.fromEntries(partsInOrder(begun.schedule).map((part) => [part.id, part.duration])),
});

/** Counts the pauses that end between two states of a run, and the seconds that are added. */
export function withTally(
  before: RoomState,
  after: RoomState,
  now: Instant,
  adjusted?: { partId: string; seconds: number },
): RoomState {
  const isRun = before.runBegunAt !== null && after.runBegunAt !== null;
  if (!isRun || (before.schedule === after.schedule && !adjusted)) return after;
  const tally: Tally = { ...before.tally };
  const tallyOf = (id: string): PartTally => tally[id] ?? NO_TALLY;
  const parts = new Map(partsInOrder(after.schedule).map((part) => [part.id, part]));
  for (const previous of partsInOrder(before.schedule)) {
    const part = parts.get(previous.id);
    if (!part) continue;
    const previousTally = tallyOf(previous.id);
    let next = previousTally;
    if (previous.pausedAt !== null && part.pausedAt === null) {
      next = { ...next, paused: millis(next.paused + Math.max(0, now - previous.pausedAt)) };
      if (part.state === "finished" && part.endedAt === previous.pausedAt) next = { ...next, endedAt: now };
    }
    if (next !== previousTally) tally[previous.id] = next;
  }
  if (adjusted) {
    const { partId } = adjusted;
    tally[partId] = {
      ...tallyOf(partId),
      added: seconds(tallyOf(partId).added + addedBetween(before, after, adjusted)),
    };
  }
  return { ...after, tally };
}

/** The seconds by which an adjustment moved the end of a part; taking away too much moves it less. */
function addedBetween(
  before: RoomState,
  after: RoomState,
  { partId, seconds: span }: { partId: string; seconds: number },
): number {
  const [previous, current] = [before, after].map(({ schedule }) => findPart(schedule, partId));
  const hasMoved = previous?.endedAt != null && current?.endedAt != null && previous.state !== "waiting";
  return hasMoved ? Math.round(((current.endedAt ?? 0) - (previous.endedAt ?? 0)) / SECOND) : span;
}

/** The recap of a run; null for a session that never ran, or was cancelled. `gone`: people without a seat any more. */
export function recapOf(
  state: RoomState,
  counts: { presence: ReadonlyMap<number, Presence>; gone: readonly number[]; lines: number },
): Recap | null {
  const { startedAt, endedAt, runBegunAt, cancelledStart, plan = null, tally = {}, schedule } = state;
  if (runBegunAt === null || startedAt === null || endedAt === null || cancelledStart != null) return null;
  if (endedAt <= startedAt) return null;
  const startThatCounts = countedStart(startedAt, plan?.plannedStart);
  const leavers = counts.gone.filter((userId) => {
    const { leftAt = 0, isRemoved } = counts.presence.get(userId) ?? NOBODY_YET;
    return leftAt >= startThatCounts && !isRemoved;
  });
  // People who planned to come at a start that the session did not reach have missed nothing.
  const mayMiss = (userId: number) =>
    endedAt > startThatCounts || (counts.presence.get(userId)?.intervals.length ?? 0) > 0;
  return {
    plannedStart: plan?.plannedStart ?? null,
    plannedEnd: plan?.end ?? null,
    startedAt,
    endedAt,
    parts: partsInOrder(schedule).map((part) => {
      const { added, paused: pausedMs, ...moved } = tally[part.id] ?? NO_TALLY;
      const hasRun = part.state !== "waiting";
      return {
        title: part.title,
        planned: plan?.parts[part.id] ?? null,
        startedAt: hasRun ? actualStart(part) : null,
        endedAt: hasRun ? (moved.endedAt ?? part.endedAt) : null,
        added,
        paused: pausedMs,
      };
    }),
    people: [...state.participants.map(({ userId }) => userId), ...leavers].filter(mayMiss).map((userId) => ({
      userId,
      ...attendanceOf(counts.presence.get(userId) ?? NOBODY_YET, startedAt, endedAt, startThatCounts),
    })),
    lines: counts.lines,
  };
}
