// Handles refusals that no field explains: a lack of tokens, of a login, or of a recent check. Each opens its modal and
// retries afterwards (S-01, S-02, Q-39).
import { ANOTHER_BEGAN, isResumable } from "~/domain/accounts/resume-after-sign-in";
import type { ErrorCode, TokenLack } from "~/domain/errors";
import type { ActResult } from "~/wire/act";
import { usernameOfPage } from "./made-for";
import { openModal, type UnpaidAction } from "./modal-store";
import { toast } from "./toasts";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect";

type Refusal = {
  code: ErrorCode;
  message: string;
  lacksTokens?: TokenLack | undefined;
  /** The server has stored the action, and its answer contains the sign-in form. */
  isKept?: true | undefined;
};
type Retry = {
  /** Repeats the request; `isRetry` is true after the purchase modal and after the check. */
  again: (isRetry: boolean) => void;
  isRetry: boolean;
  form?: UnpaidAction["form"] | undefined;
  /** True if a visitor's action resumes after a sign-in in the modal. */
  goesOn?: boolean | undefined;
};

/** True when a modal or toast has handled the refusal. */
export function takeRefusal(
  { code, message, lacksTokens, isKept }: Refusal,
  { again: runAgain, isRetry, form, goesOn = false }: Retry,
): boolean {
  if (code === "INSUFFICIENT_TOKENS") {
    // A retry that fails again opens no modal; otherwise the modal could never be closed (S-02).
    if (isRetry) toast.error(message, { id: "out-of-tokens" });
    else {
      const retry = () => runAgain(true);
      openModal({ name: "purchase-tokens", message, lacksTokens, retry, ...(form && { form }) });
    }
    return true;
  }
  if (code === "REAUTH_REQUIRED") {
    if (isRetry) toast.error(message);
    else openModal({ name: "confirm", onDone: () => runAgain(true) });
    return true;
  }
  if (code !== "UNAUTHENTICATED") return false;
  if (isKept) return true;
  toast.signIn(message);
  const owner = usernameOfPage();
  const intent = goesOn && form ? String(form.fields.get("intent")) : undefined;
  openModal({
    name: "auth",
    intent,
    // An act on a signed-in user's page resumes only if the same user signs in (S-01, R-58).
    onDone: (username) => {
      if (owner === null ? goesOn : username === owner) runAgain(false);
      else if (owner !== null) toast.warning(ANOTHER_BEGAN);
    },
  });
  return true;
}

/** True when the act of a form on this page resumes after a sign-in. */
export const isResumableAt = (action: string | null | undefined, intent: string): boolean =>
  isResumable(new URL(action || location.pathname, location.href).pathname, intent);

/** True when the page's answer belongs to this form or button. */
export const isAnswerTo = (
  answer: ActResult,
  intent: string,
  hiddenFields: Readonly<Record<string, string | number>> = {},
): boolean =>
  answer.intent === intent &&
  (answer.ok ||
    Object.entries(hiddenFields).every(
      ([name, value]) => String(answer.form.initialValue?.[name] ?? "") === String(value),
    ));

/** A page keeps its last answer, and a form that opens again must not handle that answer twice. */
const takenAnswers = new WeakSet<object>();

/**
 * Calls `onAnswer` once for each answer, in the browser and before the paint.
 *
 * Its effect has no dependencies. The router changes the answers of its fetchers in place, so a render may read an
 * answer before any state of React has changed. React then discards that render's effects and keeps its dependencies,
 * and the next render would find no change.
 */
export function useAnswer<A extends object>(answer: A | undefined, onAnswer: (answer: A) => void): void {
  useBrowserLayoutEffect(() => {
    if (!answer || takenAnswers.has(answer)) return;
    takenAnswers.add(answer);
    onAnswer(answer);
  });
}
