// The action that lacked tokens: saved before the payment page opens, and resumed once a payment has credited tokens
//
import { useSyncExternalStore } from "react";
import { createListeners } from "~/hooks/listeners";
import { closeModal, type UnpaidAction } from "~/hooks/modal-store";

/** A payment within this time returns to the page and resumes the interrupted action. Milliseconds. */
const RESUMABLE_MS = 30 * 60_000;
export type SavedAction = UnpaidAction & { from: string; since: number };
let savedAction: SavedAction | null = null;
let paidAction: SavedAction | null = null;

const { notify, subscribe } = createListeners();

/** Closes the modal before the payment page opens, and saves the interrupted action. */
export function leaveToPay(action: UnpaidAction, from: string): void {
  savedAction = { ...action, from, since: Date.now() };
  closeModal();
}
/** Called after a payment has credited tokens. True when an interrupted action resumes. */
export function resumeAfterPayment(): boolean {
  paidAction = savedAction && Date.now() - savedAction.since < RESUMABLE_MS ? savedAction : null;
  savedAction = null;
  if (paidAction) notify();
  return paidAction !== null;
}
/** The action to resume; null until a payment has credited tokens. */
export const usePaidAction = (): SavedAction | null =>
  useSyncExternalStore(
    subscribe,
    () => paidAction,
    () => null,
  );
