// Computes the target of a drag. Pure.
import { findPlace, type Schedule } from "~/domain/schedule/shape";

/** The id of the area that accepts a part after the last part of a group. */
export const groupEndId = (groupId: string): string => `${groupId}:end`;

export type DropTarget = { groupId: string; index: number };

/**
 * The position of part `partId` when dropped over `overId`: a part, or the end of a group. The index does not count the
 * dropped part.
 */
export function partTarget(schedule: Schedule, partId: string, overId: string): DropTarget | null {
  const fromPlace = findPlace(schedule, partId);
  if (!fromPlace) return null;
  const overPlace = findPlace(schedule, overId);
  if (overPlace) return { groupId: overPlace.group.id, index: overPlace.index };
  const group = schedule.groups.find(({ id }) => groupEndId(id) === overId);
  if (!group) return null;
  const length = group.parts.filter((part) => part.id !== partId).length;
  return { groupId: group.id, index: length };
}

export const isSamePlace = (schedule: Schedule, partId: string, target: DropTarget): boolean => {
  const from = findPlace(schedule, partId);
  return from?.group.id === target.groupId && from.index === target.index;
};
