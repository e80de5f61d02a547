// The pieces of a running timer: its current interval, and its current turn.
import type { Part } from "./schedule-shape";
import { type Instant, type Millis, millis, SECOND } from "./time";

/** The reading of an interval timer (T-14). At rest it is back at its beginning: `setsRemaining` equals `sets`. */
export type IntervalReading = {
  /** The current set, from 1. */
  set: number;
  /** Remaining sets, the current one included. */
  setsRemaining: number;
  /** From 0; null without intervals. */
  intervalIndex: number | null;
  intervalRemaining: Millis | null;
};

/** The interval at `elapsed` milliseconds after the start (T-14); at rest before the start and after the last set. */
export function intervalAt(
  intervals: readonly { duration: number }[],
  sets: number,
  elapsed: number,
): IntervalReading {
  const cycle = intervals.reduce((sum, { duration }) => sum + duration * SECOND, 0);
  if (cycle === 0 || elapsed < 0 || elapsed >= cycle * sets) {
    const first = intervals[0];
    return {
      set: 1,
      setsRemaining: sets,
      intervalIndex: first ? 0 : null,
      intervalRemaining: first ? millis(first.duration * SECOND) : null,
    };
  }
  const set = Math.floor(elapsed / cycle) + 1;
  let remaining = cycle * set - elapsed;
  let intervalIndex = intervals.length - 1;
  // From the last interval back: the current interval is the first whose remaining sum covers the rest of the set.
  for (const [index, { duration }] of [...intervals.entries()].reverse()) {
    if (remaining <= duration * SECOND) {
      intervalIndex = index;
      break;
    }
    remaining -= duration * SECOND;
  }
  return { set, setsRemaining: sets - set + 1, intervalIndex, intervalRemaining: millis(remaining) };
}

/** Milliseconds since the part's start, without its pause. */
export function elapsedOf(part: Part, now: Instant): number {
  if (part.startedAt === null || part.state === "waiting") return 0;
  if (part.state === "finished") return (part.endedAt ?? part.startedAt) - part.startedAt;
  return (part.pausedAt ?? now) - part.startedAt;
}

/** The current turn of a running or paused per-participant part (T-15), and its remaining time; else null. */
export function turnAt(
  part: Part,
  now: Instant,
): { username: string; index: number; remaining: Millis } | null {
  if (!part.isPerParticipant || (part.state !== "running" && part.state !== "paused")) return null;
  const turn = part.duration * SECOND;
  if (turn <= 0) return null;
  const elapsed = Math.max(0, elapsedOf(part, now));
  const index = Math.floor(elapsed / turn);
  const username = part.turns[index];
  return username === undefined ? null : { username, index, remaining: millis(turn * (index + 1) - elapsed) };
}
