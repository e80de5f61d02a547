// Sends the host's orders one after the other, with an optimistic update by the room's rules. A refusal reverts it and
// shows the reason.

import { useContext, useEffect, useRef, useState } from "react";
import { rosterOf } from "~/domain/room/room";
import type { PartOrder } from "~/domain/schedule/orders";
import { instant } from "~/domain/time";
import { CallError, callServer } from "~/hooks/call-server";
import { toast } from "~/hooks/toasts";
import { ClockContext } from "~/hooks/use-now";
import * as paths from "~/wire/paths";
import { useLive } from "./live-context";

const CALLS = {
  start: paths.startPart,
  pause: paths.pausePart,
  resume: paths.resumePart,
  finish: paths.finishPart,
  reset: paths.resetPart,
  adjust: paths.adjustPart,
} as const;
type Rules = typeof import("~/domain/schedule/carry-out");

/** Null if loading failed; then only the room's state is shown. */
const loadRules = (): Promise<Rules | null> => import("~/domain/schedule/carry-out").catch(() => null);

export function useConductor(sessionId: number, mayRun: boolean) {
  const live = useLive();
  const { showOptimistic, releaseOptimistic } = live;
  const shown = useRef(live.room);
  shown.current = live.room;
  const clock = useContext(ClockContext);
  const [isBusy, setBusy] = useState(false);
  /** Orders given while others were pending; null: nothing is pending. */
  const waiting = useRef<PartOrder[] | null>(null);

  // The first order must not wait for the rules.
  useEffect(() => {
    if (mayRun) void loadRules();
  }, [mayRun]);

  const carryOutAll = async () => {
    setBusy(true);
    try {
      for (let order = waiting.current?.shift(); order; order = waiting.current?.shift())
        await callServer(CALLS[order.type], {
          params: { event: sessionId, part: order.partId },
          ...(order.type === "adjust" ? { body: { seconds: order.seconds } } : {}),
        });
    } catch (error) {
      // Later orders assumed the refused one.
      showOptimistic(null);
      if (!(error instanceof CallError)) throw error;
      console.error(error);
      toast.errors(error.body.errors);
    } finally {
      waiting.current = null;
      setBusy(false);
      releaseOptimistic();
    }
  };

  const give = async (orders: PartOrder[]) => {
    const rules = await loadRules();
    if (rules) {
      const ctx = { now: instant(clock.now()), roster: rosterOf(shown.current) };
      let { schedule } = shown.current;
      for (const order of orders) {
        const moved = rules.carryOut(schedule, order, ctx);
        if (!moved.ok) {
          toast.error(moved.sentence);
          return;
        }
        schedule = moved.schedule;
      }
      showOptimistic(schedule);
    }
    if (waiting.current) {
      waiting.current.push(...orders);
      return;
    }
    waiting.current = [...orders];
    void carryOutAll();
  };
  return { isBusy, give: (orders: PartOrder[]) => void give(orders) };
}
