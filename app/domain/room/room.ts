// The types of a live room, and the lookups of its people. change.ts applies changes, advance.ts scheduled changes, and
// record.ts the record in D1.

import type { SeatRole } from "~/domain/roles";
import type { AuditAction } from "~/domain/safety/audit";
import type { HiddenPerson } from "~/domain/safety/blocks";
import type { Schedule } from "~/domain/schedule/schedule";
import type { Part } from "~/domain/schedule/shape";
import type { AuthoredMessage, HostLine, SlowMode } from "~/domain/sessions/chat";
import type { Contribution } from "~/domain/sessions/texts";
import { type Instant, type Millis, SECOND, type Seconds } from "~/domain/time";

/** The plan of a run as it began; `plannedStart` is null for a session started by hand. */
export type RunPlan = {
  plannedStart: Instant | null;
  end: Instant | null;
  /** The planned seconds of each part, by its id. */
  parts: Record<string, Seconds>;
};
/**
 * The effects of a run on each part, by its id. `endedAt` only where that of the part differs, because a pause that the
 * session's end cuts ends it early.
 */
export type Tally = Record<string, PartTally>;
export type PartTally = {
  added: Seconds;
  paused: Millis;
  endedAt?: Instant | undefined;
};

/** How long the host may take a step of a round back. Milliseconds. */
export const ROUND_UNDO = 10 * SECOND;
/** The parts that a step of a round changed, and the dates of the session, as they were before it. */
type RoundUndo = Pick<RoomState, "endedAt" | "partsEndAt" | "tally"> & {
  partId: string;
  until: Instant;
  parts: readonly Part[];
};
/** `next` and `end-round` by host and admins, who may `undo` either; `pass` by the speaker. */
export type RoundMove = "next" | "end-round" | "undo" | "pass";

/** A raised hand. `place` orders all hands of the room; `turns`: the person's turns that had begun, of the parts under way. */
export type Hand = { place: number; turns: number };

export type RoomParticipant = {
  userId: number;
  /** Identifies the person in the room and on the wire; also the key of turns. */
  username: string;
  role: SeatRole;
  isHost: boolean;
  joinedAt: Instant;
  isReady: boolean;
  /** The person is done (S-07). */
  completedAt: Instant | null;
  /** The handle of the seat, by which a listener who may not know the name acts. */
  handle?: string | null;
  /** The answer to "What will you do?", for people with a seat; a muted person has none. */
  aim?: string | undefined;
  /** The name of a guest as typed (H-23); empty or missing for an account. */
  guestName?: string | undefined;
  /** The raised hand (J-05). */
  hand?: Hand | undefined;
};

/**
 * A muted person. `until` null: no end, or with `endsWithSession` the end of the session; the mute of the hut then goes on
 * until `afterwards`.
 */
export type RoomMute = {
  userId: number;
  until: Instant | null;
  endsWithSession?: true;
  afterwards?: Instant;
};

export type RoomState = {
  sessionId: number;
  /** The sequence number of the last durable event; messages and changes share it. */
  seq: number;
  title: string;
  /** The host's text. */
  content: string;
  contentHtml: string;
  /** In the order of writing; people without a seat in a session with a join code see none. */
  contributions: readonly Contribution[];
  summary: string;
  prompt: string;
  /** A join code hides the session from people without a seat. */
  hasCode: boolean;
  /** The room of a private hut closes the sockets of spectators who may no longer watch. */
  isPrivate: boolean;
  /** Minimum seconds between two lines of a person. */
  slowMode: SlowMode;
  /** The muted people, with the end of each mute; ended mutes stay until the room reads D1 again. */
  mutes: readonly RoomMute[];
  isManuallyStarted: boolean;
  /** The room cancels the session if neither host nor admin comes (G-31). */
  needsHost: boolean;
  /** A host or admin has been in the room since the start. */
  hasHostCome?: boolean;
  /** The planned start of a session that the room cancelled, because nobody came to host it. */
  cancelledStart?: Instant | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  /** The end of the parts; `endedAt` is later while a waiting timer holds the session open. */
  partsEndAt?: Instant | null;
  /** The instant the run began (S-05); null while awaiting. From then on only the room writes the schedule. */
  runBegunAt: Instant | null;
  /** The person who started a manually started session (N-22). */
  startedBy?: number | null;
  /** The plan as the run began, and what changed it since (G-32). */
  plan?: RunPlan | null;
  /** The last edits of the texts, and of the timers, which an edit that began before does not replace unseen. */
  editedAt?: Readonly<Partial<Record<"title" | "content" | "prompt", Instant>>>;
  planEditedAt?: Instant;
  /** The last edits of fields that the record stores, such as the limit, by their names. */
  factsEditedAt?: Readonly<Record<string, Instant>>;
  tally?: Tally;
  /** The last step of a round, until another change of the parts. */
  undo?: RoundUndo | null;
  /** The latest end of a session that nobody may host any more. */
  endsBy?: Instant | null;
  /** Ended by the host, or because everybody is done; then nothing changes any more. */
  hasEnded: boolean;
  duration: Seconds;
  /** The instant at which the room settled everything after the end; from then on it sleeps. */
  closedAt: Instant | null;
  schedule: Schedule;
  participants: RoomParticipant[];
  /** The host's line on all screens (J-12). */
  line?: HostLine | null;
  /** The mark of the call's address, which the room does not know (J-03). */
  call?: string | null;
  /** The host has switched reactions off (J-06). */
  areReactionsOff?: boolean;
};

/** The person who asks for a change, as authenticated by the worker. */
export type RoomActor = {
  userId: number;
  username: string;
  isSuperAdmin: boolean;
  /** For sentences that name a time; UTC and `ANY_LOCALE` where they are missing. */
  timeZone?: string;
  locale?: string;
  /** A use case has written the audit row of this act, of which this change is a part. */
  isAudited?: true;
};

export type PartAction = "start" | "pause" | "resume" | "finish" | "reset";

/** A save of texts, timers and fields of the record, which the room accepts or refuses as a whole. */
export type RoomEdit = {
  type: "edit";
  by: RoomActor;
  /** The version from which the edit began; without it the last save wins. */
  since?: Instant;
  /** The record's version, as the caller read it; the edit's own is later. */
  recorded?: Instant;
  title?: string;
  content?: string;
  contentHtml?: string;
  prompt?: string;
  schedule?: Schedule;
  /** The names of the record's fields that the caller writes once the room has accepted. */
  facts?: readonly string[];
  /** The audit row of a super admin, if it names more than texts or timers. */
  act?: RoomAct;
};
/** A change that only the right of a super admin allows, as the audit names it. */
export type RoomAct = { action: AuditAction; previous: string };

export type RoomChange =
  | { type: "start"; by: RoomActor }
  | { type: "end"; by: RoomActor }
  /** A page of the last release sends no `isDone`, which then counts as true. */
  | { type: "complete"; by: RoomActor; isDone?: boolean }
  | { type: "set-ready"; by: RoomActor; isReady: boolean }
  | { type: "set-hand"; by: RoomActor; isUp: boolean }
  /** By host and admins. `username`: the name or handle of the hand's owner; null lowers all hands. */
  | { type: "lower-hands"; by: RoomActor; username: string | null }
  | { type: "switch-reactions"; by: RoomActor; isOn: boolean }
  | { type: "control-part"; by: RoomActor; partId: string; action: PartAction }
  | { type: "adjust-part"; by: RoomActor; partId: string; seconds: number; isOnward?: boolean }
  /** `speaker`: nothing changes if the turn of this person is over. */
  | { type: "move-round"; by: RoomActor; partId: string; move: RoundMove; speaker?: string | undefined }
  | RoomEdit
  // Sent by the pages of the last release.
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
  | {
      type: "contribute";
      by: RoomActor;
      contribution: string;
      contributionHtml: string;
      uuid?: string;
      isPassing?: boolean;
    }
  | { type: "set-summary"; summary: string }
  /** Nobody remains who may host it. */
  | { type: "end-soon" }
  | { type: "say"; by: RoomActor; content: string; nonce: string; clientUuid?: string }
  /** A line of the chat on all screens, which costs nothing (J-12). */
  | { type: "show-line"; by: RoomActor; content: string; nonce: string }
  | { type: "clear-line"; by: RoomActor }
  | { type: "edit-line"; by: RoomActor; line: number; content: string }
  | { type: "remove-line"; by: RoomActor; line: number; reason?: string }
  /** The host took this person's seat, which D1 has deleted already; `withLines`: the chat lines too. */
  | { type: "expel"; by: RoomActor; userId: number; withLines: boolean; reason?: string }
  /** A log was recorded in D1; everybody sees it at once. */
  | { type: "logged"; log: RoomLog; userId: number; uuid?: string }
  | { type: "reset"; by: RoomActor };

/** A change of the room's state. Chat lines and logs are stored as rows. */
export type StateChange = Exclude<
  RoomChange,
  { type: "say" | "show-line" | "clear-line" | "edit-line" | "remove-line" | "expel" | "logged" }
>;

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

/** A log that has changed in D1 since the room read it. `log` is the log as it is now, null if it was deleted. */
export type MarkedLog = { uuid: string; id: number; version: number; userId: number; log: RoomLog | null };

/** The view for a new client, a reconnecting client or a page. */
export type RoomView = {
  now: Instant;
  state: RoomState;
  /** Usernames of the people who are in the room. */
  online: string[];
  /** The users who have been in the room, before the first planned start of a session that began early. */
  visitors?: number[];
  /** The newest messages, oldest first. */
  messages: AuthoredMessage[];
  /** Everybody with a block in this room; missing where there is none (J-10). */
  apart?: HiddenPerson[];
  /** The lines that were on all screens, oldest first (J-12). */
  hostLines?: AuthoredMessage[];
  /** The people who gave up their seats, for the recap of a closed session. */
  departed?: { userId: number; username: string }[];
};

export const NOT_JOINED = "Please join the challenge to use that feature.";

/** The usernames in order of joining: the keys of turns (T-15). A person who is done keeps their turn. */
export const rosterOf = (room: { participants: readonly Pick<RoomParticipant, "username">[] }): string[] =>
  room.participants.map(({ username }) => username);

export const seatOf = (state: Pick<RoomState, "participants">, actor: RoomActor): RoomParticipant | null =>
  state.participants.find((person) => person.userId === actor.userId) ?? null;

/** Everybody with a seat is done: the session ends (S-07). */
export const areAllDone = (participants: readonly Pick<RoomParticipant, "completedAt">[]): boolean =>
  participants.length > 0 && participants.every(({ completedAt }) => completedAt !== null);

/**
 * A changed aspect of a room. Each becomes one operation on the wire, except `needs-host` and `facts`, which are not sent,
 * and `access`, after which spectators reconnect.
 */
export type RoomTopic =
  | "participants"
  | "status"
  | "parts"
  | "content"
  | "summary"
  | "slow-mode"
  | "line"
  | "reactions"
  | "call"
  | "mutes"
  | "needs-host"
  | "facts"
  | "access";
