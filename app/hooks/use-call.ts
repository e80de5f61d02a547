// A button's call: busy state, one at a time, modals for sign-in and tokens with retry, toasts, and the page reloaded.
import { useCallback, useRef, useState } from "react";
import { toast } from "~/components/ui/toasts";
import type { CallLine } from "~/wire/paths";
import { CallError, type CallInput, callServer } from "./call-server";
import { openModal } from "./modals";
import { useFreshData } from "./use-fresh-data";

type Options<Answer> = {
  /** Success toast (M rows). */
  success?: string | ((answer: Answer) => string);
  onDone?: (answer: Answer) => void;
  /** True: dealt with here, nothing more is shown. */
  onError?: (error: CallError, again: () => void) => boolean | undefined;
  /** Read the page's data anew afterwards; on unless said. */
  revalidate?: boolean;
};

export function useCall<Answer = unknown>(line: CallLine, options: Options<Answer> = {}) {
  const [isBusy, setBusy] = useState(false);
  const inFlight = useRef(false);
  const latest = useRef(options);
  latest.current = options;
  const revalidate = useFreshData();

  const run = useCallback(
    async (input: CallInput = {}, isRetry = false): Promise<Answer | undefined> => {
      // C-06: a second call while one is in flight is skipped.
      if (inFlight.current) return undefined;
      inFlight.current = true;
      setBusy(true);
      // A retry after the modal is the same request: it carries the same key.
      const keyed = { ...input, idempotencyKey: input.idempotencyKey ?? crypto.randomUUID() };
      try {
        const answer = await callServer<Answer>(line, keyed);
        const { success, onDone } = latest.current;
        if (success) toast.success(typeof success === "function" ? success(answer) : success);
        onDone?.(answer);
        if (latest.current.revalidate !== false) revalidate();
        return answer;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        console.error(error);
        inFlight.current = false;
        const again = () => void run(keyed, true);
        if (latest.current.onError?.(error, again)) return undefined;
        // A retry that fails the same way is only told, or the modal could never be left (S-02).
        if (error.code === "INSUFFICIENT_TOKENS" && !isRetry)
          openModal({
            name: "purchase-tokens",
            message: error.message,
            lacksTokens: error.body.lacks_tokens,
            retry: again,
          });
        else if (error.code === "UNAUTHENTICATED") {
          toast.warning(error.message);
          openModal({ name: "auth", onDone: again });
        } else for (const sentence of error.body.errors) toast.error(sentence);
        return undefined;
      } finally {
        inFlight.current = false;
        setBusy(false);
      }
    },
    [line, revalidate],
  );
  return { run, isBusy };
}
