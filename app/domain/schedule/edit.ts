// The host's edits of single parts. Each returns the whole schedule with recomputed dates (T-05, T-06), or a refusal.

import { type Instant, MINUTE, SECOND, seconds } from "~/domain/time";
import { kindOf, PART_KINDS } from "./part-kinds";
import { type Plan, placeDates } from "./plan";
import type { ScheduleCode } from "./sentences";
import {
  AFTER_PREVIOUS,
  accept,
  deriveId,
  type Edit,
  findPlace,
  hasBegun,
  type Interval,
  intervalsDuration,
  type KIND_FLAGS,
  NO_RUN,
  type Part,
  type PartPlace,
  partPlaces,
  type RelativeStart,
  refuse,
  type Schedule,
  type TEXT_FLAGS,
  withGroup,
  withPart,
} from "./shape";

/** The schedule with its dates computed. */
export const settle = (schedule: Schedule, plan: Plan): Edit => accept(placeDates(schedule, plan));

/** Changes a part that has not begun. */
function editWaiting(
  schedule: Schedule,
  partId: string,
  plan: Plan,
  change: (place: PartPlace) => Partial<Part> | { refused: ScheduleCode; number?: number },
): Edit {
  const place = findPlace(schedule, partId);
  if (!place) return refuse("no-part");
  if (hasBegun(place.part)) return refuse("part-begun");
  const changed = change(place);
  if ("refused" in changed) return refuse(changed.refused, changed.number);
  const plannedDuration = "duration" in changed ? undefined : place.part.plannedDuration;
  return settle(withPart(schedule, partId, { ...changed, plannedDuration }), plan);
}

/** The duration that makes a part end at `end`, or a refusal. */
function durationUntil(
  part: Part,
  end: Instant,
  rosterSize: number,
): { duration: Part["duration"] } | { refused: ScheduleCode } {
  if (part.startedAt === null) return { refused: "no-part-start" };
  if (part.intervals.length > 0) return { refused: "interval-duration" };
  const turns = PART_KINDS[kindOf(part)].plannedTurns(rosterSize);
  const duration = Math.round((end - part.startedAt) / SECOND / turns);
  if (duration < 0) return { refused: "ends-before-start" };
  return duration === 0 ? { refused: "no-duration" } : { duration: seconds(duration) };
}

/**
 * Sets a part's start (T-05). Inside a linked group the previous part then ends there (its duration changes), and every
 * later part moves along. A start before the end of the parts before it is refused, unless it may be put off.
 */
export function setPartStart(
  schedule: Schedule,
  partId: string,
  at: Instant,
  plan: Plan,
  mayBePutOff = false,
): Edit {
  const place = findPlace(schedule, partId);
  const previousPart = place?.group.isLinked ? place.group.parts[place.index - 1] : undefined;
  if (!previousPart) {
    const dated = editWaiting(schedule, partId, plan, ({ part }) => ({
      startedAt: at,
      relativeStart: null,
      isUndated: undefined,
      plannedStartAt: part.plannedStartAt === null ? null : at,
    }));
    const placed = dated.ok && findPlace(dated.schedule, partId);
    return placed && !mayBePutOff && isPutOff(placed.part, at) ? refuse("overlap", placed.number) : dated;
  }
  const dated = setPartEnd(schedule, previousPart.id, at, plan);
  return dated.ok ? editWaiting(dated.schedule, partId, plan, () => ({ isUndated: undefined })) : dated;
}

/** True if the layout of a run puts the part a minute or more after `at`; dates are typed in minutes. */
export const isPutOff = ({ startedAt }: Part, at: Instant): boolean =>
  startedAt !== null && startedAt - at >= MINUTE;

/** A date between the planned start and the present one may come from a client that read it earlier in the run. */
export const isNewDate = ({ relativeStart, startedAt, plannedStartAt }: Part, at: Instant): boolean =>
  relativeStart === null && (startedAt === null || at > startedAt || at < (plannedStartAt ?? startedAt));

/** Sets a part's end, and thereby its duration (T-05), or that of each turn in a per-participant part. */
export const setPartEnd = (schedule: Schedule, partId: string, at: Instant, plan: Plan): Edit =>
  editWaiting(schedule, partId, plan, ({ part }) => durationUntil(part, at, plan.rosterSize));

/** Sets a part's duration in seconds; later linked parts move (T-05). 0 is allowed only without dates (V-22). */
export const setPartDuration = (schedule: Schedule, partId: string, duration: number, plan: Plan): Edit =>
  editWaiting(schedule, partId, plan, ({ part }) => {
    if (part.intervals.length > 0) return { refused: "interval-duration" };
    if (!Number.isInteger(duration) || duration < 0) return { refused: "not-whole-duration" };
    if (duration === 0 && part.startedAt !== null) return { refused: "no-duration" };
    return { duration: seconds(duration) };
  });

/** Clears a part's date, and the dates of all later parts (T-06). */
export function clearPartStart(schedule: Schedule, partId: string, plan: Plan): Edit {
  const place = findPlace(schedule, partId);
  if (!place) return refuse("no-part");
  if (hasBegun(place.part)) return refuse("part-begun");
  const laterIds = new Set(
    partPlaces(schedule)
      .filter(({ number, part }) => number > place.number && part.relativeStart === null && !hasBegun(part))
      .map(({ part }) => part.id),
  );
  const clearedSchedule: Schedule = {
    groups: schedule.groups.map((group) => ({
      ...group,
      parts: group.parts.map((part) => {
        if (part.id === partId) return { ...part, isUndated: true, relativeStart: null, startedAt: null };
        return laterIds.has(part.id) ? { ...part, startedAt: null, plannedStartAt: null } : part;
      }),
    })),
  };
  return settle(clearedSchedule, plan);
}

/** Sets the reference of a part's start (T-02); null makes its present date absolute. */
export const setRelativeStart = (
  schedule: Schedule,
  partId: string,
  relativeStart: RelativeStart | null,
  plan: Plan,
): Edit =>
  editWaiting(schedule, partId, plan, ({ group, index, number }) => {
    if (group.isLinked && relativeStart?.startOf === "before-previous-ends")
      return { refused: "linked-before", number };
    const isAtOnce =
      relativeStart === null ||
      (relativeStart.startOf === "after-previous-ends" && relativeStart.timeFrom === 0);
    if (group.isLinked && index > 0 && !isAtOnce) return { refused: "linked-start" };
    return { relativeStart, isUndated: undefined };
  });

/** Makes a part an interval timer of `intervals` × `sets`, or a plain timer if there are none (T-14). */
export const setIntervals = (
  schedule: Schedule,
  partId: string,
  intervals: Interval[],
  sets: number,
  plan: Plan,
): Edit =>
  editWaiting(schedule, partId, plan, ({ part }) => {
    const duration = intervals.length > 0 ? intervalsDuration(intervals, sets) : part.duration;
    if (duration === 0 && part.startedAt !== null) return { refused: "no-duration" };
    return { intervals, sets, duration };
  });

export type PartTexts = Partial<Pick<Part, "title" | (typeof TEXT_FLAGS)[number]>>;
/** The flags that decide a part's kind. */
export type KindFlags = Partial<Pick<Part, (typeof KIND_FLAGS)[number]>>;

/** Changes fields that affect no dates; allowed at any time. */
export function describePart(schedule: Schedule, partId: string, change: PartTexts): Edit {
  return findPlace(schedule, partId) ? accept(withPart(schedule, partId, change)) : refuse("no-part");
}

/** Changes the kind of a part, for example to a turn for each participant (T-15), and recomputes the dates. */
export const setKind = (schedule: Schedule, partId: string, flags: KindFlags, plan: Plan): Edit =>
  editWaiting(schedule, partId, plan, () => flags);

/** Inserts a part into a group, at the end or at `index` (from 0). */
export function addPart(schedule: Schedule, groupId: string, part: Part, plan: Plan, index?: number): Edit {
  const group = schedule.groups.find((candidate) => candidate.id === groupId);
  if (!group) return refuse("no-group");
  if (findPlace(schedule, part.id)) return refuse("same-part");
  const parts = group.parts.toSpliced(index ?? group.parts.length, 0, part);
  return settleInOrder(keepGroupStarts(schedule, withGroup(schedule, groupId, { parts })), [part.id], plan);
}

/** Removes a part, and an emptied group (U-47). */
export function removePart(schedule: Schedule, partId: string, plan: Plan): Edit {
  const place = findPlace(schedule, partId);
  if (!place) return refuse("no-part");
  if (place.part.state === "running" || place.part.state === "paused") return refuse("part-running");
  const parts = place.group.parts.filter((part) => part.id !== partId);
  if (parts.length > 0)
    return settle(keepGroupStarts(schedule, withGroup(schedule, place.group.id, { parts })), plan);
  return settle({ groups: schedule.groups.filter((group) => group.id !== place.group.id) }, plan);
}

/** A copy of a part as planned, waiting. Intervals get new ids; an absolute date becomes "right after". */
export const copyPart = (part: Part, id: string): Part => ({
  ...part,
  id,
  duration: part.plannedDuration ?? part.duration,
  plannedDuration: undefined,
  ...NO_RUN,
  intervals: part.intervals.map((interval, i) => ({ ...interval, id: deriveId(id, i + 1) })),
  relativeStart: part.relativeStart ?? AFTER_PREVIOUS,
  isHeld: undefined,
  isUndated: undefined,
  startedAt: null,
  begunAt: undefined,
  endedAt: null,
  pausedAt: null,
  state: "waiting",
  plannedStartAt: null,
});

/** Inserts a copy right after the part. */
export function duplicatePart(schedule: Schedule, partId: string, newId: string, plan: Plan): Edit {
  const place = findPlace(schedule, partId);
  if (!place) return refuse("no-part");
  return addPart(schedule, place.group.id, copyPart(place.part, newId), plan, place.index + 1);
}

/** Moves a part to `index` (from 0) of its own or another group. */
export function movePart(
  schedule: Schedule,
  partId: string,
  toGroupId: string,
  index: number,
  plan: Plan,
): Edit {
  const group = schedule.groups.find((candidate) => candidate.id === toGroupId);
  if (!group) return refuse("no-group");
  const ids = group.parts.map((part) => part.id).filter((id) => id !== partId);
  return reorderParts(schedule, toGroupId, ids.toSpliced(index, 0, partId), plan);
}

/** Reorders a group's parts (U-47). Named parts of other groups move in; own parts that are not named stay last. */
export function reorderParts(schedule: Schedule, groupId: string, partIds: string[], plan: Plan): Edit {
  const group = schedule.groups.find((candidate) => candidate.id === groupId);
  if (!group) return refuse("no-group");
  const partIdSet = new Set(partIds);
  const places = [...partIdSet].map((id) => findPlace(schedule, id));
  const movedPlaces = places.flatMap((place) => place ?? []);
  if (movedPlaces.length < partIdSet.size) return refuse("no-part");
  const parts = [
    ...movedPlaces.map(({ part }) => part),
    ...group.parts.filter((part) => !partIdSet.has(part.id)),
  ];
  const reordered: Schedule = {
    groups: schedule.groups.map((other) =>
      other.id === groupId
        ? { ...other, parts }
        : { ...other, parts: other.parts.filter((part) => !partIdSet.has(part.id)) },
    ),
  };
  return settleInOrder(keepGroupStarts(schedule, reordered), [...partIdSet], plan);
}

const startRule = ({ relativeStart, startedAt, isUndated, plannedStartAt }: Part): Partial<Part> => ({
  relativeStart,
  startedAt,
  isUndated,
  plannedStartAt,
});

/** A linked group keeps its start when another part comes first: the two exchange their start rules. */
function keepGroupStarts(before: Schedule, after: Schedule): Schedule {
  const firsts = new Map(before.groups.map((group) => [group.id, group.parts[0]]));
  return {
    groups: after.groups.map((group) => {
      const firstBefore = firsts.get(group.id);
      const firstAfter = group.parts[0];
      if (
        !group.isLinked ||
        !firstBefore ||
        !firstAfter ||
        firstBefore.id === firstAfter.id ||
        hasBegun(firstBefore) ||
        hasBegun(firstAfter)
      )
        return group;
      const parts = group.parts.map((part) => {
        if (part.id === firstAfter.id) return { ...part, ...startRule(firstBefore) };
        return part.id === firstBefore.id ? { ...part, ...startRule(firstAfter) } : part;
      });
      return { ...group, parts };
    }),
  };
}

/** Computes the dates, unless a part of `movedIds` would wait before a part that has begun. */
export function settleInOrder(schedule: Schedule, movedIds: string[], plan: Plan): Edit {
  const places = partPlaces(schedule);
  const lastBegun = places.findLastIndex(({ part }) => hasBegun(part));
  const movedIdSet = new Set(movedIds);
  const isMisplaced = places.some(
    ({ part }, order) => order < lastBegun && movedIdSet.has(part.id) && !hasBegun(part),
  );
  return isMisplaced ? refuse("before-begun") : settle(schedule, plan);
}
