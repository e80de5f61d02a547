// Sends the host's orders one after the other, with an optimistic update by the room's rules. A refusal reverts it and
// shows the reason.

import { useContext, useEffect, useRef, useState } from "react";
import type { PartOrder } from "~/domain/schedule/skip-and-back";
import { instant } from "~/domain/time";
import { CallError, NOT_REACHED } from "~/hooks/call-server";
import { toast } from "~/hooks/toasts";
import { ClockContext } from "~/hooks/use-now";
import { useLive } from "./live-context";

/** Loaded only for hosts. */
type Orders = typeof import("./host-orders");
const loadOrders = (): Promise<Orders> => import("./host-orders");

export function useConductor(sessionId: number, mayRun: boolean) {
  const room = useLive("room");
  const online = useLive("online");
  const showOptimistic = useLive("showOptimistic");
  const releaseOptimistic = useLive("releaseOptimistic");
  const shown = useRef(room);
  shown.current = room;
  const latestOnline = useRef(online);
  latestOnline.current = online;
  const clock = useContext(ClockContext);
  const [isBusy, setBusy] = useState(false);
  /** Orders given while others were pending; null: nothing is pending. */
  const waiting = useRef<PartOrder[] | null>(null);

  // The first order must not wait for the code.
  useEffect(() => {
    if (mayRun) void loadOrders().catch(() => {});
  }, [mayRun]);

  const carryOutAll = async (send: Orders["sendOrder"]) => {
    setBusy(true);
    try {
      for (let order = waiting.current?.shift(); order; order = waiting.current?.shift())
        await send(sessionId, order);
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
    const host = await loadOrders().catch(() => null);
    if (!host) {
      toast.error(NOT_REACHED);
      return;
    }
    const ctx = host.contextOf(shown.current, latestOnline.current, instant(clock.now()));
    let { schedule } = shown.current;
    for (const order of orders) {
      const moved = host.carryOut(schedule, order, ctx);
      if (!moved.ok) {
        toast.error(host.scheduleSentence(moved));
        return;
      }
      schedule = moved.schedule;
    }
    showOptimistic(schedule);
    if (waiting.current) {
      waiting.current.push(...orders);
      return;
    }
    waiting.current = [...orders];
    void carryOutAll(host.sendOrder);
  };
  return { isBusy, give: (orders: PartOrder[]) => void give(orders) };
}
