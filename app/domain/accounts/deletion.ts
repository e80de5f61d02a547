// Deleting an account: the grace period, and its sentences.
import { DAY, type Instant, instant } from "~/domain/time";

/** From the request to the deletion. Signing in within this time cancels it. */
export const GRACE_DAYS = 14;

export const deletionDueAt = (now: Instant): Instant => instant(now + GRACE_DAYS * DAY);

/** `isPlanCancelled`: the request stopped the renewal of a plan, and keeping the account does not start it again. */
export const keptAccountSentence = (isPlanCancelled: boolean): string =>
  `Welcome back. Your account stays: it will not be deleted.${isPlanCancelled ? " Your plan is still cancelled, and ends with the period that is paid." : ""}`;

export const deletionScheduledSentence = (day: string): string =>
  `Your account will be deleted on ${day}. Sign in before then, and it stays.`;
