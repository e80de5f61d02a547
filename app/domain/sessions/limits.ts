// The limits of a session's fields, and the sentences that refuse one. It imports little, because the form of a
// session loads it without the schedule.
import { SESSION_LENGTH, SESSION_SECONDS } from "~/domain/schedule/length";
import { DAY, MINUTE } from "~/domain/time";
import { sessionFull } from "./refusals";

export const SESSION_SENTENCES = {
  noTitle: "Please set the challenge title.",
  noDuration: "Please set the challenge duration.",
  length: SESSION_LENGTH,
  ended: "This session has ended.",
  full: sessionFull,
  hostOutOfTokens: "The host pays for joining this session and is out of tokens.",
  pastStart: "Please choose a start in the future.",
  farStart: "Please choose a start within the next five years.",
  started: "This session has already started.",
  hostHere: "The host is here.",
  claimedEarly: "You can claim this session from 5 minutes before its start.",
  claimedFromAfar: "Please open the session’s page, and then claim it.",
  hostStays: "The host cannot leave. Hand the session to another participant, or end it.",
} as const;

export const SESSION_LIMITS = {
  title: 200,
  content: 200_000,
  prompt: 20_000,
  joinCode: 60,
  meetingLink: 500,
  goals: 100,
  /** A start that a slow clock put into the past is accepted. */
  pastStart: 5 * MINUTE,
  /** How far in the future a start may be. */
  startAhead: 5 * 365.25 * DAY,
} as const;

/** V-21: the problem of a session's length (seconds), or null. */
export function sessionDurationProblem(duration: number): string | null {
  if (!(duration > 0)) return SESSION_SENTENCES.noDuration;
  const isAllowed = duration >= SESSION_SECONDS.min && duration <= SESSION_SECONDS.max;
  return isAllowed ? null : SESSION_SENTENCES.length;
}

/** Guests of a session, unless the host says otherwise (H-17). */
export const GUESTS_BY_DEFAULT = 5;
