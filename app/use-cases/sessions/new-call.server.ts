// A new address of a call (J-01).
import { CALL_BYTES, callAt } from "~/domain/sessions/call";

export const newCall = (base: string): string =>
  callAt(base, crypto.getRandomValues(new Uint8Array(CALL_BYTES)));

/**
 * The call of a new session. A series whose dates have a call each stores the site instead, and each date gets its own.
 */
export const callOfDate = (meetingLink: string, base: string | null): string =>
  base !== null && meetingLink === base ? newCall(base) : meetingLink;
