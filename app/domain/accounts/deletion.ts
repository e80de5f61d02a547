// Deleting an account: the grace period, and its sentences.
import { DAY, type Instant, instant } from "~/domain/time";

/** From the request to the deletion. Signing in within this time cancels it. */
export const GRACE_DAYS = 14;

export const dueAt = (now: Instant): Instant => instant(now + GRACE_DAYS * DAY);

export const ACCOUNT_KEPT = "Welcome back. Your account stays: it will not be deleted.";

export const deletionAsked = (day: string): string =>
  `Your account will be deleted on ${day}. Sign in before then, and it stays.`;
