// The call of a session on another site (J-01 to J-04). Pure.
import { MINUTE } from "~/domain/time";
import { SESSION_STATUS, statusAt } from "./status";

/** Random bytes of a call's address: 160 bits. */
export const CALL_BYTES = 20;

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** The address of a call at `base`; each five bits of `random` make a letter. */
export function callAt(base: string, random: Uint8Array): string {
  const bits = [...random].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const room = (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)]).join("");
  return `${base.replace(/\/$/, "")}/${room}`;
}

/** True for an address that the site made at `base`: it is nobody's own room. */
export const isCallAt = (base: string, link: string): boolean =>
  link.startsWith(callAt(base, new Uint8Array())) &&
  link.length === callAt(base, new Uint8Array(CALL_BYTES)).length;

/**
 * A hash that tells one address from another: the room and the socket know only this. Null for no call.
 */
export function callMark(link: string): string | null {
  if (link === "") return null;
  let hash = 0x811c9dc5;
  for (const letter of link) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The site that a call opens, as people read it. */
export const callSite = (link: string): string => (URL.canParse(link) ? new URL(link).host : link);

/** The dates that get a call: this date, all dates with one call, or each date with a call of its own. */
export const CALL_DATES = ["this", "all", "each"] as const;
export type CallDates = (typeof CALL_DATES)[number];

const MEETING_BEFORE = 30 * MINUTE;
/** Participants see the meeting link from half an hour before the start until the end (G-38). */
export const isMeetingOpen = (
  session: { startedAt: number | null; endedAt: number | null },
  now: number,
): boolean =>
  session.startedAt !== null &&
  now >= session.startedAt - MEETING_BEFORE &&
  statusAt(session, now) !== SESSION_STATUS.ended;
