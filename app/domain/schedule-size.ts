// How many bytes a plan takes: it is one column of one row.
import { bytesOf } from "./row-size";
import { isUnrolled, type Schedule } from "./schedule-shape";

/** UTF-8 bytes of a plan as JSON, with every repeat written out, as it is once the group begins. */
export const PLAN_BYTES = 600_000;
export const planBytes = (schedule: Schedule): number =>
  schedule.groups.reduce(
    (sum, group) => sum + bytesOf(JSON.stringify(group)) * (isUnrolled(group) ? 1 : group.sets),
    0,
  );
export const fitsPlan = (schedule: Schedule): boolean => planBytes(schedule) <= PLAN_BYTES;
