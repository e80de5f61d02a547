// The types of a schedule: part groups and parts, their defaults, and lookups. plan.ts computes dates,
// run.ts runs parts, input.ts parses input.
import { type Instant, type Seconds, seconds } from "~/domain/time";
import type { ScheduleCode } from "./sentences";

export const TIME_FROM = [0, 300, 1800, 3600, 86_400] as const;
export type TimeFrom = (typeof TIME_FROM)[number];
export const START_OF = ["after-previous-ends", "before-previous-ends", "after-previous-starts"] as const;
export type StartOf = (typeof START_OF)[number];

/** An interval of an interval timer. */
export type Interval = { id: string; title: string; duration: Seconds };

export type RelativeStart = { startOf: StartOf; timeFrom: TimeFrom };

/** The flags from which a part's kind follows; like its dates they change only before it begins. */
export const KIND_FLAGS = ["isPerParticipant"] as const;
/** The flags that change at any time. With `isFocus` chat rests while the part runs. */
export const TEXT_FLAGS = [
  "isCustomDuration",
  "mayEditPrompt",
  "mayEditContent",
  "mayEditSummary",
  "isFocus",
] as const;
export const PART_FLAGS = [...KIND_FLAGS, ...TEXT_FLAGS] as const;
export type PartFlag = (typeof PART_FLAGS)[number];
/** A plan stored before a flag existed lacks it, and the flag is off. */
export type PartFlags = { [Flag in PartFlag]?: boolean | undefined };

/** The flags in `names` that `flags` sets. */
export const pickFlags = <Flag extends PartFlag>(
  names: readonly Flag[],
  flags: PartFlags,
): { [Name in Flag]?: boolean } =>
  Object.fromEntries(names.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]]))) as {
    [Name in Flag]?: boolean;
  };

/**
 * Seconds that the host added to a piece of a running part (an interval or a turn), or took away if negative.
 * `at` is the index of the piece. With `isOnward` they count for that piece and for each later one.
 */
export type AddedTime = { at: number; seconds: number; isOnward?: true };

/** A timer of a session. With intervals it is an interval timer: they run in order, `sets` times. */
export type Part = PartFlags & {
  id: string;
  title: string;
  /** The planned duration; for an interval timer the sum of its intervals times sets (T-14). */
  duration: Seconds;
  /** The plan of a part whose `duration` the host changed during the run. */
  plannedDuration?: Seconds | undefined;
  /** The added times by piece, in order; timer-pieces.ts sums them. */
  added?: AddedTime[] | undefined;
  intervals: Interval[];
  sets: number;
  /** null: the start is absolute (`startedAt`). */
  relativeStart: RelativeStart | null;
  /** Its date was cleared (T-06): it has none until a date is set, linked or not. */
  isUndated?: boolean;
  /** Planned until the part starts, then actual; a pause moves it. */
  startedAt: Instant | null;
  /** The actual start, which no pause moves. */
  begunAt?: Instant | undefined;
  endedAt: Instant | null;
  pausedAt: Instant | null;
  state: "waiting" | "running" | "paused" | "finished";
  /** The host reset it: it waits for the host, even in an auto-start group. */
  isHeld?: boolean;
  /** The planned start when the session began, against which delays are measured. */
  plannedStartAt: Instant | null;
  /** In a running per-participant part: the roster's keys in the order of turns. Otherwise empty. */
  turns: string[];
  /**
   * When each turn began, in milliseconds after the part's start, up to the turn that the last pass began. Later
   * turns follow at their planned length.
   */
  turnStarts?: number[] | undefined;
  /** The keys of people who were away at their turn; each gets a second turn after the last one. */
  again?: string[] | undefined;
  /** The keys of people who were away at their second turn too. They lose their turn. */
  missed?: string[] | undefined;
};

/** The fields of a part that hold a run, in a part without one. */
export const NO_RUN = {
  added: undefined,
  turns: [] as string[],
  turnStarts: undefined,
  again: undefined,
  missed: undefined,
} satisfies Partial<Part>;

export type PartGroup = {
  id: string;
  /** timed parts, or goals, which are stored apart and refer to the group. */
  type: "event" | "task";
  isLinked: boolean;
  isHidden: boolean;
  isAutoStart: boolean;
  /** The parts run in order this many times. */
  sets: number;
  /** Since the session's start, its repeats are parts of the group (`unrollSets`). */
  isUnrolled?: boolean;
  parts: Part[];
};

export type Schedule = { groups: PartGroup[] };

/** Why a rule refuses an edit; `number`: the number of the timer that it names, from 1. */
type Refusal = { code: ScheduleCode; number?: number };
/** The result of an edit: the new schedule, or why not. */
export type Edit = { ok: true; schedule: Schedule } | ({ ok: false } & Refusal);
export const accept = (schedule: Schedule): Edit => ({ ok: true, schedule });
export const refuse = (code: ScheduleCode, number?: number): Edit => ({
  ok: false,
  code,
  ...(number === undefined ? {} : { number }),
});

/** Limits beyond any realistic use. */
export const SCHEDULE_LIMITS = {
  groups: 50,
  /** Parts of a whole schedule, repeats included. */
  parts: 500,
  intervals: 100,
  sets: 1000,
  title: 200,
  duration: 2_592_000,
  /** Changes of the pieces of a running part that are stored. */
  added: 500,
} as const;

export const NEW_PART_SECONDS = seconds(300);
export const AFTER_PREVIOUS: RelativeStart = { startOf: "after-previous-ends", timeFrom: 0 };

/** The length of an interval timer, all sets (T-14). */
export const intervalsDuration = (intervals: readonly { duration: number }[], sets: number): Seconds =>
  seconds(intervals.reduce((sum, interval) => sum + interval.duration, 0) * sets);

export const emptySchedule = (): Schedule => ({ groups: [] });

/** A part as the editor adds it: 5 minutes, right after the previous one. */
export function newPart(id: string, fields: Partial<Omit<Part, "id">> = {}): Part {
  const part: Part = {
    id,
    title: "",
    duration: NEW_PART_SECONDS,
    intervals: [],
    sets: 1,
    ...(Object.fromEntries(PART_FLAGS.map((flag) => [flag, false])) as Record<PartFlag, boolean>),
    relativeStart: fields.startedAt ? null : AFTER_PREVIOUS,
    startedAt: null,
    endedAt: null,
    pausedAt: null,
    state: "waiting",
    plannedStartAt: null,
    turns: [],
    ...fields,
  };
  return part.intervals.length > 0
    ? { ...part, duration: intervalsDuration(part.intervals, part.sets) }
    : part;
}

/** A group as the editor adds it: linked, with auto-start (K-03). */
export const newPartGroup = (id: string, fields: Partial<Omit<PartGroup, "id">> = {}): PartGroup => ({
  id,
  type: "event",
  isLinked: true,
  isHidden: false,
  isAutoStart: true,
  sets: 1,
  parts: [],
  ...fields,
});

// The id of a repeat or a copied interval: a uuid gives a uuid, and the same one each time.
const UUID = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)([0-9a-f]{12})$/i;
export function deriveId(id: string, n: number): string {
  const [, head, tail] = UUID.exec(id) ?? [];
  if (head === undefined || tail === undefined) return `${id}~${n}`;
  const derivedTail = (BigInt(`0x${tail}`) + BigInt(n) * 0x9e3779b97f4bn) & 0xffffffffffffn;
  return head + derivedTail.toString(16).padStart(12, "0");
}

/** True if every repeat of a group is among its parts. */
export const isUnrolled = (group: PartGroup): boolean => group.sets < 2 || group.isUnrolled === true;

/** A part and its position. */
export type PartPlace = { part: Part; group: PartGroup; groupIndex: number; index: number; number: number };

/** All parts of a session in order, timers numbered from 1 (T-09). */
export function partPlaces(schedule: Schedule): PartPlace[] {
  let number = 0;
  return schedule.groups.flatMap((group, groupIndex) =>
    group.type === "event"
      ? group.parts.map((part, index) => ({ part, group, groupIndex, index, number: ++number }))
      : [],
  );
}

export const partsInOrder = (schedule: Schedule): Part[] => partPlaces(schedule).map(({ part }) => part);

export const findPlace = (schedule: Schedule, partId: string): PartPlace | undefined =>
  partPlaces(schedule).find(({ part }) => part.id === partId);

export const findPart = (schedule: Schedule, partId: string): Part | undefined =>
  findPlace(schedule, partId)?.part;

/** The schedule with each part changed by `change`. */
export const mapParts = (schedule: Schedule, change: (part: Part, group: PartGroup) => Part): Schedule => ({
  groups: schedule.groups.map((group) =>
    group.type === "event" ? { ...group, parts: group.parts.map((part) => change(part, group)) } : group,
  ),
});

/** The schedule with one part changed. */
export const withPart = (schedule: Schedule, partId: string, change: Partial<Part>): Schedule =>
  mapParts(schedule, (part) => (part.id === partId ? { ...part, ...change } : part));

export const withGroup = (schedule: Schedule, groupId: string, change: Partial<PartGroup>): Schedule => ({
  groups: schedule.groups.map((group) => (group.id === groupId ? { ...group, ...change } : group)),
});

/** The actual start of a part that has begun, for ribbon and recap. */
export const actualStart = (part: Part): Instant | null => part.begunAt ?? part.startedAt;

export const hasBegun = (part: Part): boolean => part.state !== "waiting";

/** A finished part with its present end. It drops the names of its turns, which are many and unused. */
export const asFinished = (part: Part): Part => ({
  ...part,
  state: "finished",
  pausedAt: null,
  turns: [],
  turnStarts: undefined,
  again: undefined,
  missed: undefined,
});

/** New parts that follow each other by themselves. */
export const linkedParts = (parts: readonly Partial<Omit<Part, "id">>[]): Schedule => ({
  groups: [
    newPartGroup(crypto.randomUUID(), { parts: parts.map((part) => newPart(crypto.randomUUID(), part)) }),
  ],
});
