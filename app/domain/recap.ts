// The recap of a session: its plan as the run began, and what came of it (G-32). Pure; the room makes it at the close.
import { attendanceOf, NOBODY_YET, type Presence } from "./presence";
import type { RoomState } from "./room";
import type { RoomOutcome } from "./room-change";
import { partsInOrder } from "./schedule-shape";
import { type Instant, type Millis, millis, type Seconds, seconds } from "./time";

/** The plan of a run as it began; `plannedStart` is null for a session started by hand. */
export type RunPlan = {
  plannedStart: Instant | null;
  end: Instant | null;
  /** The planned seconds of each part, by its id. */
  parts: Record<string, Seconds>;
};
/** Seconds added to each part, and the time it was paused, by its id. */
export type Tally = Record<string, { added: Seconds; paused: Millis }>;

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

export const planOf = (begun: RoomState, plannedStart: Instant | null): RunPlan => ({
  plannedStart,
  end: begun.endedAt,
  parts: Object.fromEntries(partsInOrder(begun.schedule).map((part) => [part.id, part.duration])),
});

/** Counts the pauses that this change ends, and the seconds that it adds. */
export function tallied(
  before: RoomState,
  outcome: RoomOutcome,
  now: Instant,
  adjusted?: { partId: string; seconds: number },
): RoomOutcome {
  if (!outcome.ok || before.runBegunAt === null) return outcome;
  const after = new Map(partsInOrder(outcome.state.schedule).map((part) => [part.id, part]));
  const tally: Tally = { ...before.tally };
  const of = (id: string) => tally[id] ?? { added: seconds(0), paused: millis(0) };
  for (const { id, pausedAt } of partsInOrder(before.schedule)) {
    if (pausedAt === null || after.get(id)?.pausedAt !== null) continue;
    tally[id] = { ...of(id), paused: millis(of(id).paused + Math.max(0, now - pausedAt)) };
  }
  if (adjusted && outcome.topics.length > 0) {
    const { partId, seconds: span } = adjusted;
    tally[partId] = { ...of(partId), added: seconds(of(partId).added + span) };
  }
  return { ...outcome, state: { ...outcome.state, tally } };
}

/** Null for a session that never ran, or that was cancelled. */
export function recapOf(
  state: RoomState,
  seen: { presence: ReadonlyMap<number, Presence>; leavers: readonly number[]; lines: number },
): Recap | null {
  const { startedAt, endedAt, runBegunAt, cancelledStart, plan = null, tally = {}, schedule } = state;
  if (runBegunAt === null || startedAt === null || endedAt === null || cancelledStart != null) return null;
  if (endedAt <= startedAt) return null;
  return {
    plannedStart: plan?.plannedStart ?? null,
    plannedEnd: plan?.end ?? null,
    startedAt,
    endedAt,
    parts: partsInOrder(schedule).map((part) => ({
      title: part.title,
      planned: plan?.parts[part.id] ?? null,
      startedAt: part.state === "waiting" ? null : part.startedAt,
      endedAt: part.state === "waiting" ? null : part.endedAt,
      ...(tally[part.id] ?? { added: seconds(0), paused: millis(0) }),
    })),
    people: [...state.participants.map(({ userId }) => userId), ...seen.leavers].map((userId) => ({
      userId,
      ...attendanceOf(seen.presence.get(userId) ?? NOBODY_YET, startedAt, endedAt),
    })),
    lines: seen.lines,
  };
}
