// The emails that an installation sends in a day (N-36). Pure.
import type { MailedKind } from "./unsubscribe";

/** The share of a day's emails after which digests and recaps wait for the next day (N-36). */
const SHARE_BEFORE_DIGESTS_WAIT = 0.8;
/** The emails of a day after which an email of this kind waits for the next; a security email never waits (N-36). */
export function mailsOfDay(kind: MailedKind | "security", limit: number): number {
  if (kind === "digest" || kind === "recap") return Math.floor(limit * SHARE_BEFORE_DIGESTS_WAIT);
  return kind === "security" ? Number.MAX_SAFE_INTEGER : limit;
}
