// Which modal is open, and what to do when it closes: a tiny store outside React, so that a failed call anywhere can
// open the sign-in, the purchase-tokens or the join-code modal and have its action retried (S-01 to S-03).
import { useSyncExternalStore } from "react";

export type Modal =
  | { name: "auth"; tab?: "login" | "register"; onDone?: () => void }
  /** The interrupted action is retried after it closes (S-02, R-12). */
  | { name: "purchase-tokens"; message?: string; retry?: () => void }
  | { name: "join-code"; message?: string; onCode: (code: string) => void }
  /** Opens the subscribe form of one plan over the page (P-10). */
  | { name: "subscribe"; product: "goals_sub" | "goals_sessions_sub"; onDone?: () => void };

let open: Modal | null = null;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

export function openModal(modal: Modal): void {
  open = modal;
  tell();
}
/** Closing drops the callbacks. */
export function closeModal(): void {
  open = null;
  tell();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};
export const useModal = (): Modal | null =>
  useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );
