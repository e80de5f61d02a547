// The kinds of parts, each with its rules. Screens add the face and the cues of each kind in components/room.
import { hasBegun, type Part, type PartFlags } from "./schedule-shape";
import { type Instant, plusMillis, SECOND, type Seconds, seconds } from "./time";
import { type IntervalReading, intervalAt, turnAt } from "./timer-pieces";

/**
 * Maximum turns of all running parts together. Each is a name of at most 30 characters; they fit into the row beside a
 * plan.
 */
export const MOST_TURNS = 10_000;

type KindRules = {
  /** A part is of the first kind that fits. */
  fits(part: PartFlags & Pick<Part, "intervals">): boolean;
  /** T-08: the seconds from start to end. */
  span(part: Part, rosterSize: number): Seconds;
  /** The turns of a part that starts now (T-15). */
  turns(roster: readonly string[]): string[];
  /** The interval at `elapsed` milliseconds; -1 at rest (T-14). */
  reading(part: Part, elapsed: number): IntervalReading;
  /** The next change inside a running part that the server announces. Screens count intervals themselves. */
  nextChangeAt(part: Part, now: Instant): Instant | null;
  /** R-29: the piece that an added minute lengthens; null if it rewinds the part instead. */
  stretched(part: Part, now: Instant, remaining: number): { index: number; remaining: number } | null;
  /** The label of its duration, and its words in the editor and in the list of a session. */
  durationLabel: string;
  badges(part: Part): string[];
  summary(part: Part): string[];
};

const whole: KindRules = {
  fits: () => true,
  span: (part) => part.duration,
  turns: () => [],
  reading: (part) => ({ set: 1, setsRemaining: part.sets, intervalIndex: null, intervalRemaining: null }),
  nextChangeAt: () => null,
  stretched: (_part, _now, remaining) => ({ index: 0, remaining }),
  durationLabel: "Duration",
  badges: () => [],
  summary: () => [],
};

const intervals: KindRules = {
  ...whole,
  fits: (part) => part.intervals.length > 0,
  reading: (part, elapsed) => intervalAt(part.intervals, part.sets, elapsed),
  stretched: () => null,
  badges: (part) => [`${part.intervals.length} × ${part.sets}`],
  summary: ({ intervals: { length }, sets }) => [
    `${length} ${length === 1 ? "interval" : "intervals"}${sets > 1 ? `, ${sets} sets` : ""}`,
  ],
};

/** Turns may contain intervals, which restart in each turn. */
const turns: KindRules = {
  fits: (part) => part.isPerParticipant === true,
  // A running part counts its own turns; a finished part has dates.
  span: (part, rosterSize) =>
    part.state === "finished" && part.startedAt !== null && part.endedAt !== null
      ? seconds(Math.round((part.endedAt - part.startedAt) / SECOND))
      : seconds(part.duration * Math.max(1, hasBegun(part) ? part.turns.length : rosterSize)),
  turns: (roster) => roster.slice(0, MOST_TURNS),
  reading: (part, elapsed) => {
    const turn = part.duration * SECOND;
    return intervalAt(part.intervals, part.sets, turn > 0 && elapsed >= 0 ? elapsed % turn : elapsed);
  },
  nextChangeAt: (part, now) => {
    const turn = turnAt(part, now);
    return turn && plusMillis(now, turn.remaining);
  },
  stretched: (part, now, remaining) =>
    intervals.fits(part) ? null : (turnAt(part, now) ?? { index: 0, remaining }),
  durationLabel: "Duration of each turn",
  badges: (part) => [...(intervals.fits(part) ? intervals.badges(part) : []), "Turns"],
  summary: (part) => [...(intervals.fits(part) ? intervals.summary(part) : []), "a turn for each"],
};

/** In order of precedence. */
export const PART_KINDS = { turns, intervals, plain: whole } satisfies Record<string, KindRules>;
export type PartKind = keyof typeof PART_KINDS;
const NAMES = Object.keys(PART_KINDS) as PartKind[];

/** The kind of a part. It follows from the fields, so that every stored plan has one. */
export const kindOf = (part: PartFlags & Pick<Part, "intervals">): PartKind =>
  NAMES.find((kind) => PART_KINDS[kind].fits(part)) ?? "plain";

/** T-08: how long a part lasts, in seconds. */
export const partSpan = (part: Part, rosterSize: number): Seconds =>
  PART_KINDS[kindOf(part)].span(part, rosterSize);
