// Which modal is open, and what to do when it closes: a tiny store outside React, so that a failed call anywhere can
// open the sign-in, the purchase-tokens or the join-code modal and have its action retried (S-01 to S-03).
import { useSyncExternalStore } from "react";
import type { TokenLack } from "~/domain/errors";

/** What was refused for want of tokens: what does it again, and of a form, which may be gone by then, what it sent. */
export type Interrupted = { retry?: () => void; form?: { action: string; fields: FormData } };

export type Modal =
  | { name: "auth"; tab?: "login" | "register"; onDone?: () => void }
  /** The interrupted action is retried after it closes (S-02, R-12). */
  | ({ name: "purchase-tokens"; message?: string; lacksTokens: TokenLack | undefined } & Interrupted)
  | { name: "join-code"; message?: string; tried?: string; onCode: (code: string) => void }
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
/** Who leaves the page to pay within this time is led back, and what was interrupted is done. */
const KEPT_FOR = 30 * 60_000;
export type Kept = Interrupted & { from: string; since: number };
let kept: Kept | null = null;
let paid: Kept | null = null;

/** Closes the modal on the way to where one pays, and keeps what was interrupted. */
export function leaveToPay(interrupted: Interrupted, from: string): void {
  kept = { ...interrupted, from, since: Date.now() };
  closeModal();
}
/** Told by whatever brought tokens; true when something was interrupted and is taken up again now. */
export function carryOn(): boolean {
  paid = kept && Date.now() - kept.since < KEPT_FOR ? kept : null;
  kept = null;
  if (paid) tell();
  return paid !== null;
}
/** What is to be done again now, once. */
export const usePaid = (): Kept | null =>
  useSyncExternalStore(
    subscribe,
    () => paid,
    () => null,
  );

export const useModal = (): Modal | null =>
  useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );
