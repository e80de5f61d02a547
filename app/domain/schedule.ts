// A session's schedule as a value: part groups, their parts, and the rules by which dates move (rulings 7).
// Pure: takes `now` and the roster, returns a new schedule.
import type { Instant, Seconds } from "./time";

export const TIME_FROM = [0, 300, 1800, 3600, 86_400] as const;
export type TimeFrom = (typeof TIME_FROM)[number];
export const START_OF = ["after-previous-ends", "before-previous-ends", "after-previous-starts"] as const;
export type StartOf = (typeof START_OF)[number];

/** One stretch of an interval timer. */
export type Interval = { id: string; title: string; duration: Seconds };

/** A timed stretch of a session. With intervals it is an interval timer: they run in order, `sets` times. */
export type Part = {
  id: string;
  title: string;
  /** Planned span; for an interval timer the sum of its intervals times sets (T-14). */
  duration: Seconds;
  isCustomDuration: boolean;
  intervals: Interval[];
  sets: number;
  /** Each participant has the turn for `duration` (T-15). */
  isPerParticipant: boolean;
  mayEditPrompt: boolean;
  mayEditContent: boolean;
  mayEditSummary: boolean;
  /** null: the start is absolute (`startedAt`). */
  relativeStart: { startOf: StartOf; timeFrom: TimeFrom } | null;
  /** Planned until the part runs, then actual. */
  startedAt: Instant | null;
  endedAt: Instant | null;
  pausedAt: Instant | null;
  state: "waiting" | "running" | "paused" | "finished";
  /** Where the plan put the start when the session began: ahead/behind is measured against it. */
  plannedStartAt: Instant | null;
  /** A per-participant part that runs: user ids in the order of their turns. */
  turns: string[];
};

export type PartGroup = {
  id: string;
  /** timed parts, or goals (which live as goals and only name the group). */
  type: "event" | "task";
  isLinked: boolean;
  isHidden: boolean;
  isAutoStart: boolean;
  sets: number;
  parts: Part[];
};

export type Schedule = { groups: PartGroup[] };
