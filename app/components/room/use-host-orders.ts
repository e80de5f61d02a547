// Sends the host's orders one after the other, with an optimistic update by the room's rules. A refusal reverts it and
// shows the reason.

import { useContext, useEffect, useRef, useState } from "react";
import type { PartOrder } from "~/domain/schedule/skip-and-back";
import { instant } from "~/domain/time";
import { CallError, NOT_REACHED } from "~/hooks/call-server";
import { toast } from "~/hooks/toasts";
import { ClockContext } from "~/hooks/use-now";
import { useLive } from "./live-context";

/** The module that predicts and sends orders, which only hosts load. */
type Orders = typeof import("./host-orders");
const loadOrders = (): Promise<Orders> => import("./host-orders");

export function useHostOrders(sessionId: number, mayRun: boolean) {
  const room = useLive("room");
  const online = useLive("online");
  const showOptimistic = useLive("showOptimistic");
  const releaseOptimistic = useLive("releaseOptimistic");
  const latestRoom = useRef(room);
  latestRoom.current = room;
  const latestOnline = useRef(online);
  latestOnline.current = online;
  const clock = useContext(ClockContext);
  const [isBusy, setBusy] = useState(false);
  /** Orders given while others were pending; null: nothing is pending. */
  const queuedOrders = useRef<PartOrder[] | null>(null);

  // The code loads ahead, so that the first order does not wait for it.
  useEffect(() => {
    if (mayRun) void loadOrders().catch(() => {});
  }, [mayRun]);

  const carryOutAll = async (send: Orders["sendOrder"]) => {
    setBusy(true);
    try {
      for (let order = queuedOrders.current?.shift(); order; order = queuedOrders.current?.shift())
        await send(sessionId, order);
    } catch (error) {
      // The later orders assumed that the refused order succeeds.
      showOptimistic(null);
      if (!(error instanceof CallError)) throw error;
      console.error(error);
      toast.errors(error.body.errors);
    } finally {
      queuedOrders.current = null;
      setBusy(false);
      releaseOptimistic();
    }
  };

  const giveOrders = async (orders: PartOrder[]) => {
    const ordersModule = await loadOrders().catch(() => null);
    if (!ordersModule) {
      toast.error(NOT_REACHED);
      return;
    }
    const ctx = ordersModule.contextOf(latestRoom.current, latestOnline.current, instant(clock.now()));
    let { schedule } = latestRoom.current;
    for (const order of orders) {
      const result = ordersModule.carryOut(schedule, order, ctx);
      if (!result.ok) {
        toast.error(ordersModule.scheduleSentence(result));
        return;
      }
      schedule = result.schedule;
    }
    showOptimistic(schedule);
    if (queuedOrders.current) {
      queuedOrders.current.push(...orders);
      return;
    }
    queuedOrders.current = [...orders];
    void carryOutAll(ordersModule.sendOrder);
  };
  return { isBusy, give: (orders: PartOrder[]) => void giveOrders(orders) };
}
