// The orders of a host: how the host's screen predicts an order, and how it is sent.
import { isAlias } from "~/domain/room/aliases";
import { ROUND_UNDO, rosterOf } from "~/domain/room/room";
import type { RunContext } from "~/domain/schedule/advance";
import { presenceBy } from "~/domain/schedule/round";
import type { PartOrder } from "~/domain/schedule/skip-and-back";
import { type Instant, instant, SECOND } from "~/domain/time";
import { callServer } from "~/hooks/call-server";
import { toast } from "~/hooks/toasts";
import * as paths from "~/wire/paths";
import type { LiveRoom } from "~/wire/room/live-room";

export { carryOut } from "~/domain/schedule/carry-out";
export { scheduleSentence } from "~/domain/schedule/sentences";

const CALLS = {
  start: paths.startPart,
  pause: paths.pausePart,
  resume: paths.resumePart,
  finish: paths.finishPart,
  reset: paths.resetPart,
  adjust: paths.adjustPart,
  next: paths.nextTurn,
  "end-round": paths.endRound,
} as const;

/** The room as the host's screen knows it. */
export function contextOf(room: LiveRoom, online: readonly string[], now: Instant): RunContext {
  const presentNames = new Set(online);
  const presence = presenceBy((name) => ({ isHere: presentNames.has(name), since: instant(0) }));
  return { now, roster: rosterOf(room), presence };
}

function bodyOf(order: PartOrder) {
  if (order.type === "adjust") return { body: { seconds: order.seconds } };
  // The room knows nobody by an alias, so such an order names no speaker.
  return order.type === "next" && !isAlias(order.speaker) ? { body: { speaker: order.speaker } } : {};
}

export async function sendOrder(sessionId: number, order: PartOrder): Promise<void> {
  const params = { event: sessionId, part: order.partId };
  await callServer(CALLS[order.type], { params, ...bodyOf(order) });
  if (order.type !== "next" && order.type !== "end-round") return;
  toast.info(order.type === "next" ? "The next turn has begun." : "The round has ended.", {
    id: "round",
    // Shorter than the room's limit, because the answer takes a moment to arrive.
    duration: ROUND_UNDO - SECOND / 2,
    undo: { call: paths.undoRound, input: { params } },
  });
}
