// The record of a session that ran: its plan as the run began, and the outcome (G-32).
import type { Instant, Millis, Seconds } from "~/domain/time";

type RecapPart = {
  title: string;
  /** Null for a part that was added during the run. */
  planned: Seconds | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  added: Seconds;
  paused: Millis;
};
/** A person without a name, because accounts are renamed when they are deleted. */
type RecapPerson = { userId: number; seconds: Seconds; hasCome: boolean };
export type Recap = {
  plannedStart: Instant | null;
  plannedEnd: Instant | null;
  startedAt: Instant;
  endedAt: Instant;
  parts: RecapPart[];
  /** Everybody whose presence counts: people with a seat, and last those who gave it up after the start (G-26). */
  people: RecapPerson[];
  lines: number;
};
/** The totals of a goal over everybody, in thousandths, millimetres and milliseconds. */
type RecapGoal = { title: string; unit: string; amount: number; distance: number; duration: Millis };
/** The recap as D1 stores it. The batch that closes the session adds the totals of its goals. */
export type StoredRecap = Recap & { goals: RecapGoal[] };
