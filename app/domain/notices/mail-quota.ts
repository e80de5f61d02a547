// The emails that an installation sends in a day (N-36). Pure.
import { kindRule } from "./notices";
import type { MailedKind } from "./unsubscribe";

/** The share of a day's emails after which digests and recaps wait for the next day (N-36). */
const SHARE_BEFORE_DIGESTS_WAIT = 0.8;
/** The emails of a day after which this kind waits for the next; fixed kinds never wait (N-36). */
export function mailsOfDay(kind: MailedKind, limit: number): number {
  if (kind === "digest" || kind === "recap") return Math.floor(limit * SHARE_BEFORE_DIGESTS_WAIT);
  return kindRule(kind).isFixed ? Number.MAX_SAFE_INTEGER : limit;
}
