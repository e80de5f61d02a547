// The recap of a session: its plan as the run began, and what came of it (G-32). Pure; the room makes it at the close.
import { attendanceOf, NOBODY_YET, type Presence } from "~/domain/room/presence";
import type { PartTally, RoomState, RunPlan, Tally } from "~/domain/room/room";
import { actualStart, findPart, partsInOrder } from "~/domain/schedule/shape";
import { type Instant, type Millis, millis, plusMillis, SECOND, type Seconds, seconds } from "~/domain/time";

const NOTHING: PartTally = { added: seconds(0), paused: millis(0) };

type RecapPart = {
  title: string;
  /** Null for a part that was added during the run. */
  planned: Seconds | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  added: Seconds;
  paused: Millis;
};
/** Without a name, because accounts are renamed when they are deleted. */
type RecapPerson = { userId: number; seconds: Seconds; hasCome: boolean };
export type Recap = {
  plannedStart: Instant | null;
  plannedEnd: Instant | null;
  startedAt: Instant;
  endedAt: Instant;
  parts: RecapPart[];
  /** Everybody whose presence counts: people with a seat, and last those who gave it up after the start (G-26). */
  people: RecapPerson[];
  lines: number;
};
/** The totals of a goal over everybody: thousandths, and milliseconds. */
type RecapGoal = { title: string; unit: string; amount: number; distance: number; duration: Millis };
/** As the record keeps it: the batch of the close adds the totals. */
export type StoredRecap = Recap & { goals: RecapGoal[] };

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
export function tallied(
  before: RoomState,
  after: RoomState,
  now: Instant,
  adjusted?: { partId: string; seconds: number },
): RoomState {
  const isRun = before.runBegunAt !== null && after.runBegunAt !== null;
  if (!isRun || (before.schedule === after.schedule && !adjusted)) return after;
  const tally: Tally = { ...before.tally };
  const of = (id: string): PartTally => tally[id] ?? NOTHING;
  const parts = new Map(partsInOrder(after.schedule).map((part) => [part.id, part]));
  for (const was of partsInOrder(before.schedule)) {
    const part = parts.get(was.id);
    if (!part) continue;
    const counted = of(was.id);
    let next = counted;
    if (was.pausedAt !== null && part.pausedAt === null) {
      next = { ...next, paused: millis(next.paused + Math.max(0, now - was.pausedAt)) };
      if (part.state === "finished" && part.endedAt === was.pausedAt) next = { ...next, endedAt: now };
    }
    if (next !== counted) tally[was.id] = next;
  }
  if (adjusted) {
    const { partId } = adjusted;
    tally[partId] = {
      ...of(partId),
      added: seconds(of(partId).added + addedBetween(before, after, adjusted)),
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
  const [was, is] = [before, after].map(({ schedule }) => findPart(schedule, partId));
  const hasMoved = was?.endedAt != null && is?.endedAt != null && was.state !== "waiting";
  return hasMoved ? Math.round(((is.endedAt ?? 0) - (was.endedAt ?? 0)) / SECOND) : span;
}

/** `gone`: people without a seat any more. Null for a session that never ran, or that was cancelled. */
export function recapOf(
  state: RoomState,
  seen: { presence: ReadonlyMap<number, Presence>; gone: readonly number[]; lines: number },
): Recap | null {
  const { startedAt, endedAt, runBegunAt, cancelledStart, plan = null, tally = {}, schedule } = state;
  if (runBegunAt === null || startedAt === null || endedAt === null || cancelledStart != null) return null;
  if (endedAt <= startedAt) return null;
  const leavers = seen.gone.filter((userId) => (seen.presence.get(userId)?.leftAt ?? 0) >= startedAt);
  return {
    plannedStart: plan?.plannedStart ?? null,
    plannedEnd: plan?.end ?? null,
    startedAt,
    endedAt,
    parts: partsInOrder(schedule).map((part) => {
      const { added, paused, ...moved } = tally[part.id] ?? NOTHING;
      const hasRun = part.state !== "waiting";
      return {
        title: part.title,
        planned: plan?.parts[part.id] ?? null,
        startedAt: hasRun ? actualStart(part) : null,
        endedAt: hasRun ? (moved.endedAt ?? part.endedAt) : null,
        added,
        paused,
      };
    }),
    people: [...state.participants.map(({ userId }) => userId), ...leavers].map((userId) => ({
      userId,
      ...attendanceOf(seen.presence.get(userId) ?? NOBODY_YET, startedAt, endedAt),
    })),
    lines: seen.lines,
  };
}
