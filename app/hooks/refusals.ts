// The refusals that a modal can resolve: too few tokens, no login, no recent check of it (S-01, S-02, Q-39).
import { isResumable, OTHER_ACCOUNT_BEGAN } from "~/domain/accounts/resume-after-sign-in";
import type { ErrorCode, TokenLack } from "~/domain/errors";
import { usernameOfPage } from "./made-for";
import { openModal, type UnpaidAction } from "./modal-store";
import { toast } from "./toasts";

type Refusal = {
  code: ErrorCode;
  message: string;
  lacksTokens?: TokenLack | undefined;
  /** The server has stored the action, and its answer contains the sign-in form. */
  isKept?: true | undefined;
};
type Retry = {
  /** Repeats the request; `isRetry` is true after the purchase modal and after the check. */
  retry: (isRetry: boolean) => void;
  isRetry: boolean;
  form?: UnpaidAction["form"] | undefined;
  /** A visitor's action that resumes after a sign-in in the modal: its intent and path, or the call as text. */
  resumes?: string | false | undefined;
};

/** True when a modal or toast has handled the refusal. */
export function handleRefusal(
  { code, message, lacksTokens, isKept }: Refusal,
  { retry, isRetry, form, resumes }: Retry,
): boolean {
  if (code === "INSUFFICIENT_TOKENS") {
    // A retry that fails again opens no modal; otherwise the modal could never be closed (S-02).
    if (isRetry) toast.error(message, { id: "out-of-tokens" });
    else {
      const retryAfterPurchase = () => retry(true);
      openModal({
        name: "purchase-tokens",
        message,
        lacksTokens,
        retry: retryAfterPurchase,
        ...(form && { form }),
      });
    }
    return true;
  }
  if (code === "REAUTH_REQUIRED") {
    if (isRetry) toast.error(message);
    else openModal({ name: "confirm", onDone: () => retry(true) });
    return true;
  }
  if (code !== "UNAUTHENTICATED") return false;
  if (isKept) return true;
  toast.signIn(message);
  const owner = usernameOfPage();
  openModal({
    name: "auth",
    act: resumes,
    // An act on a signed-in user's page resumes only if the same user signs in (S-01, R-58).
    onDone: (username) => {
      if (owner === null) {
        if (resumes) retry(false);
      } else if (username === owner) retry(false);
      else toast.warning(OTHER_ACCOUNT_BEGAN);
    },
  });
  return true;
}

/** The act of a form on this page, as its intent and path, if it resumes after a sign-in. */
export function resumableAct(action: string | null | undefined, intent: string): string | false {
  const { pathname } = new URL(action || location.pathname, location.href);
  return isResumable(pathname, intent) && `${intent} ${pathname}`;
}
