// The kinds of parts, each with its rules. Screens add the face and the cues of each kind in components/room.

import { type Instant, plusMillis, SECOND, type Seconds, seconds } from "~/domain/time";
import { hasBegun, type Part, type PartFlags } from "./shape";
import { type IntervalReading, partIntervalAt, turnAt } from "./timer-pieces";

/**
 * Maximum turns of all running parts together. Each is a name of at most 30 characters; they fit into the row beside a
 * plan.
 */
export const MAX_TURNS = 10_000;

type KindRules = {
  /** A part is of the first kind that fits. */
  fits(part: PartFlags & Pick<Part, "intervals">): boolean;
  /** The seconds from start to end (T-08). */
  span(part: Part, rosterSize: number): Seconds;
  /** Each participant has a turn, so that the plan depends on the whole roster. */
  hasTurns: boolean;
  /** How many turns of its duration it is planned for; 1 without turns. */
  plannedTurns(rosterSize: number): number;
  /** The turns of a part that starts now (T-15). */
  turns(roster: readonly string[]): string[];
  /** The interval at `elapsed` milliseconds; -1 at rest (T-14). */
  reading(part: Part, elapsed: number): IntervalReading;
  /** The next change inside a running part that the server announces. Screens count intervals themselves. */
  nextChangeAt(part: Part, now: Instant): Instant | null;
  /** R-61: an added minute lengthens the current piece, an interval or a turn; otherwise the part's duration. */
  hasPieces: boolean;
  /** The label of its duration, and its words in the editor and in the list of a session. */
  durationLabel: string;
  badges(part: Part): string[];
  summary(part: Part): string[];
};

const plain: KindRules = {
  fits: () => true,
  span: (part) => part.duration,
  hasTurns: false,
  plannedTurns: () => 1,
  turns: () => [],
  reading: (part) => ({ set: 1, setsRemaining: part.sets, intervalIndex: null, intervalRemaining: null }),
  nextChangeAt: () => null,
  hasPieces: false,
  durationLabel: "Duration",
  badges: () => [],
  summary: () => [],
};

/** The seconds between the dates of a part that has begun, with all that was added; to the millisecond until its end. */
function datedSpan({ state, startedAt, endedAt }: Part): Seconds | null {
  if (state === "waiting" || startedAt === null || endedAt === null) return null;
  const span = (endedAt - startedAt) / SECOND;
  return seconds(state === "finished" ? Math.round(span) : span);
}

const intervals: KindRules = {
  ...plain,
  fits: (part) => part.intervals.length > 0,
  span: (part) => datedSpan(part) ?? part.duration,
  reading: partIntervalAt,
  hasPieces: true,
  badges: (part) => [`${part.intervals.length} × ${part.sets}`],
  summary: ({ intervals: { length }, sets }) => [
    `${length} ${length === 1 ? "interval" : "intervals"}${sets > 1 ? `, ${sets} sets` : ""}`,
  ],
};

/** Turns may contain intervals, which restart in each turn. */
const turns: KindRules = {
  fits: (part) => part.isPerParticipant === true,
  // A running part counts its own turns.
  span: (part, rosterSize) =>
    datedSpan(part) ??
    seconds(part.duration * turns.plannedTurns(hasBegun(part) ? part.turns.length : rosterSize)),
  hasTurns: true,
  plannedTurns: (rosterSize) => Math.max(1, rosterSize),
  turns: (roster) => roster.slice(0, MAX_TURNS),
  reading: (part, elapsed) =>
    intervals.fits(part) ? partIntervalAt(part, elapsed) : plain.reading(part, elapsed),
  hasPieces: true,
  nextChangeAt: (part, now) => {
    const turn = turnAt(part, now);
    return turn && plusMillis(now, turn.remaining);
  },
  durationLabel: "Duration of each turn",
  badges: (part) => [...(intervals.fits(part) ? intervals.badges(part) : []), "Turns"],
  summary: (part) => [...(intervals.fits(part) ? intervals.summary(part) : []), "a turn for each"],
};

/** The kinds in order of precedence. */
export const PART_KINDS = { turns, intervals, plain } satisfies Record<string, KindRules>;
export type PartKind = keyof typeof PART_KINDS;
const NAMES = Object.keys(PART_KINDS) as PartKind[];

/** The kind of a part. It follows from the fields, so that every stored plan has one. */
export const kindOf = (part: PartFlags & Pick<Part, "intervals">): PartKind =>
  NAMES.find((kind) => PART_KINDS[kind].fits(part)) ?? "plain";

export const hasTurns = (part: PartFlags & Pick<Part, "intervals">): boolean =>
  PART_KINDS[kindOf(part)].hasTurns;

/** T-08: how long a part lasts, in seconds. */
export const partSpan = (part: Part, rosterSize: number): Seconds =>
  PART_KINDS[kindOf(part)].span(part, rosterSize);
