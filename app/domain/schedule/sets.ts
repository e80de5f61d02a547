// Groups with several sets: expanding the repeats into parts at the session's start, and collapsing them.

import { plusMillis } from "~/domain/time";
import { AFTER_PREVIOUS, deriveId, isUnrolled, type Part, type PartGroup, type Schedule } from "./shape";

function unrollGroup(group: PartGroup, dated: PartGroup): PartGroup {
  if (isUnrolled(group)) return group;
  const start = dated.parts[0]?.startedAt ?? null;
  const end = dated.parts.at(-1)?.endedAt ?? null;
  const span = start === null || end === null ? 0 : Math.max(0, end - start);
  const repeat = (part: Part, index: number, set: number): Part => ({
    ...part,
    id: deriveId(part.id, set),
    // A repeat starts when the previous one ends; within it all distances are those of the first.
    relativeStart: index === 0 && part.relativeStart ? AFTER_PREVIOUS : part.relativeStart,
    startedAt: part.startedAt === null ? null : plusMillis(part.startedAt, span * (set - 1)),
    endedAt: part.endedAt === null ? null : plusMillis(part.endedAt, span * (set - 1)),
  });
  const sets = Array.from({ length: group.sets }, (_, set) =>
    set === 0 ? group.parts : group.parts.map((part, index) => repeat(part, index, set + 1)),
  );
  return { ...group, isUnrolled: true, parts: sets.flat() };
}

/** A group without its repeats. */
export function foldGroup(group: PartGroup): PartGroup {
  if (!group.isUnrolled) return group;
  const repeats = new Set(
    group.parts.flatMap((part) =>
      Array.from({ length: group.sets - 1 }, (_, set) => deriveId(part.id, set + 2)),
    ),
  );
  return { ...group, isUnrolled: undefined, parts: group.parts.filter((part) => !repeats.has(part.id)) };
}

/**
 * Expands the repeats of groups with several sets into parts, with ids derived from the first set's. `dated` is the same
 * schedule with its dates, from which a set is as long as it lasts.
 */
export const unrollSets = (schedule: Schedule, dated: Schedule = schedule): Schedule => ({
  groups: schedule.groups.map((group, i) => unrollGroup(group, dated.groups[i] ?? group)),
});
/** Collapses the repeats into the first set again. */
export const foldSets = (schedule: Schedule): Schedule => ({ groups: schedule.groups.map(foldGroup) });
