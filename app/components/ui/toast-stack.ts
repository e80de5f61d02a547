// The toasts on the screen: all of them, on a phone the newest until "+2" opens the others (K-01).
import type { ToastOrder } from "~/hooks/toasts";

export type Look = {
  order: ToastOrder;
  /** How many toasts wait behind this one. */
  others: number;
  /** The toast's time is paused. */
  isHeld: boolean;
};
export type Screen = {
  isNarrow: () => boolean;
  /** True while no toast may end. */
  isHeld: () => boolean;
  /** Shows a toast, or changes the one that has this key. */
  draw: (key: string, look: Look) => void;
  clear: (key: string) => void;
};

/** A toast about the last act replaces the one about the act before, unless that has a button (Y-03). */
const reportsAct = ({ kind }: ToastOrder): boolean => kind === "success" || kind === "info";
const isReplaceable = (order: ToastOrder): boolean => reportsAct(order) && !order.action && !order.undo;

export function toastStack({ isNarrow, isHeld, draw, clear }: Screen) {
  /** All toasts that have not ended, oldest first. */
  const orders = new Map<string, ToastOrder>();
  /**
   * The keys of the toasts on the screen, by id. A key is used once, because a screen clears a toast after its
   * animation.
   */
  const keys = new Map<string, string>();
  let lastKey = 0;
  let isOpen = false;

  const clearFrom = (id: string) => {
    const key = keys.get(id);
    keys.delete(id);
    if (key !== undefined) clear(key);
  };
  const drawAll = () => {
    if (orders.size < 2) isOpen = false;
    const visible = [...orders.values()].slice(isNarrow() && !isOpen ? -1 : 0);
    const ids = new Set(visible.map(({ id }) => id));
    for (const id of [...keys.keys()]) if (!ids.has(id)) clearFrom(id);
    for (const order of visible) {
      const key = keys.get(order.id) ?? `${order.id} ${++lastKey}`;
      keys.set(order.id, key);
      draw(key, { order, others: orders.size - visible.length, isHeld: isHeld() });
    }
  };
  const remove = (id: string) => {
    const order = orders.get(id);
    if (!orders.delete(id)) return;
    clearFrom(id);
    order?.onGone?.();
  };

  return {
    /** A toast with the id of an earlier one replaces it. `isLast`: sentences about earlier acts give way. */
    add(order: ToastOrder, isLast: boolean): void {
      if (isLast && reportsAct(order))
        for (const earlier of [...orders.values()])
          if (earlier.id !== order.id && isReplaceable(earlier)) remove(earlier.id);
      orders.delete(order.id);
      orders.set(order.id, order);
      drawAll();
    },
    close(id: string): void {
      remove(id);
      drawAll();
    },
    /**
     * Called when the screen ends a toast by itself. A toast that waits behind another has no key any more, so it stays.
     */
    end(key: string): void {
      const [id] = [...keys].find(([, shownKey]) => shownKey === key) ?? [];
      if (id === undefined) return;
      remove(id);
      drawAll();
    },
    /** Whether the toast of this key is on the screen. It may be cleared before it has been drawn. */
    isShown: (key: string): boolean => [...keys.values()].includes(key),
    /** Shows the waiting toasts, in their order. */
    open(): void {
      isOpen = true;
      for (const id of [...keys.keys()]) clearFrom(id);
      drawAll();
    },
    /** Called after the time of the toasts was paused or resumed. */
    redraw: drawAll,
  };
}
