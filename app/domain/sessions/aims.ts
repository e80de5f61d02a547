// The answer of a person with a seat to "What will you do?". Pure.
import type { Instant } from "~/domain/time";
import { isNearStart, SESSION_STATUS, type SessionTimes, statusAt } from "./status";

/** Maximum characters of an answer. */
export const AIM_LENGTH = 140;

/** An answer is written from ten minutes before a known start until the end. */
export function aimTimeAt(session: SessionTimes, now: Instant): "early" | "open" | "over" {
  if (statusAt(session, now) === SESSION_STATUS.ended) return "over";
  return session.startedAt !== null && isNearStart(session, now) ? "open" : "early";
}

export const AIM_SENTENCES = {
  early: "You can write what you will do from ten minutes before the start.",
  long: `Please use at most ${AIM_LENGTH} characters.`,
  notSeated: "Please join the session to write what you will do.",
  noGoal: "You have no such goal.",
} as const;

/** The seats without the answers of muted people, which nobody reads. */
export const withoutMuted = <S extends { userId: number; aim?: string | undefined }>(
  seats: readonly S[],
  mutes: readonly { userId: number }[],
): readonly S[] => {
  if (mutes.length === 0) return seats;
  const muted = new Set(mutes.map(({ userId }) => userId));
  return seats.map((seat) => (seat.aim && muted.has(seat.userId) ? { ...seat, aim: "" } : seat));
};
