// The way into the outbox (W-05): its code is behind an import, so that a page's first view has none of it.
import type { Held } from "./sending";

/** The name of the outbox's lock, channel and event. */
export const OUTBOX = "outbox";
const outbox = () => import("./outbox");

/** True while the server cannot be reached, on which a timed log starts, pauses and ends. A toast then says so. */
export function isOutOfReach(): boolean {
  if (navigator.onLine) return false;
  void outbox().then(({ sayOutOfReach }) => sayOutOfReach());
  return true;
}

/** Keeps an act for later and says so; false where the browser stores nothing. */
export const hold = (entry: Held): Promise<boolean> =>
  outbox()
    .then(({ keepEntry }) => keepEntry(entry))
    .catch(() => false);
