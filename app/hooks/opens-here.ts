// The form that a link of this page opens in it without a network, where the router would ask for data (W-05).
import { useSyncExternalStore } from "react";

/** The attribute of such a link. */
export const OPENS_HERE = "data-opens-here";

let isOpen = false;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    // The next page begins without the form.
    if (listeners.delete(listener) && listeners.size === 0) isOpen = false;
  };
};

export function toggleHere(): void {
  isOpen = !isOpen;
  for (const listener of listeners) listener();
}

/** True while the form is open beyond, or closed against, what the address says. */
export const useOpensHere = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );
