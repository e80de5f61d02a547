// The waiting list of a full session (G-18 to G-23): limits, phases and sentences.
import { DAY, HOUR, type Instant, instant, MINUTE } from "~/domain/time";

export const WAITING_LIMITS = {
  /** The most people on one list. */
  most: 500,
  /** How long an offered seat is reserved. */
  offer: 10 * MINUTE,
  /** From this long before the start a freed seat is offered instead of given. */
  offersBefore: HOUR,
  /** How long a place waits for another code. */
  code: 7 * DAY,
  /** This long after the start the list closes. */
  closesAfter: 15 * MINUTE,
} as const;

export const WAITING_SENTENCES = {
  seatFree: "There is a free seat. Please join.",
  updateAfterSeat: "You have a seat in this session already.",
  closed: "The waiting list of this session is closed.",
  full: `There are ${WAITING_LIMITS.most} people on the waiting list already.`,
} as const;

/** A freed seat is given to the first waiter, offered to that person, or open to everybody (G-22). */
export function waitingPhase({ startedAt }: { startedAt: Instant | null }, now: Instant) {
  if (startedAt === null || now < startedAt - WAITING_LIMITS.offersBefore) return "given";
  return now < startedAt + WAITING_LIMITS.closesAfter ? "offered" : "open";
}

/** The list as the record has it: its length, the reserved seats, and the viewer's own place. */
export type WaitingList = {
  length: number;
  held: number;
  /** From 1; null for people who do not wait. */
  position: number | null;
  offeredUntil: Instant | null;
  /** The viewer has not given the session's code, which is another one since then. */
  codeAskedAt: Instant | null;
};

/** The end of a place whose person does not give the code. */
export const codeExpiryOf = (askedAt: Instant | null): Instant | null =>
  askedAt === null ? null : instant(askedAt + WAITING_LIMITS.code);

const isOffered = ({ offeredUntil }: WaitingList, now: Instant): boolean =>
  offeredUntil !== null && now < offeredUntil;

/** Seats that others may still take. */
export const heldFromOthers = (list: WaitingList, now: Instant): number =>
  list.held - (isOffered(list, now) ? 1 : 0);

/** The viewer's own place; null for people who do not wait, and for an offer that has expired. */
export const placeIn = (
  list: WaitingList,
  now: Instant,
): { position: number; offeredUntil: Instant | null; codeUntil: Instant | null } | null =>
  list.position === null || (list.offeredUntil !== null && !isOffered(list, now))
    ? null
    : {
        position: list.position,
        offeredUntil: list.offeredUntil,
        codeUntil: codeExpiryOf(list.codeAskedAt),
      };
