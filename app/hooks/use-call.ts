// A button's call: busy state, one at a time, modals for sign-in and tokens with a retry, toasts, and the page's data read
// again. With `retries` it lasts over a network that fails.
import { useCallback, useRef, useState } from "react";
import { toast } from "~/components/ui/toasts";
import type { CallLine } from "~/wire/paths";
import { takeRefusal } from "./answers";
import { CallError, type CallInput, callServer } from "./call-server";
import { tellOtherTabs, useFreshData } from "./use-fresh-data";

type Options<Answer> = {
  /** Success toast (M rows). */
  success?: string | ((answer: Answer) => string);
  onDone?: (answer: Answer) => void;
  /** Take back what the page showed in advance. True: the error is dealt with, nothing more is shown. */
  onError?: (error: CallError) => boolean | undefined;
  /** The call repeats with its key until it is answered, so that nothing is lost and nothing doubled. */
  retries?: boolean;
};

/** Waits before the second, third and fourth try. */
const WAITS_MS = [800, 3000, 9000];

/** The network failed, or the answer came from something else than our server. */
const isUnanswered = (error: CallError): boolean =>
  error.code === "SERVER_ERROR" && !("request_id" in error.body);

export function useCall<Answer = unknown>(options: Options<Answer> = {}) {
  const [isBusy, setBusy] = useState(false);
  const inFlight = useRef(false);
  const latest = useRef(options);
  latest.current = options;
  const readAgain = useFreshData();

  const run = useCallback(
    async (line: CallLine, input: CallInput = {}, isRetry = false): Promise<void> => {
      // C-06: a second call while one is in flight is skipped.
      if (inFlight.current) return;
      inFlight.current = true;
      setBusy(true);
      // A retry after the modal is the same request: it carries the same key.
      const keyed = { ...input, idempotencyKey: input.idempotencyKey ?? crypto.randomUUID() };
      try {
        const answer = await callUntilAnswered<Answer>(line, keyed, latest.current.retries ? WAITS_MS : []);
        const { success, onDone } = latest.current;
        if (success) toast.success(typeof success === "function" ? success(answer) : success);
        onDone?.(answer);
        tellOtherTabs();
        readAgain();
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        console.error(error);
        inFlight.current = false;
        if (latest.current.onError?.(error)) return;
        const again = (isRetry: boolean) => void run(line, keyed, isRetry);
        const { code, message, body } = error;
        if (takeRefusal({ code, message, lacksTokens: body.lacks_tokens }, { again, isRetry })) return;
        if (isUnanswered(error)) {
          toast.error(message, { action: { label: "Try again", onClick: () => again(isRetry) } });
          return;
        }
        toast.errors(body.errors);
        // Somebody was quicker, here or on another device.
        readAgain();
      } finally {
        inFlight.current = false;
        setBusy(false);
      }
    },
    [readAgain],
  );
  return { run, isBusy };
}

async function callUntilAnswered<Answer>(
  line: CallLine,
  input: CallInput,
  waits: readonly number[],
): Promise<Answer> {
  for (const wait of waits) {
    try {
      return await callServer<Answer>(line, input);
    } catch (error) {
      if (!(error instanceof CallError) || !isUnanswered(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return callServer<Answer>(line, input);
}
