// The price of a seat, and whether giving it up returns the token to its payer. Pure.
import { HOUR, type Instant, MINUTE } from "~/domain/time";

/** A start that moves by more than this asks the holders of standing seats again (G-16). Milliseconds. */
export const MOVED_FAR = 15 * MINUTE;
/** They answer until so long before the new start. Milliseconds. */
export const ANSWERED_BEFORE = HOUR;

/** The facts of a seat that decide whether its token is returned. */
export type SeatTerms = {
  /** The start at the time of joining; null where the session had none. */
  joinedStart: Instant | null;
  isStanding: boolean;
  /** Since when the holder of a standing seat is asked whether they keep it, because the start moved (G-16). */
  askedAt: Instant | null;
  /** False where the host paid for it (B-07). */
  isOwn: boolean;
  /** Until then the token returns though the session has begun. */
  returnsUntil: Instant | null;
};

/** A seat returns its token until an hour before the start, a standing seat until a day before. */
const SEAT_RETURNS_UNTIL = HOUR;
const STANDING_SEAT_RETURNS_UNTIL = 24 * HOUR;

/** True if giving up the seat returns its token: always without a start, never from the start on. */
export function returnsToken(
  seat: Omit<SeatTerms, "isOwn" | "returnsUntil">,
  startedAt: Instant | null,
  now: Instant,
): boolean {
  if (startedAt === null) return true;
  const timeLeft = startedAt - now;
  if (timeLeft <= 0) return false;
  if (seat.isStanding)
    return timeLeft >= (seat.askedAt === null ? STANDING_SEAT_RETURNS_UNTIL : ANSWERED_BEFORE);
  const { joinedStart } = seat;
  return (
    timeLeft >= SEAT_RETURNS_UNTIL || joinedStart === null || Math.abs(startedAt - joinedStart) > MOVED_FAR
  );
}

/** The start that people count with: the first planned one, where a person started the session long before it. */
export const countedStart = (startedAt: Instant, plannedStart: Instant | null | undefined): Instant =>
  plannedStart != null && plannedStart - startedAt > MOVED_FAR ? plannedStart : startedAt;

/** The sentence of the dialog before a seat is given up, until the session ends. */
export function leavingSentence(seat: SeatTerms, startedAt: Instant | null, now: Instant): string {
  const isKept = seat.returnsUntil !== null && now < seat.returnsUntil;
  if (isKept || returnsToken(seat, startedAt, now))
    return seat.isOwn ? "You get the token back." : "The host, who paid, gets the token back.";
  if (startedAt !== null && startedAt <= now)
    return "The token is not returned, because the session has begun.";
  const needsADay = seat.isStanding && seat.askedAt === null;
  return `The token is not returned, because the session starts in less than ${needsADay ? "a day" : "an hour"}.`;
}

/**
 * True if joining again before the start takes a token again: where joining is free (`isFree`), a payment that does not
 * return to the host is kept.
 */
export const paysAgain = (
  seat: SeatTerms,
  { isFree, startedAt, now }: { isFree: boolean; startedAt: Instant | null; now: Instant },
): boolean => seat.isOwn || !isFree || returnsToken(seat, startedAt, now);

/** The sentence beside the button Join. */
export const joiningSentence = ({ isFree }: { isFree: boolean }): string =>
  isFree ? "Joining is free: the host pays for your spot." : "Joining costs 1 token.";
