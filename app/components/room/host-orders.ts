// The orders of a host: how the host's screen predicts an order, and how it is sent.
import type { PartOrder } from "~/domain/schedule/orders";
import { callServer } from "~/hooks/call-server";
import * as paths from "~/wire/paths";

export { carryOut } from "~/domain/schedule/carry-out";
export { scheduleSentence } from "~/domain/schedule/sentences";

const CALLS = {
  start: paths.startPart,
  pause: paths.pausePart,
  resume: paths.resumePart,
  finish: paths.finishPart,
  reset: paths.resetPart,
  adjust: paths.adjustPart,
} as const;

export const sendOrder = (sessionId: number, order: PartOrder) =>
  callServer(CALLS[order.type], {
    params: { event: sessionId, part: order.partId },
    ...(order.type === "adjust" ? { body: { seconds: order.seconds } } : {}),
  });
