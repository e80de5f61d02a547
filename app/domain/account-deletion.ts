// Deleting an account: the grace period, and the placeholders that replace the user.
import { DAY, type Instant, instant } from "./time";

/** From the request to the deletion. Signing in within this time cancels it. */
export const GRACE_DAYS = 14;

export const dueAt = (now: Instant): Instant => instant(now + GRACE_DAYS * DAY);

/** The name that others see after the deletion. It contains a dot, so nobody can register it (V-04). */
export const deletedName = (userId: number): string => `deleted.${userId}`;
/** An address that receives no mail (RFC 2606). */
export const deletedEmail = (userId: number): string => `${deletedName(userId)}@deleted.invalid`;
export const isDeletedEmail = (email: string): boolean => email.endsWith("@deleted.invalid");

export const ACCOUNT_KEPT = "Welcome back. Your account stays: it will not be deleted.";

export const deletionAsked = (day: string): string =>
  `Your account will be deleted on ${day}. Sign in before then, and it stays.`;
