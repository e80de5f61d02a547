// Carries out the host's orders, one call after the other. The own screen shows them at once by the room's own rules; a
// refusal takes that back and says why.
import { useContext, useRef, useState } from "react";
import { toast } from "~/components/ui/toasts";
import type { RunContext } from "~/domain/schedule-advance";
import { adjustPart, finishPart, pausePart, resetPart, resumePart, startPart } from "~/domain/schedule-run";
import type { Edit, Schedule } from "~/domain/schedule-shape";
import { instant } from "~/domain/time";
import { CallError, callServer } from "~/hooks/call-server";
import { ClockContext } from "~/hooks/use-now";
import { paths } from "~/wire/paths";
import type { PartOrder } from "./host-controls";
import { rosterOf, useLive } from "./live-context";

const LINES = {
  start: paths.startPart,
  pause: paths.pausePart,
  resume: paths.resumePart,
  finish: paths.finishPart,
  reset: paths.resetPart,
  adjust: paths.adjustPart,
} as const;
const MOVES = {
  start: startPart,
  pause: pausePart,
  resume: resumePart,
  finish: finishPart,
  reset: resetPart,
};

const carryOut = (schedule: Schedule, order: PartOrder, ctx: RunContext): Edit =>
  order.type === "adjust"
    ? adjustPart(schedule, order.partId, order.seconds, ctx)
    : MOVES[order.type](schedule, order.partId, ctx);

export function useConductor(sessionId: number) {
  const { room, foretell, letGo } = useLive();
  const clock = useContext(ClockContext);
  const [isBusy, setBusy] = useState(false);
  /** Given while others were under way; null: nothing is under way. */
  const waiting = useRef<PartOrder[] | null>(null);

  const carryOutAll = async () => {
    setBusy(true);
    try {
      for (let order = waiting.current?.shift(); order; order = waiting.current?.shift())
        await callServer(LINES[order.type], {
          params: { event: sessionId, part: order.partId },
          ...(order.type === "adjust" ? { body: { seconds: order.seconds } } : {}),
        });
    } catch (error) {
      // What was given after the refused one was meant for a schedule that is not to be.
      foretell(null);
      if (!(error instanceof CallError)) throw error;
      console.error(error);
      toast.errors(error.body.errors);
    } finally {
      waiting.current = null;
      setBusy(false);
      letGo();
    }
  };

  const give = (orders: PartOrder[]) => {
    const ctx = { now: instant(clock.now()), roster: rosterOf(room) };
    let { schedule } = room;
    for (const order of orders) {
      const moved = carryOut(schedule, order, ctx);
      if (!moved.ok) {
        toast.error(moved.sentence);
        return;
      }
      schedule = moved.schedule;
    }
    foretell(schedule);
    if (waiting.current) {
      waiting.current.push(...orders);
      return;
    }
    waiting.current = [...orders];
    void carryOutAll();
  };
  return { isBusy, give };
}
