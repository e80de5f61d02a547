// The idempotency key of a button's call: a press after a network failure repeats the call under the same key.
import { CallError } from "./call-server";

/**
 * Sends calls, each under a key that it holds until an answer that is not a network failure. Another `request` is another
 * call, with a key of its own.
 */
export function holdKey() {
  let held: { key: string; request: string } | null = null;
  return async <Answer>(request: object, send: (key: string) => Promise<Answer>): Promise<Answer> => {
    const text = JSON.stringify(request);
    if (held?.request !== text) held = { key: crypto.randomUUID(), request: text };
    try {
      const answer = await send(held.key);
      held = null;
      return answer;
    } catch (error) {
      if (!(error instanceof CallError && error.isUnanswered)) held = null;
      throw error;
    }
  };
}
