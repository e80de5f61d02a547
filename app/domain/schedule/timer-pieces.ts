// The pieces of a running timer: its current interval, and its current turn.

import { type Instant, type Millis, millis, SECOND } from "~/domain/time";
import type { Part } from "./shape";

/** The reading of an interval timer (T-14). At rest it is back at its beginning: `setsRemaining` equals `sets`. */
export type IntervalReading = {
  /** The current set, from 1. */
  set: number;
  /** Remaining sets, the current one included. */
  setsRemaining: number;
  /** Counts from 0; null without intervals. */
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
  // The loop goes back from the last interval: the current one is the first whose remaining sum covers the rest of the set.
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

/** The pieces of a turn, or of a part without turns: its intervals, set by set, or one. */
export const piecesOfTurn = (part: Part): number =>
  part.intervals.length > 0 ? part.intervals.length * part.sets : 1;
/** A part without turns, or that nobody takes part in, counts as one. */
export const pieceCount = (part: Part): number => piecesOfTurn(part) * Math.max(1, part.turns.length);

/**
 * Milliseconds from a part's start to piece `index`, with the seconds that were added before it, and after the turns
 * that were passed on.
 */
export function pieceStart(part: Part, index: number): number {
  const { intervals, duration, added = [], turnStarts = [] } = part;
  const perTurn = piecesOfTurn(part);
  const turn = Math.floor(index / perTurn);
  const inTurn = index - turn * perTurn;
  const set = intervals.length > 0 ? Math.floor(inTurn / intervals.length) : 0;
  const within = intervals.slice(0, inTurn - set * intervals.length);
  const sum = (pieces: readonly { duration: number }[]) =>
    pieces.reduce((total, piece) => total + piece.duration, 0);
  // The last turn, up to this one, whose beginning is stored.
  const from = Math.max(0, Math.min(turn, turnStarts.length - 1));
  const planned = (turn - from) * duration + set * sum(intervals) + sum(within);
  const addedTime = added.reduce((total, { at, seconds, isOnward }) => {
    if (!isOnward) return total + (at >= from * perTurn && at < index ? seconds : 0);
    return total + seconds * Math.max(0, index - Math.max(at, from * perTurn));
  }, 0);
  const start = (turnStarts[from] ?? 0) + Math.round((planned + addedTime) * SECOND);
  // In a turn that ended early, a piece begins with the next turn at the latest.
  return Math.min(start, turnStarts[turn + 1] ?? start);
}

/** The piece at `elapsed` milliseconds after the start; null before the start and after the last piece. */
export function pieceAt(part: Part, elapsed: number): { index: number; start: number; span: number } | null {
  let past = pieceCount(part);
  if (elapsed < 0 || elapsed >= pieceStart(part, past)) return null;
  let index = 0;
  // The last piece that has begun lies in [index, past).
  while (past - index > 1) {
    const middle = Math.floor((index + past) / 2);
    if (pieceStart(part, middle) <= elapsed) index = middle;
    else past = middle;
  }
  const start = pieceStart(part, index);
  return { index, start, span: pieceStart(part, index + 1) - start };
}

/** `intervalAt` of a part, whose intervals restart in each turn. */
export function partIntervalAt(part: Part, elapsed: number): IntervalReading {
  const piece = pieceAt(part, elapsed);
  if (!piece) return intervalAt(part.intervals, part.sets, -1);
  const inTurn = piece.index % piecesOfTurn(part);
  const set = Math.floor(inTurn / part.intervals.length);
  return {
    set: set + 1,
    setsRemaining: part.sets - set,
    intervalIndex: inTurn % part.intervals.length,
    intervalRemaining: millis(piece.start + piece.span - elapsed),
  };
}

/** The milliseconds of a turn, with the seconds that were added to it. */
export const turnSpan = (part: Part, turn: number): number =>
  pieceStart(part, (turn + 1) * piecesOfTurn(part)) - pieceStart(part, turn * piecesOfTurn(part));

/** The current turn of a running or paused per-participant part (T-15), and its remaining time; else null. */
export function turnAt(
  part: Part,
  now: Instant,
): { username: string; index: number; remaining: Millis } | null {
  if (part.state !== "running" && part.state !== "paused") return null;
  const elapsed = Math.max(0, elapsedOf(part, now));
  const piece = pieceAt(part, elapsed);
  if (!piece) return null;
  const index = Math.floor(piece.index / piecesOfTurn(part));
  const username = part.turns[index];
  const end = pieceStart(part, (index + 1) * piecesOfTurn(part));
  return username === undefined ? null : { username, index, remaining: millis(end - elapsed) };
}
