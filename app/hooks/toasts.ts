// Shows toasts at the top right (K-01). Sonner loads with the first toast.
import type { ReactNode } from "react";
import type { CallPath } from "~/wire/call-path";
import { deleteLog } from "~/wire/paths";
import type { CallInput } from "./call-server";

export type ToastKind = "success" | "info" | "warning" | "error";
export type ToastOptions = {
  title?: string;
  /** Milliseconds; Infinity stays. */
  duration?: number;
  /** A link or a button under the sentence. */
  action?: { label: string; to?: string; onClick?: () => void };
  /** Called when the toast has left the screen: closed, pressed or over. */
  onGone?: () => void;
  /** The call of its Undo. */
  undo?: { call: CallPath; input: CallInput };
  /** A toast with the same id replaces the previous one. */
  id?: string;
};
export type ToastOrder = ToastOptions & { kind: ToastKind; content: ReactNode; id: string };

const DURATIONS: Record<ToastKind, number> = { success: 5000, info: 5000, warning: 8000, error: 10_000 };
/** A toast with a link or a button, such as Undo, leaves the time to press it. */
const WITH_ACTION_MS = 10_000;
/** How long warnings of forms last, and sentences that ask for sign-in. */
const LASTING_WARNING_MS = 60_000;
const SIGN_IN = "sign-in";

type Listener = () => void;
const waitingToasts: ToastOrder[] = [];
let notifyOutlet: Listener | null = null;
let showNow: ((order: ToastOrder) => void) | null = null;
let closeById: ((id: string) => void) | null = null;
let lastId = 0;
/** The ids of the latest validation warnings. */
let warningIds: ReadonlySet<string> = new Set();

function showToast(kind: ToastKind, content: ReactNode, options: ToastOptions = {}): string {
  if (typeof document === "undefined") return "";
  lastId += 1;
  const order: ToastOrder = {
    duration: options.action || options.undo ? Math.max(WITH_ACTION_MS, DURATIONS[kind]) : DURATIONS[kind],
    ...options,
    kind,
    content,
    id: options.id ?? `toast-${lastId}`,
  };
  if (showNow) showNow(order);
  else {
    waitingToasts.push(order);
    notifyOutlet?.();
  }
  return order.id;
}

export const toast = {
  success: (sentence: ReactNode, options?: ToastOptions) => showToast("success", sentence, options),
  info: (sentence: ReactNode, options?: ToastOptions) => showToast("info", sentence, options),
  warning: (sentence: ReactNode, options?: ToastOptions) => showToast("warning", sentence, options),
  error: (sentence: ReactNode, options?: ToastOptions) => showToast("error", sentence, options),
  /** The figures of a log, and the Undo that deletes the log. */
  logged: (log: number, sentence: string) =>
    showToast("success", sentence, { undo: { call: deleteLog, input: { params: { log } } } }),
  /** Each sentence as a warning that stays for a minute, in place of those of the attempt before. */
  validation: (sentences: readonly string[]) => {
    const ids = new Set(sentences.map((sentence) => `validation-${sentence}`));
    for (const id of warningIds) if (!ids.has(id)) closeById?.(id);
    warningIds = ids;
    for (const sentence of new Set(sentences))
      showToast("warning", sentence, { duration: LASTING_WARNING_MS, id: `validation-${sentence}` });
  },
  /** Asks for sign-in, for a minute; the sign-in removes it. */
  signIn: (sentence: string) => showToast("warning", sentence, { duration: LASTING_WARNING_MS, id: SIGN_IN }),
  signedIn: () => closeById?.(SIGN_IN),
  /** Each sentence as an error (M-25). */
  errors: (sentences: readonly string[]) => {
    for (const sentence of new Set(sentences)) showToast("error", sentence, { id: `error-${sentence}` });
  },
  dismiss: (id: string) => closeById?.(id),
};

/** For the outlet: called when the first toast waits. */
export function onFirstToast(listener: Listener): () => void {
  notifyOutlet = listener;
  if (waitingToasts.length > 0) listener();
  return () => {
    notifyOutlet = null;
  };
}

/** For the toaster: takes waiting and later toasts. */
export function takeToasts(show: (order: ToastOrder) => void, close: (id: string) => void): () => void {
  showNow = show;
  closeById = close;
  for (const order of waitingToasts.splice(0)) show(order);
  return () => {
    showNow = null;
    closeById = null;
  };
}
