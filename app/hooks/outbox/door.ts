// Loads the outbox on its first use (W-05), so that a page's first view has none of its code.
import type { QueuedAct } from "./sending";

/** The name of the outbox's lock, channel and event. */
export const OUTBOX = "outbox";
const outbox = () => import("./outbox");

/** True while the browser has no network, without which a timer cannot start, pause or end. A toast then says so. */
export function isOutOfReach(): boolean {
  if (navigator.onLine) return false;
  void outbox().then(({ sayOutOfReach }) => sayOutOfReach());
  return true;
}

/** Puts an act into the outbox and shows a toast; false where the browser cannot store it. */
export const queueAct = (entry: QueuedAct): Promise<boolean> =>
  outbox()
    .then(({ keepEntry }) => keepEntry(entry))
    .catch(() => false);
