// A new address of a call (J-01).
import { CALL_BYTES, callAt } from "~/domain/sessions/call";
import type { SeriesTemplate } from "~/domain/sessions/input";

export const newCall = (base: string): string =>
  callAt(base, crypto.getRandomValues(new Uint8Array(CALL_BYTES)));

/**
 * The call of a new session: a new one for the site itself, which is no room, and for a date of a series whose dates have
 * a call each. Such a date has none without a site.
 */
export function callOfDate(
  { meetingLink = "", hasOwnCalls = false }: Pick<SeriesTemplate, "meetingLink" | "hasOwnCalls">,
  base: string | null,
): string {
  if (base === null) return hasOwnCalls ? "" : meetingLink;
  return hasOwnCalls || meetingLink === base ? newCall(base) : meetingLink;
}
