// The kinds of emails that a link in the email switches off (N-30, N-31). Pure.
import { kindRule, NOTICE_KINDS, type NoticeKind } from "./notices";

/** A kind of notice, or the digest. */
export type MailedKind = NoticeKind | "digest";

const names = Object.keys(NOTICE_KINDS) as NoticeKind[];
const hasMail = (kind: NoticeKind): boolean => kindRule(kind).mail !== null && !kindRule(kind).isFixed;

/** The kinds whose emails stop; the digest means every kind in it. Empty for an unknown or fixed kind. */
export const kindsToStop = (kind: string): NoticeKind[] =>
  kind === "digest"
    ? names.filter((name) => hasMail(name) && kindRule(name).isDigested)
    : names.filter((name) => name === kind && hasMail(name));

/** The part of a day's emails after which digests and recaps wait for the next day (N-36). */
const PART_FOR_LATER = 0.8;
/** The emails of a day after which this kind waits for the next; fixed kinds never wait (N-36). */
export function mailsOfDay(kind: MailedKind, limit: number): number {
  if (kind === "digest" || kind === "recap") return Math.floor(limit * PART_FOR_LATER);
  return kindRule(kind).isFixed ? Number.MAX_SAFE_INTEGER : limit;
}

export const labelOfMails = (kind: MailedKind): string =>
  kind === "digest" ? "Digests of your notices" : kindRule(kind).label;
