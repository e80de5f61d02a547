// Deleting an account: the days in which it can still be kept, and what stands in its place afterwards.
import { DAY, type Instant, instant } from "./time";

/** From the wish to the deletion. Signing in before then keeps the account. */
export const GRACE_DAYS = 14;

export const dueAt = (now: Instant): Instant => instant(now + GRACE_DAYS * DAY);

/** What others see instead of the name. Has a dot, so nobody can register it (V-04). */
export const deletedName = (userId: number): string => `deleted.${userId}`;
/** An address that no mail reaches (RFC 2606). */
export const deletedEmail = (userId: number): string => `${deletedName(userId)}@deleted.invalid`;
export const isDeletedEmail = (email: string): boolean => email.endsWith("@deleted.invalid");

export const ACCOUNT_KEPT = "Welcome back. Your account stays: it will not be deleted.";

export const deletionAsked = (day: string): string =>
  `Your account will be deleted on ${day}. Sign in before then, and it stays.`;
