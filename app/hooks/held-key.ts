// The idempotency key of a button's call: a press after a failure that may hide a success repeats the call under the
// same key.
import { MINUTE } from "~/domain/time";
import { CallError } from "./call-server";

/** By then the provider's events have told the server of an order whose answer was lost. Milliseconds. */
const MAX_HOLD = MINUTE;

/**
 * Sends calls, each under a key that it holds until a success or INVALID, or for a minute. After any other failure, an
 * order may have been made all the same; but the provider also repeats a failure of its own for as long as the key
 * lives. Another `request` is another call, with a key of its own.
 */
export function holdKey() {
  let held: { key: string; request: string; since: number } | null = null;
  return async <Answer>(request: object, send: (key: string) => Promise<Answer>): Promise<Answer> => {
    const text = JSON.stringify(request);
    if (held?.request !== text || Date.now() - held.since >= MAX_HOLD)
      held = { key: crypto.randomUUID(), request: text, since: Date.now() };
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
