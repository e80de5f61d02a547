// The reading of a timer at an instant: elapsed, remaining, interval, turn. Pauses count, and nothing is stored.

import { type Instant, type Millis, millis, millisBetween, SECOND } from "~/domain/time";
import { kindOf, PART_KINDS } from "./part-kinds";
import type { Interval, Part } from "./shape";
import { elapsedOf, type IntervalReading } from "./timer-pieces";

export type TimerReading = IntervalReading & {
  elapsed: Millis;
  remaining: Millis;
  /** Elapsed from 0 to 1. */
  fraction: number;
  interval: Interval | null;
  /** True before the start and at the end. */
  isAtRest: boolean;
};

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), Math.max(most, 0));

/** The reading of a part's timer at `now` (T-12, T-14). A per-participant part restarts its intervals in each turn. */
export function timerAt(part: Part, now: Instant): TimerReading {
  const span =
    part.startedAt === null || part.endedAt === null
      ? part.duration * SECOND
      : millisBetween(part.startedAt, part.endedAt);
  const elapsed = millis(clamp(elapsedOf(part, now), span));
  const isAtRest = part.state === "waiting" || part.state === "finished" || elapsed >= span;
  const reading = PART_KINDS[kindOf(part)].reading(part, isAtRest ? -1 : elapsed);
  return {
    ...reading,
    elapsed,
    remaining: part.state === "finished" ? millis(0) : millis(span - elapsed),
    fraction: part.state === "finished" || span <= 0 ? (part.state === "waiting" ? 0 : 1) : elapsed / span,
    interval: reading.intervalIndex === null ? null : (part.intervals[reading.intervalIndex] ?? null),
    isAtRest,
  };
}
