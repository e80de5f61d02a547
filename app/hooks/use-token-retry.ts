// What a form does when it is answered that the tokens are gone: the purchase modal, and once that closes the same again
// (S-02, R-12). A retry that fails the same way is only told, or the modal could never be left.
import { type RefObject, useCallback, useRef } from "react";
import { toast } from "~/components/ui/toasts";
import type { ActResult } from "~/wire/act";
import { openModal } from "./modals";

/** Takes each answer of a form; true where it was about tokens, and is dealt with. */
export function useTokenRetry(
  form: RefObject<HTMLFormElement | null>,
  again: (form: HTMLFormElement) => void,
): (answer: ActResult) => boolean {
  const latest = useRef(again);
  latest.current = again;
  const isRetry = useRef(false);
  return useCallback(
    (answer) => {
      const wasRetry = isRetry.current;
      isRetry.current = false;
      if (answer.ok || answer.code !== "INSUFFICIENT_TOKENS") return false;
      if (wasRetry) toast.error(answer.message, { id: "out-of-tokens" });
      else
        openModal({
          name: "purchase-tokens",
          message: answer.message,
          lacksTokens: answer.lacksTokens,
          retry: () => {
            isRetry.current = true;
            if (form.current) latest.current(form.current);
          },
          ...(form.current && {
            form: { action: form.current.getAttribute("action") ?? "", fields: new FormData(form.current) },
          }),
        });
      return true;
    },
    [form],
  );
}
