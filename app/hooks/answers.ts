// Handles refusals that no field explains: out of tokens opens the purchase modal, signed out the sign-in modal, a login
// without a recent check its dialog. All retry afterwards (S-01, S-02, Q-39).
import { useRef } from "react";
import type { ErrorCode, TokenLack } from "~/domain/errors";
import type { ActResult } from "~/wire/act";
import { type Interrupted, openModal } from "./modal-store";
import { toast } from "./toasts";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect";

type Refusal = { code: ErrorCode; message: string; lacksTokens?: TokenLack | undefined };
type Retry = {
  /** Repeats the request; `isRetry` is true after the purchase modal and after the check. */
  again: (isRetry: boolean) => void;
  isRetry: boolean;
  form?: Interrupted["form"] | undefined;
};

/** True when a modal or toast has handled the refusal. */
export function takeRefusal(
  { code, message, lacksTokens }: Refusal,
  { again, isRetry, form }: Retry,
): boolean {
  if (code === "INSUFFICIENT_TOKENS") {
    // A retry that fails again opens no modal; otherwise the modal could never be closed (S-02).
    if (isRetry) toast.error(message, { id: "out-of-tokens" });
    else {
      const retry = () => again(true);
      openModal({ name: "purchase-tokens", message, lacksTokens, retry, ...(form && { form }) });
    }
    return true;
  }
  if (code === "REAUTH_REQUIRED") {
    if (isRetry) toast.error(message);
    else openModal({ name: "confirm", onDone: () => again(true) });
    return true;
  }
  if (code !== "UNAUTHENTICATED") return false;
  toast.signIn(message);
  openModal({ name: "auth", ...(form && { form }), onDone: () => again(false) });
  return true;
}

/** True when the page's answer belongs to this form or button. */
export const isAnswerTo = (
  answer: ActResult,
  intent: string,
  about: Readonly<Record<string, string | number>> = {},
): boolean =>
  answer.intent === intent &&
  (answer.ok ||
    Object.entries(about).every(
      ([name, value]) => String(answer.form.initialValue?.[name] ?? "") === String(value),
    ));

/** A page keeps its last answer, and a form that opens again must not handle that answer twice. */
const taken = new WeakSet<ActResult>();

/** Calls `take` once for each answer, in the browser. */
export function useAnswer<A extends ActResult>(answer: A | undefined, take: (answer: A) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useBrowserLayoutEffect(() => {
    if (!answer || taken.has(answer)) return;
    taken.add(answer);
    latest.current(answer);
  }, [answer]);
}
