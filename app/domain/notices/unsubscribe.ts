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

export const labelOfMails = (kind: MailedKind): string =>
  kind === "digest" ? "Digests of your notices" : kindRule(kind).label;
