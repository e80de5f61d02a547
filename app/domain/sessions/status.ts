// The status of a session at an instant. It is never stored; every check and every page calls this function (S-04).
import { type Instant, MINUTE, SECOND } from "~/domain/time";

/** `waiting`: awaiting participants, `running`: in progress (S-04). */
export const SESSION_STATUS = { waiting: 0, running: 1, ended: 2 } as const;
export type SessionStatus = (typeof SESSION_STATUS)[keyof typeof SESSION_STATUS];
export type SessionTimes = { startedAt: Instant | null; endedAt: Instant | null };

/** 0 without a start or before it, 1 from the start, 2 from the millisecond of the end. */
export const statusAt = (
  { startedAt, endedAt }: { startedAt: number | null; endedAt: number | null },
  now: number,
): SessionStatus => {
  if (startedAt === null || startedAt > now) return SESSION_STATUS.waiting;
  return endedAt !== null && endedAt <= now ? SESSION_STATUS.ended : SESSION_STATUS.running;
};

/** Seconds from the start to the end, which additions and an early end move; without both, the planned ones. */
export const lengthOf = ({
  startedAt,
  endedAt,
  duration,
}: {
  startedAt: number | null;
  endedAt: number | null;
  duration: number;
}): number => (startedAt !== null && endedAt !== null ? (endedAt - startedAt) / SECOND : duration);

/** Cancelled before it began (B-14): by its host, or because nobody came to host it (G-31). */
export const isCancelled = (session: {
  startedAt: number | null;
  endedAt: number | null;
  closedAt: number | null;
  cancelledStart: number | null;
}): boolean =>
  session.closedAt !== null && (session.cancelledStart !== null || session.startedAt === session.endedAt);

export const NEAR_BEFORE = 10 * MINUTE;
/** True from ten minutes before the start, when people arrive; always without a known start. */
export const isNearStart = ({ startedAt }: { startedAt: number | null }, now: number): boolean =>
  startedAt === null || now >= startedAt - NEAR_BEFORE;

const CLAIM_BEFORE = 5 * MINUTE;
/** An admin may claim the session of an absent host from 5 minutes before the start until the end (G-29). */
export const isClaimOpen = (
  session: { startedAt: number | null; endedAt: number | null },
  now: number,
): boolean =>
  session.startedAt !== null &&
  now >= session.startedAt - CLAIM_BEFORE &&
  statusAt(session, now) !== SESSION_STATUS.ended;
