// The size limit of a plan, which is one column of one row, with the names of its turns.

import { bytesOf } from "~/domain/row-size";
import { MAX_TURNS } from "./part-kinds";
import { isUnrolled, mapParts, partsInOrder, type Schedule } from "./shape";

/** UTF-8 bytes of a plan as JSON, with every repeat expanded as after its start. Turns count separately. */
export const PLAN_BYTES = 600_000;
const planBytes = (schedule: Schedule): number =>
  mapParts(schedule, (part) => ({ ...part, turns: [] })).groups.reduce(
    (sum, group) => sum + bytesOf(JSON.stringify(group)) * (isUnrolled(group) ? 1 : group.sets),
    0,
  );
export const fitsPlan = (schedule: Schedule): boolean => planBytes(schedule) <= PLAN_BYTES;

/** The number of turns that the schedule can still take; negative if it has too many. */
export const turnsLeft = (schedule: Schedule): number =>
  partsInOrder(schedule).reduce((left, part) => left - part.turns.length, MAX_TURNS);
