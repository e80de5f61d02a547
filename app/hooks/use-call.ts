// The hook of a button's JSON call. It sends one call about a record at a time, handles refusals with modals and toasts,
// and reloads the page's data afterwards.
import { useCallback, useRef, useState } from "react";
import type { CallPath } from "~/wire/call-path";
import { isKeptCall } from "~/wire/kept-calls";
import { CallError, type CallInput, callServer, claimCall } from "./call-server";
import { handleRefusal } from "./refusals";
import { toast } from "./toasts";
import { notifyOtherTabs, useFreshData } from "./use-fresh-data";

type Options<Answer> = {
  /** Success toast (M rows). */
  success?: string | ((answer: Answer) => string);
  onDone?: (answer: Answer) => void;
  /** Reverts an optimistic update. Returns true when it has handled the error. */
  onError?: (error: CallError) => boolean | undefined;
  /** Reverts an optimistic update of a call that was skipped, because one about the same record is in flight (C-06). */
  onSkip?: () => void;
  /** Repeats the call with its key or uuid until it is answered. */
  retries?: boolean;
};

/** Delays before the second, third and fourth attempt. */
const WAITS_MS = [800, 3000, 9000];

export function useCall<Answer = unknown>(options: Options<Answer> = {}) {
  const [pending, setPending] = useState(0);
  const latest = useRef(options);
  latest.current = options;
  const reloadData = useFreshData();

  const run = useCallback(
    async (call: CallPath, input: CallInput = {}, isRetry = false): Promise<void> => {
      const release = claimCall(call, input);
      if (!release) return latest.current.onSkip?.();
      setPending((count) => count + 1);
      // A retry after the modal is the same request, so it has the same key.
      const key = input.idempotencyKey === undefined ? crypto.randomUUID() : input.idempotencyKey;
      const keyedInput = { ...input, idempotencyKey: key };
      try {
        const answer = await callUntilAnswered<Answer>(
          call,
          keyedInput,
          latest.current.retries ? WAITS_MS : [],
        );
        const { success, onDone } = latest.current;
        if (success) toast.success(typeof success === "function" ? success(answer) : success);
        release();
        onDone?.(answer);
        notifyOtherTabs();
        reloadData();
      } catch (error) {
        release();
        if (!(error instanceof CallError)) throw error;
        console.error(error);
        if (latest.current.onError?.(error)) return;
        const retry = (isNextRetry: boolean) => void run(call, keyedInput, isNextRetry);
        const { code, message, body } = error;
        const resumes = isKeptCall(call) && String(call);
        if (handleRefusal({ code, message, lacksTokens: body.lacks_tokens }, { retry, isRetry, resumes }))
          return;
        if (error.isUnanswered) {
          toast.error(message, { action: { label: "Try again", onClick: () => retry(isRetry) } });
          return;
        }
        toast.errors(body.errors);
        // The page's data may be old, because another person or device was faster.
        reloadData();
      } finally {
        setPending((count) => count - 1);
      }
    },
    [reloadData],
  );
  return { run, isBusy: pending > 0 };
}

async function callUntilAnswered<Answer>(
  call: CallPath,
  input: CallInput,
  waits: readonly number[],
): Promise<Answer> {
  for (const wait of waits) {
    try {
      return await callServer<Answer>(call, input);
    } catch (error) {
      if (!(error instanceof CallError) || !error.isUnanswered) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return callServer<Answer>(call, input);
}
