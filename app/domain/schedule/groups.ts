// The host's edits of part groups: add, remove, copy, move, link, repeat; and replacing the whole schedule.
import { plusSeconds } from "~/domain/time";
import { copyPart, isNewDate, isPutOff, settle, settleInOrder } from "./edit";
import { type Plan, placeDates } from "./plan";
import { foldGroup, foldSets, unrollSets } from "./sets";
import {
  accept,
  type Edit,
  findPlace,
  hasBegun,
  mapParts,
  NO_RUN,
  type Part,
  type PartGroup,
  partPlaces,
  partsInOrder,
  pickFlags,
  refuse,
  type Schedule,
  TEXT_FLAGS,
  withGroup,
} from "./shape";

const findGroup = (schedule: Schedule, groupId: string): PartGroup | undefined =>
  schedule.groups.find((group) => group.id === groupId);

/** Inserts a group at the end or at `index` (from 0). */
export function addGroup(schedule: Schedule, group: PartGroup, plan: Plan, index?: number): Edit {
  if (findGroup(schedule, group.id)) return refuse("same-group");
  const groups = schedule.groups.toSpliced(index ?? schedule.groups.length, 0, group);
  return settleInOrder(
    { groups },
    group.parts.map((part) => part.id),
    plan,
  );
}

export function removeGroup(schedule: Schedule, groupId: string, plan: Plan): Edit {
  const group = findGroup(schedule, groupId);
  if (!group) return refuse("no-group");
  if (group.parts.some((part) => part.state === "running" || part.state === "paused"))
    return refuse("group-running");
  return settle({ groups: schedule.groups.filter((candidate) => candidate.id !== groupId) }, plan);
}

/** Inserts a copy right after the group. `makeId` creates an id for the new group and each new part. */
export function duplicateGroup(schedule: Schedule, groupId: string, makeId: () => string, plan: Plan): Edit {
  const index = schedule.groups.findIndex((group) => group.id === groupId);
  const group = schedule.groups[index];
  if (!group) return refuse("no-group");
  const folded = foldGroup(group);
  const groupCopy = { ...folded, id: makeId(), parts: folded.parts.map((part) => copyPart(part, makeId())) };
  return addGroup(schedule, groupCopy, plan, index + 1);
}

/** Moves a group to `index` (from 0, counted without it). */
export function moveGroup(schedule: Schedule, groupId: string, index: number, plan: Plan): Edit {
  const group = findGroup(schedule, groupId);
  if (!group) return refuse("no-group");
  const groups = schedule.groups.filter((candidate) => candidate.id !== groupId).toSpliced(index, 0, group);
  return settleInOrder(
    { groups },
    group.parts.map((part) => part.id),
    plan,
  );
}

/** Links a group's parts, so that each starts when the previous one ends (T-05, T-07), or unlinks them. */
export function setLinked(schedule: Schedule, groupId: string, isLinked: boolean, plan: Plan): Edit {
  const group = findGroup(schedule, groupId);
  if (!group) return refuse("no-group");
  const overlappingPart = group.parts.find((part) => part.relativeStart?.startOf === "before-previous-ends");
  const number = overlappingPart && findPlace(schedule, overlappingPart.id)?.number;
  if (isLinked && number) return refuse("linked-before", number);
  return settle(withGroup(schedule, groupId, { isLinked }), plan);
}

/** Sets the number of repeats. Once a group has started, its repeats are ordinary parts. */
export function setGroupSets(schedule: Schedule, groupId: string, sets: number, plan: Plan): Edit {
  const group = findGroup(schedule, groupId);
  if (!group) return refuse("no-group");
  if (!Number.isInteger(sets) || sets < 1) return refuse("no-sets");
  if (group.parts.some((part) => part.plannedStartAt !== null)) return refuse("group-begun");
  return settle(withGroup(schedule, groupId, { sets }), plan);
}

/** Sets auto-start (T-11) and visibility. */
export function describeGroup(
  schedule: Schedule,
  groupId: string,
  change: Partial<Pick<PartGroup, "isAutoStart" | "isHidden">>,
): Edit {
  return findGroup(schedule, groupId) ? accept(withGroup(schedule, groupId, change)) : refuse("no-group");
}

/** The schedule as before any start: no dates, nothing begun, repeats collapsed. */
const resetSchedule = (schedule: Schedule): Schedule =>
  mapParts(foldSets(schedule), (part) => ({ ...copyPart(part, part.id), intervals: part.intervals }));

const hasNoDate = ({ isUndated, relativeStart, startedAt }: Part): boolean =>
  isUndated === true || (relativeStart === null && startedAt === null);

/**
 * A plan as before any start of another date: a part with a date of its own comes right after the one before, the others
 * keep their rule, or none (T-06).
 */
export function asOnOtherDates(schedule: Schedule): Schedule {
  const undatedParts = new Map(
    partsInOrder(schedule)
      .filter(hasNoDate)
      .map((part) => [part.id, part]),
  );
  return mapParts(resetSchedule(schedule), (part) => {
    const old = undatedParts.get(part.id);
    return old ? { ...part, relativeStart: old.relativeStart, isUndated: old.isUndated || undefined } : part;
  });
}

/** The fields of a session with their plan as on another date, so that each date of a series counts from its own. */
export const withoutDates = <T extends { schedule?: Schedule | undefined }>(fields: T): T =>
  fields.schedule === undefined ? fields : { ...fields, schedule: asOnOtherDates(fields.schedule) };

/** A plan as one that has not begun, because a client cannot claim a run. */
export const withoutRunState = ({ groups }: Schedule): Schedule => ({
  groups: groups.map((group) => ({
    ...group,
    isUnrolled: undefined,
    parts: group.parts.map((part) => ({
      ...part,
      state: "waiting" as const,
      pausedAt: null,
      plannedStartAt: null,
      isHeld: undefined,
      ...NO_RUN,
      added: part.added,
    })),
  })),
});

/**
 * Replaces the whole schedule. Parts that have begun keep their times and their place, regardless of the new one. A
 * running part cannot be removed, and no waiting part may come before one that has begun.
 */
export function replaceSchedule(current: Schedule, next: Schedule, plan: Plan): Edit {
  const isRunning = partsInOrder(current).some((part) => part.plannedStartAt !== null || hasBegun(part));
  const partById = new Map(partsInOrder(current).map((part) => [part.id, part]));
  const markedGroups = next.groups.map((group) => ({
    ...group,
    isUnrolled: findGroup(current, group.id)?.isUnrolled,
  }));
  const marked = { groups: markedGroups };
  const writtenSchedule = isRunning ? unrollSets(marked, placeDates(marked, plan)) : marked;
  const mergedSchedule = mapParts(writtenSchedule, (part) => {
    const old = partById.get(part.id);
    if (!old)
      return {
        ...part,
        state: "waiting",
        pausedAt: null,
        plannedStartAt: null,
        isHeld: undefined,
        begunAt: undefined,
        ...NO_RUN,
      };
    if (hasBegun(old)) return { ...old, title: part.title, ...pickFlags(TEXT_FLAGS, part) };
    const isDated = part.relativeStart === null && part.startedAt !== old.startedAt;
    return {
      ...part,
      state: "waiting",
      pausedAt: null,
      isHeld: old.isHeld,
      begunAt: undefined,
      ...NO_RUN,
      plannedStartAt: isRunning && isDated ? part.startedAt : old.plannedStartAt,
    };
  });
  const remaining = new Set(partsInOrder(mergedSchedule).map((part) => part.id));
  const isLost = partsInOrder(current).some(
    (part) => (part.state === "running" || part.state === "paused") && !remaining.has(part.id),
  );
  if (isLost) return refuse("running-removed");
  const skippedBefore = new Set(waitingBeforeBegun(current));
  const movedIds = [...remaining].filter((id) => !skippedBefore.has(id));
  const settled = settleInOrder(mergedSchedule, movedIds, plan);
  return settled.ok ? (refuseUnkept(current, mergedSchedule, plan) ?? settled) : settled;
}

/** The refusal of the first waiting part that is new or planned otherwise, and cannot be kept so (T-07, V-22 to V-25). */
function refuseUnkept(current: Schedule, next: Schedule, plan: Plan): Edit | null {
  // A part with a planned start is put off until those before it have ended.
  const held = mapParts(next, (part) =>
    hasBegun(part)
      ? part
      : {
          ...part,
          plannedStartAt:
            part.plannedStartAt ?? (part.relativeStart === null ? part.startedAt : plan.sessionStart),
        },
  );
  const asked = partsInOrder(next);
  const placed = partPlaces(placeDates(held, plan));
  for (const [order, { part, group, index, number }] of placed.entries()) {
    if (hasBegun(part)) continue;
    const old = findPlace(current, part.id);
    const isNewRule = !old || JSON.stringify(old.part.relativeStart) !== JSON.stringify(part.relativeStart);
    const startOf = part.relativeStart?.startOf;
    if (group.isLinked && startOf === "before-previous-ends" && (isNewRule || !old.group.isLinked))
      return refuse("linked-before", number);
    if (part.startedAt === null) continue;
    if (part.duration === 0 && !(old?.part.duration === 0 && old.part.startedAt !== null))
      return refuse("no-duration", number);
    if (group.isLinked && index > 0) continue;
    const previous = placed[order - 1]?.part.startedAt ?? null;
    const at =
      part.relativeStart === null
        ? (asked[order]?.startedAt ?? null)
        : startOf === "after-previous-starts" && previous !== null
          ? plusSeconds(previous, part.relativeStart.timeFrom)
          : null;
    if (at === null || !(isNewRule || isNewDate(old.part, at))) continue;
    if (plan.sessionStart !== null && at < plan.sessionStart) return refuse("before-session", number);
    if (isPutOff(part, at)) return refuse("overlap", number);
  }
  return null;
}

/** Parts that the host skipped: they wait although a later one has begun. */
function waitingBeforeBegun(schedule: Schedule): string[] {
  const places = partPlaces(schedule);
  const lastBegun = places.findLastIndex(({ part }) => hasBegun(part));
  return places.flatMap(({ part }, order) => (order < lastBegun && !hasBegun(part) ? part.id : []));
}
