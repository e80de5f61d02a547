// A schedule in the outside words: part groups with parts (E-07, E-08, R-20, R-30). The browser's room parses frames
// with these functions, so they use no schema library.
import {
  PART_FLAGS,
  type Part,
  type PartFlag,
  type PartFlags,
  type PartGroup,
  type RelativeStart,
  type Schedule,
  type StartOf,
  type TimeFrom,
} from "~/domain/schedule/shape";
import { timerAt } from "~/domain/schedule/timers";
import { type Instant, instant, isoOf, type Seconds } from "~/domain/time";

const START_OF: Record<StartOf, string> = {
  "after-previous-ends": "after_previous_ends",
  "before-previous-ends": "before_previous_ends",
  "after-previous-starts": "after_previous_starts",
};
/** S-09: the status of a running timer, and of one that waits, is paused or has ended. */
const TIMER_STATUS = { running: 1, stopped: 3 } as const;
const instantIn = (text: string | null | undefined): Instant | null =>
  text ? instant(Date.parse(text)) : null;
const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** The outside names of a part's flags. */
export const FLAG_NAMES = {
  isPerParticipant: "per_participant",
  mayEditPrompt: "edit_prompt",
  mayEditContent: "edit_content",
  mayEditSummary: "edit_summary",
  isFocus: "is_focus",
  isCustomDuration: "is_custom_duration",
} as const satisfies Record<PartFlag, string>;
export type FlagName = (typeof FLAG_NAMES)[PartFlag];

const flagsOut = (part: PartFlags) =>
  Object.fromEntries(PART_FLAGS.map((flag) => [FLAG_NAMES[flag], bit(part[flag] ?? false)])) as Record<
    FlagName,
    0 | 1
  >;
/** The flags of a message or a call by their inside names; a missing flag is undefined. */
export const flagsIn = (flags: Partial<Record<FlagName, 0 | 1 | boolean | undefined>>): PartFlags =>
  Object.fromEntries(
    PART_FLAGS.map((flag) => {
      const value = flags[FLAG_NAMES[flag]];
      return [flag, value === undefined ? undefined : Boolean(value)];
    }),
  );

type PartWire = ReturnType<typeof partOut>;
export type GroupWire = ReturnType<typeof groupOut>;

export function partOut(part: Part, group: PartGroup, order: number, now: Instant) {
  const timer = timerAt(part, now);
  return {
    uuid: part.id,
    id: part.id,
    title: part.title,
    type: group.type,
    started_at: isoOf(part.startedAt),
    begun_at: isoOf(part.begunAt ?? null),
    ended_at: isoOf(part.endedAt),
    paused_at: isoOf(part.pausedAt),
    duration: part.duration as number,
    planned_duration: (part.plannedDuration ?? part.duration) as number,
    // By piece: an interval of a set, or a turn; `all`: each later one too.
    added: (part.added ?? []).map(({ at, seconds, isOnward }) => ({
      at,
      seconds,
      all: bit(isOnward ?? false),
    })),
    ...flagsOut(part),
    relative_dates: bit(part.relativeStart !== null),
    time_from: part.relativeStart?.timeFrom ?? 0,
    start_of: part.relativeStart ? START_OF[part.relativeStart.startOf] : null,
    is_interval: bit(part.intervals.length > 0),
    timers: part.intervals.map(({ id, title, duration }) => ({
      uuid: id,
      title,
      duration: duration as number,
    })),
    sets: part.sets,
    setsRemaining: timer.setsRemaining,
    active: bit(part.state === "running"),
    status: part.state === "running" ? TIMER_STATUS.running : TIMER_STATUS.stopped,
    state: part.state,
    order,
    events_group_uuid: group.id,
    action_duration: null,
    elapsed_duration: timer.elapsed as number,
    remaining_duration: timer.remaining as number,
    planned_started_at: isoOf(part.plannedStartAt),
    is_undated: bit(part.isUndated ?? false),
    is_held: bit(part.isHeld ?? false),
    turns: part.turns,
    // Of a round that somebody passed on.
    ...(part.turnStarts ? { turn_starts: part.turnStarts } : {}),
    ...(part.again ? { again: part.again } : {}),
    ...(part.missed ? { missed: part.missed } : {}),
  };
}

export const groupOut = (group: PartGroup, now: Instant, firstOrder = 0) => ({
  uuid: group.id,
  type: group.type,
  linked: bit(group.isLinked),
  sets: group.sets,
  hidden: bit(group.isHidden),
  auto_start: bit(group.isAutoStart),
  is_unrolled: bit(group.isUnrolled ?? false),
  parts: group.parts.map((part, index) => partOut(part, group, firstOrder + index, now)),
});

/** Each group with uuid, auto_start, parts (E-06). */
export function scheduleOut(schedule: Schedule, now: Instant): GroupWire[] {
  let order = 0;
  return schedule.groups.map((group) => {
    const groupFields = groupOut(group, now, order);
    order += group.parts.length;
    return groupFields;
  });
}

const relativeIn = (part: PartWire): RelativeStart | null => {
  if (!part.relative_dates) return null;
  const startOf = (Object.keys(START_OF) as StartOf[]).find((key) => START_OF[key] === part.start_of);
  return { startOf: startOf ?? "after-previous-ends", timeFrom: part.time_from as TimeFrom };
};

/** The schedule of the domain, from the room's message. */
export const scheduleIn = (groups: GroupWire[]): Schedule => ({
  groups: groups.map((group) => ({
    id: group.uuid,
    type: group.type,
    isLinked: group.linked === 1,
    isHidden: group.hidden === 1,
    isAutoStart: group.auto_start === 1,
    sets: group.sets,
    isUnrolled: group.is_unrolled === 1,
    parts: group.parts.map((part) => ({
      id: part.uuid,
      title: part.title,
      duration: part.duration as Seconds,
      plannedDuration: part.planned_duration as Seconds,
      added: part.added.map(({ at, seconds, all }) => ({ at, seconds, ...(all ? { isOnward: true } : {}) })),
      intervals: part.timers.map((timer) => ({
        id: timer.uuid,
        title: timer.title,
        duration: timer.duration as Seconds,
      })),
      sets: part.sets,
      ...flagsIn(part),
      relativeStart: relativeIn(part),
      isUndated: part.is_undated === 1,
      startedAt: instantIn(part.started_at),
      begunAt: instantIn(part.begun_at) ?? undefined,
      endedAt: instantIn(part.ended_at),
      pausedAt: instantIn(part.paused_at),
      state: part.state,
      isHeld: part.is_held === 1,
      plannedStartAt: instantIn(part.planned_started_at),
      turns: part.turns,
      turnStarts: part.turn_starts,
      again: part.again,
      missed: part.missed,
    })),
  })),
});
