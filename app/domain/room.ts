// A live room as a value: who is in it, its schedule, its texts, and what may change it. No platform in it: what a change
// does is room-change.ts, what happens by itself room-advance.ts, what the record in D1 says room-record.ts.
import type { SlowMode } from "./chat";
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

/** The text of the host alone, without contributions. */
export type HostText = { content: string; contentHtml: string };

export type RoomState = {
  sessionId: number;
  /** Number of the last durable event; messages and changes share it. */
  seq: number;
  title: string;
  content: string;
  contentHtml: string;
  summary: string;
  prompt: string;
  /** As it was saved last before the first contribution; null: nobody has contributed. */
  hostText: HostText | null;
  /** A join code closes the session to people without a seat. */
  hasCode: boolean;
  /** Seconds between two lines of one person. */
  slowMode: SlowMode;
  isManuallyStarted: boolean;
  startedAt: Instant | null;
  endedAt: Instant | null;
  /** The end by the parts alone; `endedAt` lies beyond it while a wait holds the session open. */
  partsEndAt?: Instant | null;
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
  | { type: "edit-line"; by: RoomActor; line: number; content: string }
  | { type: "remove-line"; by: RoomActor; line: number }
  /** A log was recorded in D1: everybody sees it at once. */
  | { type: "logged"; log: RoomLog }
  | { type: "reset"; by: RoomActor };

/** A change of the room's state. A line of the chat and a log are rows of their own. */
export type StateChange = Exclude<RoomChange, { type: "say" | "edit-line" | "remove-line" | "logged" }>;

export type RoomLog = {
  id: number;
  username: string;
  goalTitle: string;
  action: string;
  unit: string;
  sessionGoalUuid: string | null;
  title: string;
  amount: number | null;
  distance: number | null;
  /** Milliseconds counted. */
  duration: number;
  status: number;
  createdAt: Instant;
};

/** A line of the chat as the room keeps it. A removed one keeps its number and holds no text. */
export type RoomMessage = {
  seq: number;
  username: string;
  content: string;
  createdAt: Instant;
  nonce: string;
  editedAt: Instant | null;
  isRemoved: boolean;
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

/** The people whose participation is not done, in order of joining: the keys of turns (T-15). */
export const rosterOf = (room: {
  participants: readonly Pick<RoomParticipant, "username" | "completedAt">[];
}): string[] =>
  room.participants.filter((person) => person.completedAt === null).map((person) => person.username);

/** A side of a room that changed. Each becomes one operation on the wire; `access`, the right to listen, becomes none. */
export type RoomTopic = "participants" | "status" | "parts" | "content" | "summary" | "slow-mode" | "access";
