// The store of the open modal. It is outside React, so that any failed call can open the sign-in, confirm,
// purchase-tokens or join-code modal and retry afterwards (S-01 to S-03, Q-39).
import { useSyncExternalStore } from "react";
import type { TokenLack } from "~/domain/errors";
import type { RunningLog } from "~/domain/goals/log-state";
import type { ReportTarget } from "~/domain/safety/report-targets";
import { createListeners } from "./listeners";

/** An action that was refused for lack of tokens: its retry, or the fields of its form, which may have unmounted. */
export type UnpaidAction = { retry?: () => void; form?: { action: string; fields: FormData } };

export type Modal =
  /**
   * `act`, an intent with its path or a call as text, resumes after the sign-in. `onDone` gets the username that
   * signed in.
   */
  | { name: "auth"; act?: string | false | undefined; onDone?: (username: string | null) => void }
  /** "Please confirm that it's you": the refused action is retried once afterwards. */
  | { name: "confirm"; onDone: () => void }
  /** The interrupted action is retried after it closes (S-02, R-12). */
  | ({ name: "purchase-tokens"; message?: string; lacksTokens: TokenLack | undefined } & UnpaidAction)
  | { name: "join-code"; message?: string; tried?: string; onCode: (code: string) => void }
  /**
   * `typed` is the initial text of its field, selected (Y-01). `ahead` is text that was typed before the palette
   * showed.
   */
  | { name: "palette"; typed?: string; ahead?: string }
  /** A log already runs: `onGoOn` starts the second clock, whether or not the first was paused. */
  | { name: "second-clock"; running: RunningLog; onGoOn: () => void }
  | { name: "report"; target: ReportTarget; author: string }
  /** Opens the subscribe form of one plan over the page (P-10). */
  | { name: "subscribe"; product: "goals_sub" | "goals_sessions_sub"; onDone?: () => void };

let currentModal: Modal | null = null;
const { notify, subscribe } = createListeners();

export function openModal(modal: Modal): void {
  currentModal = modal;
  notify();
}
/** Closes the modal and drops its callbacks. */
export function closeModal(): void {
  currentModal = null;
  notify();
}

export const openedModal = (): Modal | null => currentModal;
export const useModal = (): Modal | null => useSyncExternalStore(subscribe, openedModal, () => null);
