// Carries out the orders that a host gives to the parts of a running session. Pure.
import type { RunContext } from "./advance";
import {
  adjustPart,
  endRound,
  finishPart,
  nextTurn,
  pausePart,
  resetPart,
  resumePart,
  startPart,
} from "./run";
import type { Edit, Schedule } from "./shape";
import type { PartOrder } from "./skip-and-back";

type Step = (schedule: Schedule, partId: string, ctx: RunContext) => Edit;

export const PART_STEPS = {
  start: startPart,
  pause: pausePart,
  resume: resumePart,
  finish: finishPart,
  reset: resetPart,
} satisfies Record<string, Step>;

export function carryOut(schedule: Schedule, order: PartOrder, ctx: RunContext): Edit {
  switch (order.type) {
    case "adjust":
      return adjustPart(schedule, order.partId, order.seconds, ctx);
    case "next":
      return nextTurn(schedule, order.partId, ctx, order.speaker);
    case "end-round":
      return endRound(schedule, order.partId, ctx);
    default:
      return PART_STEPS[order.type](schedule, order.partId, ctx);
  }
}
