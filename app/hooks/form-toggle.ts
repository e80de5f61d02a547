// Toggles the page's create form while offline, when following the link would need a loader (W-05).
import { useSyncExternalStore } from "react";

/** The attribute of a link to the page's create form. */
export const OFFLINE_TOGGLE_ATTRIBUTE = "data-opens-here";

let isFlipped = false;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    // The flip ends with its page.
    if (listeners.delete(listener) && listeners.size === 0) isFlipped = false;
  };
};

export function toggleForm(): void {
  isFlipped = !isFlipped;
  for (const listener of listeners) listener();
}

/** True while a click has flipped the form's state against the `create` parameter. */
export const useFormToggle = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isFlipped,
    () => false,
  );
