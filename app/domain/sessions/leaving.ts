// The price of a seat, and whether giving it up returns the token to its payer. Pure.
import { HOUR, type Instant, MINUTE } from "~/domain/time";

/** A start that moves by more than this asks the holders of standing seats again, until so long before it (G-16). */
export const ASKED_AGAIN = 15 * MINUTE;
export const ANSWERED_BEFORE = HOUR;

/** The facts of a seat that decide. */
export type SeatTerms = {
  /** The start at the time of joining; null where the session had none. */
  joinedStart: Instant | null;
  isStanding: boolean;
  /** A standing seat: the holder is asked since then, because the start moved (G-16). */
  askedAt: Instant | null;
  /** False where the host paid for it (B-07). */
  isOwn: boolean;
  /** Until then the token returns though the session has begun. */
  returnsUntil: Instant | null;
};

/** A seat returns its token until an hour before the start, a standing seat until a day before. */
const SEAT_RETURNS_UNTIL = HOUR;
const STANDING_SEAT_RETURNS_UNTIL = 24 * HOUR;

/** Without a start always, from the start on never. */
export function returnsToken(
  seat: Omit<SeatTerms, "isOwn" | "returnsUntil">,
  startedAt: Instant | null,
  now: Instant,
): boolean {
  if (startedAt === null) return true;
  const left = startedAt - now;
  if (left <= 0) return false;
  if (seat.isStanding) return left >= (seat.askedAt === null ? STANDING_SEAT_RETURNS_UNTIL : ANSWERED_BEFORE);
  const { joinedStart } = seat;
  return (
    left >= SEAT_RETURNS_UNTIL || joinedStart === null || Math.abs(startedAt - joinedStart) > ASKED_AGAIN
  );
}

/** The start that people count with: the first planned one, where a person started the session long before it. */
export const countedStart = (startedAt: Instant, plannedStart: Instant | null | undefined): Instant =>
  plannedStart != null && plannedStart - startedAt > ASKED_AGAIN ? plannedStart : startedAt;

/** The sentence of the dialog before a seat is given up, until the session ends. */
export function leavingSentence(seat: SeatTerms, startedAt: Instant | null, now: Instant): string {
  const isKept = seat.returnsUntil !== null && now < seat.returnsUntil;
  if (isKept || returnsToken(seat, startedAt, now))
    return seat.isOwn ? "You get the token back." : "The host, who paid, gets the token back.";
  if (startedAt !== null && startedAt <= now)
    return "The token is not returned, because the session has begun.";
  const isDay = seat.isStanding && seat.askedAt === null;
  return `The token is not returned, because the session starts in less than ${isDay ? "a day" : "an hour"}.`;
}

/** Before the press of Join. */
export const joiningSentence = ({ isFree }: { isFree: boolean }): string =>
  isFree ? "Joining is free: the host pays for your spot." : "Joining costs 1 token.";
