// The people of sessions whose removal waits for its Undo; the page hides them at once.
import { useSyncExternalStore } from "react";

type Hidden = { session: number; username: string };

let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
const keyOf = ({ session, username }: Hidden) => `${session} ${username}`;

export function hideRemoved(removal: Hidden, isHidden: boolean): void {
  const next = new Set(hidden);
  if (isHidden) next.add(keyOf(removal));
  else next.delete(keyOf(removal));
  hidden = next;
  for (const listener of listeners) listener();
}

const getHidden = () => hidden;

/** Returns a function that is true for a person of the session whose removal waits for its Undo. */
export function useRemovals(session: number): (username: string) => boolean {
  const hiddenNow = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getHidden,
    getHidden,
  );
  return (username) => hiddenNow.has(keyOf({ session, username }));
}
