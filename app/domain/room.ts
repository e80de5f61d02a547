// A live room as a value: who is in it, its schedule, its texts; what may change it, and what it is at an instant.
// No platform in it: apply(state, change, now), advance(state, now), nextDueAt(state, now).
import type { Schedule } from "./schedule";
import type { Instant, Seconds } from "./time";

export type RoomParticipant = {
  userId: number;
  /** What the room and the wire know people by; also the key of turns. */
  username: string;
  role: 0 | 1;
  isHost: boolean;
  joinedAt: Instant;
  isReady: boolean;
  /** Their own participation is done (S-07). */
  completedAt: Instant | null;
};

export type RoomState = {
  sessionId: number;
  /** Number of the last durable event; messages and changes share it. */
  seq: number;
  title: string;
  content: string;
  contentHtml: string;
  summary: string;
  prompt: string;
  isManuallyStarted: boolean;
  startedAt: Instant | null;
  endedAt: Instant | null;
  /** The instant the run began (S-05); null while awaiting. From then on the room alone writes the schedule. */
  runBegunAt: Instant | null;
  /** Ended by the host, or by all being done: then nothing of it moves any more. */
  hasEnded: boolean;
  duration: Seconds;
  /** When everything was settled after the end; the room then rests for good. */
  closedAt: Instant | null;
  schedule: Schedule;
  participants: RoomParticipant[];
};

/** Who asks for a change, as the worker established it. */
export type RoomActor = { userId: number; username: string; isSuperAdmin: boolean };

export type PartAction = "start" | "pause" | "resume" | "finish" | "reset";

export type RoomChange =
  | { type: "start"; by: RoomActor }
  | { type: "end"; by: RoomActor }
  | { type: "complete"; by: RoomActor }
  | { type: "set-ready"; by: RoomActor; isReady: boolean }
  | { type: "control-part"; by: RoomActor; partId: string; action: PartAction }
  | { type: "adjust-part"; by: RoomActor; partId: string; seconds: number }
  | { type: "replace-schedule"; by: RoomActor; schedule: Schedule }
  | {
      type: "save-content";
      by: RoomActor;
      title?: string;
      content?: string;
      contentHtml?: string;
      clientUuid?: string;
    }
  | { type: "save-prompt"; by: RoomActor; prompt: string }
  | { type: "contribute"; by: RoomActor; contribution: string; contributionHtml: string }
  | { type: "set-summary"; summary: string }
  | { type: "say"; by: RoomActor; content: string; nonce: string; clientUuid?: string }
  /** A log was recorded in D1: everybody sees it at once. */
  | { type: "logged"; log: RoomLog }
  | { type: "reset"; by: RoomActor };

export type RoomLog = {
  id: number;
  username: string;
  goalTitle: string;
  action: string;
  unit: string;
  taskUuid: string | null;
  title: string;
  amount: number | null;
  distance: number | null;
  /** Milliseconds counted. */
  duration: number;
  status: number;
  createdAt: Instant;
};

export type RoomMessage = {
  seq: number;
  username: string;
  content: string;
  createdAt: Instant;
  nonce: string;
};

/** What a newcomer, a reconnecting client or a page is shown. */
export type RoomView = {
  now: Instant;
  state: RoomState;
  /** Usernames with an open socket. */
  online: string[];
  /** The newest messages, oldest first. */
  messages: RoomMessage[];
};
