// The reading of a timer at an instant: elapsed, remaining, interval, turn. Pauses count, and nothing is stored.
import { type Interval, kindOf, type Part } from "./schedule-shape";
import { between, type Instant, type Millis, millis, SECOND } from "./time";

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

export type TimerReading = IntervalReading & {
  elapsed: Millis;
  remaining: Millis;
  /** Elapsed from 0 to 1. */
  fraction: number;
  interval: Interval | null;
  /** Before its start or at its end. */
  isAtRest: boolean;
};

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), Math.max(most, 0));

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

/** The reading of a part's timer at `now` (T-12, T-14). A per-participant part restarts its intervals in each turn. */
export function timerAt(part: Part, now: Instant): TimerReading {
  const span =
    part.startedAt === null || part.endedAt === null
      ? part.duration * SECOND
      : between(part.startedAt, part.endedAt);
  const elapsed = millis(clamp(elapsedOf(part, now), span));
  const isAtRest = part.state === "waiting" || part.state === "finished" || elapsed >= span;
  const reading = readIntervals(part, isAtRest ? -1 : elapsed);
  return {
    ...reading,
    elapsed,
    remaining: part.state === "finished" ? millis(0) : millis(span - elapsed),
    fraction: part.state === "finished" || span <= 0 ? (part.state === "waiting" ? 0 : 1) : elapsed / span,
    interval: reading.intervalIndex === null ? null : (part.intervals[reading.intervalIndex] ?? null),
    isAtRest,
  };
}

/** `elapsed` of the part; -1 at rest. With turns the intervals restart in each turn. */
function readIntervals(part: Part, elapsed: number): IntervalReading {
  const kind = kindOf(part);
  switch (kind) {
    case "plain":
      return { set: 1, setsRemaining: part.sets, intervalIndex: null, intervalRemaining: null };
    case "intervals":
      return intervalAt(part.intervals, part.sets, elapsed);
    case "turns": {
      const turn = part.duration * SECOND;
      return intervalAt(part.intervals, part.sets, turn > 0 && elapsed >= 0 ? elapsed % turn : elapsed);
    }
    default:
      return kind satisfies never;
  }
}

function elapsedOf(part: Part, now: Instant): number {
  if (part.startedAt === null || part.state === "waiting") return 0;
  if (part.state === "finished") return (part.endedAt ?? part.startedAt) - part.startedAt;
  return (part.pausedAt ?? now) - part.startedAt;
}

/** The current turn of a running or paused per-participant part (T-15), and its remaining time; else null. */
export function turnAt(
  part: Part,
  now: Instant,
): { username: string; index: number; remaining: Millis } | null {
  if (kindOf(part) !== "turns" || (part.state !== "running" && part.state !== "paused")) return null;
  const turn = part.duration * SECOND;
  if (turn <= 0) return null;
  const elapsed = Math.max(0, elapsedOf(part, now));
  const index = Math.floor(elapsed / turn);
  const username = part.turns[index];
  return username === undefined ? null : { username, index, remaining: millis(turn * (index + 1) - elapsed) };
}
