// The confirmation of an email address: its links, and which emails an unconfirmed address gets. Pure.
import { AppError } from "~/domain/errors";

export const CONFIRM_FIRST = "Please confirm your email address first.";
export const LINK_EXPIRED = "This link has expired. We can send you a new one.";
export const RESTORE_EXPIRED = "This link has expired. The address of the account stays as it is.";
export const ALREADY_CONFIRMED = "Your email address is confirmed already.";
export const CONFIRMED = "Thank you. Your email address is confirmed.";
export const restoredSentence = (email: string): string =>
  `The address of your account is ${email}, and every login was ended.`;
export const linkSentSentence = (email: string): string => `We sent a link to ${email}.`;

export const CONFIRM_LINK_HOURS = 48;
export const RESTORE_LINK_DAYS = 7;
/** "This wasn't me" also removes means of signing in that were added in so many days before the change. */
export const RESTORE_REACH_DAYS = 7;

/** An account, as far as these rules need it. */
export type Addressee = { isConfirmed: boolean };

/** FORBIDDEN without a confirmed address, for the acts that write to many or to strangers. */
export function requireConfirmed(user: Addressee): void {
  if (!user.isConfirmed) throw new AppError("FORBIDDEN", CONFIRM_FIRST, { asksToConfirm: true });
}

const SECURITY_MAIL = [
  "confirmation",
  "reset",
  "password-changed",
  "sign-in-changed",
  "address-changed",
  "deletion",
  "suspension",
] as const;
/** An alert goes to the operator, who has no account. */
export type MailKind = (typeof SECURITY_MAIL)[number] | "notice" | "alert";

/** On the account page, until the address is confirmed again (N-35). */
export const unreachableSentence = (email: string): string =>
  `We could not reach ${email}. Please check the address.`;

/** an unconfirmed address receives security emails only. */
export const mayReceive = (kind: MailKind, { isConfirmed }: Addressee): boolean =>
  isConfirmed || SECURITY_MAIL.some((security) => security === kind);
