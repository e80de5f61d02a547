// A call over a flaky network: sent again with the same key until it was answered, so that nothing is lost and nothing
// doubled. What the page shows in advance is taken back only when the answer is no.
import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "~/components/ui/toasts";
import type { CallLine } from "~/wire/paths";
import { CallError, type CallInput, callServer } from "./call-server";
import { openModal } from "./modals";

type Options<Answer> = {
  success?: string | ((answer: Answer) => string);
  onDone?: (answer: Answer) => void;
  /** The answer is no: take back what was shown. */
  onRefused?: () => void;
};

/** Waits before the second, third and fourth try. */
const WAITS_MS = [800, 3000, 9000];

/** The network failed, or what answered was no answer of ours. */
const isUnanswered = (error: CallError): boolean =>
  error.code === "SERVER_ERROR" && !("request_id" in error.body);

const channel = () => (typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("bothy-my"));

export function useSteadyCall<Answer = unknown>(options: Options<Answer> = {}) {
  const [isBusy, setBusy] = useState(false);
  const inFlight = useRef(false);
  const latest = useRef(options);
  latest.current = options;
  const { revalidate } = useRevalidator();

  const run = useCallback(
    async (line: CallLine, input: CallInput = {}, isRetry = false): Promise<void> => {
      // C-06: a second call while one is in flight is skipped.
      if (inFlight.current) return;
      inFlight.current = true;
      setBusy(true);
      const keyed = { ...input, idempotencyKey: input.idempotencyKey ?? crypto.randomUUID() };
      try {
        const answer = await callUntilAnswered<Answer>(line, keyed);
        const { success, onDone } = latest.current;
        if (success) toast.success(typeof success === "function" ? success(answer) : success);
        onDone?.(answer);
        tellOtherTabs();
        revalidate();
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        console.error(error);
        latest.current.onRefused?.();
        const again = () => void run(line, keyed, true);
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
        } else if (isUnanswered(error))
          toast.error(error.message, { action: { label: "Try again", onClick: again } });
        else {
          toast.errors(error.body.errors);
          // Somebody was quicker, here or on another device: show how it stands.
          revalidate();
        }
      } finally {
        inFlight.current = false;
        setBusy(false);
      }
    },
    [revalidate],
  );
  return { run, isBusy };
}

async function callUntilAnswered<Answer>(line: CallLine, input: CallInput): Promise<Answer> {
  for (const wait of WAITS_MS) {
    try {
      return await callServer<Answer>(line, input);
    } catch (error) {
      if (!(error instanceof CallError) || !isUnanswered(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return callServer<Answer>(line, input);
}

/** Something of one's own has changed here. */
export function tellOtherTabs(): void {
  const said = channel();
  said?.postMessage("changed");
  said?.close();
}

const STALE_MS = 15_000;

/** Reads the page anew when another tab changed something, and when it is looked at again after a while (a closed laptop). */
export function useFreshWhenSeen(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const said = channel();
    if (said) said.onmessage = () => revalidate();
    let hiddenAt = 0;
    const look = () => {
      if (document.visibilityState === "hidden") hiddenAt = Date.now();
      else if (hiddenAt > 0 && Date.now() - hiddenAt > STALE_MS) revalidate();
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("online", revalidate);
    return () => {
      said?.close();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("online", revalidate);
    };
  }, [revalidate]);
}
