// The idempotency key of a button's call: a press after a failure that may hide a success repeats the call under the
// same key.
import { CallError } from "./call-server";

/**
 * Sends calls, each under a key that it holds until a success or INVALID. After any other failure, an order may have been
 * made all the same. Another `request` is another call, with a key of its own.
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
      // The provider repeats a declined card under its key.
      if (error instanceof CallError && error.code === "INVALID") held = null;
      throw error;
    }
  };
}
