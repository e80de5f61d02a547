// How many bytes a plan takes: it is one column of one row, with the names of the turns that run.
import { bytesOf } from "./row-size";
import { isUnrolled, mapParts, partsInOrder, type Schedule } from "./schedule-shape";

/** UTF-8 bytes of a plan as JSON, with every repeat written out, as it is once the group begins. Turns count apart. */
export const PLAN_BYTES = 600_000;
const planBytes = (schedule: Schedule): number =>
  mapParts(schedule, (part) => ({ ...part, turns: [] })).groups.reduce(
    (sum, group) => sum + bytesOf(JSON.stringify(group)) * (isUnrolled(group) ? 1 : group.sets),
    0,
  );
export const fitsPlan = (schedule: Schedule): boolean => planBytes(schedule) <= PLAN_BYTES;

/** Turns that the parts under way hold together. Each is a name of at most 30 letters; beside a plan they fit into the row. */
export const MOST_TURNS = 10_000;
/** How many turns more the schedule may hold; below 0 where it holds too many. */
export const turnsLeft = (schedule: Schedule): number =>
  partsInOrder(schedule).reduce((left, part) => left - part.turns.length, MOST_TURNS);
