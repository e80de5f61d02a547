// Carries out the orders that a host gives to the parts of a running session. Pure.
import type { RunContext } from "./advance";
import type { PartOrder } from "./orders";
import { adjustPart, finishPart, pausePart, resetPart, resumePart, startPart } from "./run";
import type { Edit, Schedule } from "./shape";

type Step = (schedule: Schedule, partId: string, ctx: RunContext) => Edit;

export const PART_STEPS = {
  start: startPart,
  pause: pausePart,
  resume: resumePart,
  finish: finishPart,
  reset: resetPart,
} satisfies Record<string, Step>;

export const carryOut = (schedule: Schedule, order: PartOrder, ctx: RunContext): Edit =>
  order.type === "adjust"
    ? adjustPart(schedule, order.partId, order.seconds, ctx)
    : PART_STEPS[order.type](schedule, order.partId, ctx);
