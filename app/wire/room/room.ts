// The messages of the room's socket: a client sends one JSON object per message, the room one JSON array of
// operations per frame. The browser imports this file, so it uses no schema library.

import { milesOut, millimetresOf } from "~/domain/distances";
import type { ErrorCode } from "~/domain/errors";
import type { SeatRole } from "~/domain/roles";
import { isAlias } from "~/domain/room/aliases";
import { shownLine } from "~/domain/room/host-line";
import type { RoomLog, RoomMute, RoomParticipant, RoomState, RoomTopic } from "~/domain/room/room";
import type { ReactionCounts } from "~/domain/room/signals";
import type { HostLine, RoomMessage, SlowMode } from "~/domain/sessions/chat";
import { statusAt } from "~/domain/sessions/status";
import type { Contribution } from "~/domain/sessions/texts";
import { withContributions } from "~/domain/sessions/texts";
import { type Instant, instant, isoOf, type Seconds } from "~/domain/time";
import { type GroupWire, scheduleIn, scheduleOut } from "~/wire/schedule/schedule";

/** Increases when the meaning of an operation changes; a page of a lower version asks its user to reload it. */
export const SOCKET_VERSION = 5;
/** Close codes of the room. `notAllowed` and `unknown` are final: a client does not reconnect after them. */
export const CLOSE = {
  badMessage: 4400,
  /** The login that opened the socket has ended; the client reconnects with its current cookie. */
  signedOut: 4401,
  notAllowed: 4403,
  unknown: 4404,
  tooMuch: 4429,
  /** The right to listen has changed, or a leaf has lost its room; the client reconnects and gets a new welcome. */
  changed: 4409,
} as const;
/** Maximum characters of a client message. */
export const MESSAGE_LIMIT = 16 * 1024;
/** Maximum messages of a history. */
export const MAX_HISTORY_LINES = 200;
/** People of a welcome's roster; a larger roster is sent whole when a page asks for it. */
export const ROSTER_PAGE = 100;
/** The platform answers pings without waking the room. */
export const PING = "ping";
export const PONG = "pong";
/**
 * A join in the address of the socket has the fields of the message. `username` makes it a join; `since` is the
 * number after which the page lacks changes.
 */
export const JOIN_PARAM = "username";
export const SINCE_PARAM = "since";
export const ROOM_PARAM = "room";
/** The key that opens a read-only socket: of a spectator, or of a stage, which is the same for everybody (J-10). */
export const WATCH_PARAM = "watch";
export const WATCH = { spectator: "1", stage: "stage" } as const;
/** The subprotocol that the room selects, when the client offers it with a ticket as the second. */
export const SOCKET_PROTOCOL = "bothy";

export type ParticipantWire = {
  username: string;
  role: SeatRole;
  is_host: 0 | 1;
  is_ready: 0 | 1;
  joined_at: string;
  completed_at: string | null;
  /** Set for a person whose name this viewer may not know; acts then name the seat by it. */
  handle?: string;
  /** The answer to "What will you do?", for people with a seat. */
  aim?: string;
  /** The name of a guest as typed; missing for an account (H-23). */
  guest_name?: string;
  /** Set while the hand is raised; its number orders the hands of the room (J-05). */
  hand?: number;
};
export type MessageWire = {
  seq: number;
  username: string;
  content: string;
  created_at: string;
  nonce: string;
  edited_at: string | null;
  /** If 1, `content` is empty. */
  is_removed: 0 | 1;
};
/** The new text of a line; `line` is the line's sequence number. */
export type EditedWire = { seq: number; line: number; content: string; edited_at: string };
export type RemovedWire = { seq: number; line: number };
/** A person whose writing is closed; `until` null: as long as the session lasts. */
export type MuteWire = { username: string; until: string | null };
export type LogWire = ReturnType<typeof roomLogOut>;

/** A participant's addition to the content; old ones have no author. */
type ContributionWire = {
  seq: number;
  username: string | null;
  content: string;
  content_html: string;
  created_at: string;
};
/** `content` is the host's text and the contributions; where there are some, `host_content` is only the host's. */
export type TextsWire = {
  content: string;
  content_html: string;
  host_content?: string;
  host_content_html?: string;
  contributions?: ContributionWire[];
};

export type Snapshot = TextsWire & {
  title: string;
  summary: string;
  prompt: string;
  status: number;
  started_at: string | null;
  ended_at: string | null;
  duration: number;
  is_manually_started: 0 | 1;
  slow_mode: SlowMode;
  parts: GroupWire[];
  /** The line on all screens, until its part ends (J-12). Missing in a room of the last release. */
  line?: HostLineWire | null;
  /** 0 when the host has switched reactions off (J-06). */
  reactions?: 0;
};
/** `seq`: its line in the chat, where it is reported and removed. `part` null: until the session ends. */
export type HostLineWire = { seq: number; content: string; part: string | null };

/**
 * The answer to `join`, as a message or in the address; a participant's `history` follows it. Unless `is_whole`, it has
 * only the changes after `since`: `room` is null if unchanged, `participants` are new or changed people, and `left` those
 * who left. `is_page`: the roster has more people than a page, so a page must ask for the whole roster and its presence.
 */
export type Welcome = {
  type: "welcome";
  now: number;
  seq: number;
  version: number;
  room: Snapshot | null;
  is_whole: 0 | 1;
  is_page: 0 | 1;
  /** The size of the whole roster. */
  count: number;
  /** The first people in order of joining, the hosts and the person who joins. */
  participants: ParticipantWire[];
  left: string[];
  online: string[];
  mutes: MuteWire[];
  /** Of a participant: the mark of the call's address, and who pressed "Join the call" (J-02, J-03). */
  call?: string | null;
  in_call?: string[];
  /** Opens the socket again for an hour, beside the same login's cookie. */
  ticket?: string;
};

/**
 * Lines and logs after `since`; a client that has received it has everything up to `seq`. `is_cut`: there were more
 * messages than these, so older messages of the client do not adjoin them. `edited` and `removed` change lines from
 * before `since`, each at its own `seq`.
 */
export type History = {
  type: "history";
  seq: number;
  is_whole: 0 | 1;
  messages: MessageWire[];
  edited: EditedWire[];
  removed: RemovedWire[];
  is_cut: 0 | 1;
  logs: LogWire[];
  /** The ids of logs that were removed after `since`. */
  unlogged?: number[];
};

/** An operation that changes the room itself; `applyOperation` takes each of them. */
type RoomOperation =
  | Welcome
  /** The whole roster, for a client that asked for it. */
  | { type: "people"; participants: ParticipantWire[]; online: string[] }
  /** New and changed participants, the usernames of those who left, and the size of the roster. */
  | { type: "participants"; seq: number; participants: ParticipantWire[]; left: string[]; count: number }
  | { type: "slow_mode"; seq: number; slow_mode: SlowMode }
  | { type: "line"; seq: number; line: HostLineWire | null }
  | { type: "reactions"; seq: number; is_on: 0 | 1 }
  /** The room's new call, or null; each welcome brings the current call. */
  | { type: "call"; call: string | null }
  /** All the mutes that this listener may see; each welcome brings them, so that none is missed. */
  | { type: "mutes"; mutes: MuteWire[] }
  | {
      type: "status";
      seq: number;
      status: number;
      started_at: string | null;
      ended_at: string | null;
      duration: number;
      is_manually_started: 0 | 1;
    }
  /** Only the start, beside `status`, when the run begins (L-03). */
  | { type: "started_at"; seq: number; started_at: string | null }
  | { type: "parts"; seq: number; parts: GroupWire[] }
  | ({ type: "content"; seq: number; title: string; prompt: string } & TextsWire)
  | { type: "summary"; seq: number; summary: string };

/** An operation that the client keeps beside the room: lines, logs, presence and refusals. */
type FeedOperation =
  | History
  /** People who came online or went offline since the last operation. */
  | { type: "online"; online: string[]; offline: string[] }
  | { type: "message"; seq: number; message: MessageWire; nonce: string }
  | ({ type: "edited" } & EditedWire)
  | ({ type: "removed" } & RemovedWire)
  | { type: "logs"; seq: number; log: LogWire }
  | { type: "unlogged"; seq: number; id: number }
  /** People who pressed "Join the call" and who left since the last operation. */
  | { type: "in_call"; joined: string[]; left: string[] }
  /** The reactions of a quarter of a second, counted (J-06). */
  | { type: "reacted"; counts: ReactionCounts }
  /** Some of the people who are typing. */
  | { type: "typing"; usernames: string[] }
  | { type: "refused"; error_code: ErrorCode; message: string; nonce?: string };

/** An operation with a `seq` is durable. */
export type Operation = RoomOperation | FeedOperation;

const from = (text: string | null): Instant | null => (text === null ? null : instant(Date.parse(text)));

export const participantOut = (person: RoomParticipant): ParticipantWire => ({
  username: person.username,
  role: person.role,
  is_host: person.isHost ? 1 : 0,
  is_ready: person.isReady ? 1 : 0,
  joined_at: new Date(person.joinedAt).toISOString(),
  completed_at: isoOf(person.completedAt),
  ...(person.handle && isAlias(person.username) ? { handle: person.handle } : {}),
  ...(person.aim ? { aim: person.aim } : {}),
  ...(person.guestName ? { guest_name: person.guestName } : {}),
  ...(person.hand ? { hand: person.hand.place } : {}),
});

export const messageOut = (message: RoomMessage): MessageWire => ({
  seq: message.seq,
  username: message.username,
  content: message.content,
  created_at: new Date(message.createdAt).toISOString(),
  nonce: message.nonce,
  edited_at: isoOf(message.editedAt),
  is_removed: message.isRemoved ? 1 : 0,
});
export const editedOut = (change: {
  seq: number;
  line: number;
  content: string;
  at: Instant;
}): EditedWire => ({
  seq: change.seq,
  line: change.line,
  content: change.content,
  edited_at: new Date(change.at).toISOString(),
});
/** The mutes of people with a seat. */
export function mutesOut(
  people: readonly Pick<RoomParticipant, "userId" | "username">[],
  mutes: readonly RoomMute[],
): MuteWire[] {
  if (mutes.length === 0) return [];
  const names = new Map(people.map(({ userId, username }) => [userId, username]));
  return mutes.flatMap(({ userId, until }) => {
    const username = names.get(userId);
    return username === undefined ? [] : { username, until: isoOf(until) };
  });
}
export const removedOut = ({ seq, line }: RemovedWire): RemovedWire => ({ seq, line });

export const roomLogOut = (log: RoomLog) => ({
  id: log.id,
  username: log.username,
  goal: { title: log.goalTitle, action: log.action, unit: log.unit },
  task_uuid: log.sessionGoalUuid,
  title: log.title,
  amount: log.amount === null ? null : log.amount / 1000,
  distance: milesOut(log.distance),
  distance_mm: log.distance,
  duration_elapsed: log.duration,
  status: log.status,
  created_at: new Date(log.createdAt).toISOString(),
});

export function textsOut(texts: SharedText): TextsWire {
  const { content, contentHtml, contributions } = texts;
  if (contributions.length === 0) return { content, content_html: contentHtml };
  const whole = withContributions(texts);
  return {
    content: whole.content,
    content_html: whole.contentHtml,
    host_content: content,
    host_content_html: contentHtml,
    contributions: contributions.map((contribution) => ({
      seq: contribution.seq,
      username: contribution.username,
      content: contribution.content,
      content_html: contribution.contentHtml,
      created_at: new Date(contribution.createdAt).toISOString(),
    })),
  };
}
const textsIn = (texts: TextsWire): SharedText => ({
  content: texts.host_content ?? texts.content,
  contentHtml: texts.host_content_html ?? texts.content_html,
  contributions: (texts.contributions ?? []).map((contribution) => ({
    seq: contribution.seq,
    username: contribution.username,
    content: contribution.content,
    contentHtml: contribution.content_html,
    createdAt: instant(Date.parse(contribution.created_at)),
  })),
});

export const snapshotOut = (state: RoomState, now: Instant): Snapshot => ({
  title: state.title,
  ...textsOut(state),
  summary: state.summary,
  prompt: state.prompt,
  status: statusAt(state, now),
  started_at: isoOf(state.startedAt),
  ended_at: isoOf(state.endedAt),
  duration: state.duration,
  is_manually_started: state.isManuallyStarted ? 1 : 0,
  slow_mode: state.slowMode,
  parts: scheduleOut(state.schedule, now),
  line: lineOut(state),
  ...(state.areReactionsOff ? { reactions: 0 } : {}),
});
const lineOut = ({ line, schedule }: RoomState): HostLineWire | null => {
  const lineFields = shownLine(line, schedule);
  return lineFields && { seq: lineFields.seq, content: lineFields.content, part: lineFields.partId };
};
const lineIn = (line: HostLineWire | null | undefined): LiveLine | null =>
  line ? { seq: line.seq, content: line.content, partId: line.part } : null;

/** The operations that describe the change from `before` to `after`. */
export function operationsOf(
  topics: readonly RoomTopic[],
  before: RoomState,
  after: RoomState,
  now: Instant,
): Operation[] {
  return topics.flatMap((topic) => operationsOfTopic(topic, before, after, now));
}

function operationsOfTopic(topic: RoomTopic, before: RoomState, after: RoomState, now: Instant): Operation[] {
  const { seq } = after;
  switch (topic) {
    case "participants": {
      const knownPeople = new Set(before.participants);
      const names = new Set(after.participants.map((person) => person.username));
      return [
        {
          type: "participants",
          seq,
          participants: after.participants.filter((person) => !knownPeople.has(person)).map(participantOut),
          left: before.participants.flatMap(({ username }) => (names.has(username) ? [] : username)),
          count: after.participants.length,
        },
      ];
    }
    case "status":
      return [
        {
          type: "status",
          seq,
          status: statusAt(after, now),
          started_at: isoOf(after.startedAt),
          ended_at: isoOf(after.endedAt),
          duration: after.duration,
          is_manually_started: after.isManuallyStarted ? 1 : 0,
        },
        ...(after.startedAt === before.startedAt
          ? []
          : [{ type: "started_at" as const, seq, started_at: isoOf(after.startedAt) }]),
      ];
    case "parts":
      return [{ type: "parts", seq, parts: scheduleOut(after.schedule, now) }];
    case "content":
      return [
        {
          type: "content",
          seq,
          title: after.title,
          ...textsOut(after),
          prompt: after.prompt,
        },
      ];
    case "summary":
      return [{ type: "summary", seq, summary: after.summary }];
    case "slow-mode":
      return [{ type: "slow_mode", seq, slow_mode: after.slowMode }];
    case "line":
      return [{ type: "line", seq, line: lineOut(after) }];
    case "reactions":
      return [{ type: "reactions", seq, is_on: after.areReactionsOff ? 0 : 1 }];
    // Only participants hear of the call; the memory tells them.
    case "call":
    // The sockets send these to each listener separately.
    case "mutes":
    case "needs-host":
    case "facts":
    case "access":
      return [];
    default:
      return topic satisfies never;
  }
}

const participantIn = (person: ParticipantWire): LivePerson => ({
  username: person.username,
  role: person.role,
  isHost: person.is_host === 1,
  isReady: person.is_ready === 1,
  joinedAt: instant(Date.parse(person.joined_at)),
  completedAt: from(person.completed_at),
  handle: person.handle ?? null,
  aim: person.aim,
  guestName: person.guest_name,
  hand: person.hand ?? null,
});

/** The host's text, and what others added to it. */
type SharedText = Pick<RoomState, "content" | "contentHtml"> & {
  contributions: readonly Omit<Contribution, "userId" | "uuid">[];
};

/** The room in the browser; user ids never cross the wire. */
export type LiveRoom = Omit<
  RoomState,
  | "participants"
  | "closedAt"
  | "runBegunAt"
  | "hasEnded"
  | "needsHost"
  | "hasHostCome"
  | "cancelledStart"
  | "partsEndAt"
  | "undo"
  | "sessionId"
  | "hasCode"
  | "isPrivate"
  | "mutes"
  | "line"
  | keyof SharedText
> &
  SharedText & {
    line?: LiveLine | null;
    /** Of a large roster perhaps only a part. */
    participants: LivePerson[];
    /** The size of the whole roster. */
    count: number;
    mutes: readonly LiveMute[];
  };
/** `hand`: its number, if it is raised. */
type LivePerson = Omit<RoomParticipant, "userId" | "hand"> & { hand?: number | null };
type LiveLine = Omit<HostLine, "userId">;
/** A mute that this page may show. */
type LiveMute = { username: string; until: Instant | null };
const mutesIn = (mutes: readonly MuteWire[]): LiveMute[] =>
  mutes.map(({ username, until }) => ({ username, until: from(until) }));

const snapshotIn = (room: Snapshot): Omit<LiveRoom, "seq" | "participants" | "count" | "mutes"> => ({
  title: room.title,
  ...textsIn(room),
  summary: room.summary,
  prompt: room.prompt,
  isManuallyStarted: room.is_manually_started === 1,
  slowMode: room.slow_mode,
  startedAt: from(room.started_at),
  endedAt: from(room.ended_at),
  duration: room.duration as Seconds,
  schedule: scheduleIn(room.parts),
  line: lineIn(room.line),
  areReactionsOff: room.reactions === 0,
});

/** The people in order of joining. A client that has a part of the roster may not know a changed person yet. */
function withPeople(
  { participants: people, count }: LiveRoom,
  changed: readonly ParticipantWire[],
  left: readonly string[],
): LiveRoom["participants"] {
  const departed = new Set(left);
  const changedPeople = new Map(changed.map((person) => [person.username, participantIn(person)]));
  const knownNames = new Set(people.map((person) => person.username));
  const after = [
    ...people
      .filter(({ username }) => !departed.has(username))
      .map((person) => changedPeople.get(person.username) ?? person),
    ...[...changedPeople.values()].filter(({ username }) => !knownNames.has(username)),
  ];
  return people.length < count ? after.sort((a, b) => a.joinedAt - b.joinedAt) : after;
}

export function applyOperation(room: LiveRoom, op: RoomOperation): LiveRoom {
  switch (op.type) {
    case "welcome":
      return {
        ...room,
        ...(op.room ? snapshotIn(op.room) : {}),
        seq: op.seq,
        call: op.call,
        mutes: mutesIn(op.mutes),
        participants:
          op.is_whole === 1 ? op.participants.map(participantIn) : withPeople(room, op.participants, op.left),
        count: op.count,
      };
    case "people":
      return { ...room, participants: op.participants.map(participantIn), count: op.participants.length };
    case "participants":
      return {
        ...room,
        seq: op.seq,
        participants: withPeople(room, op.participants, op.left),
        count: op.count,
      };
    case "status":
      return {
        ...room,
        seq: op.seq,
        startedAt: from(op.started_at),
        endedAt: from(op.ended_at),
        duration: op.duration as Seconds,
        isManuallyStarted: op.is_manually_started === 1,
      };
    case "started_at":
      return { ...room, seq: op.seq, startedAt: from(op.started_at) };
    case "parts":
      return { ...room, seq: op.seq, schedule: scheduleIn(op.parts) };
    case "content":
      return {
        ...room,
        seq: op.seq,
        title: op.title,
        ...textsIn(op),
        prompt: op.prompt,
      };
    case "summary":
      return { ...room, seq: op.seq, summary: op.summary };
    case "slow_mode":
      return { ...room, seq: op.seq, slowMode: op.slow_mode };
    case "line":
      return { ...room, seq: op.seq, line: lineIn(op.line) };
    case "reactions":
      return { ...room, seq: op.seq, areReactionsOff: op.is_on === 0 };
    case "call":
      return { ...room, call: op.call };
    case "mutes":
      return { ...room, mutes: mutesIn(op.mutes) };
    default:
      // A newer server may send operations that this page does not know.
      op satisfies never;
      return room;
  }
}

/** A log as the room sent it. */
export const roomLogIn = (log: LogWire): RoomLog => ({
  id: log.id,
  username: log.username,
  goalTitle: log.goal.title,
  action: log.goal.action,
  unit: log.goal.unit,
  sessionGoalUuid: log.task_uuid,
  title: log.title,
  amount: log.amount === null ? null : Math.round(log.amount * 1000),
  // An object of the last release sends no millimetres.
  distance: log.distance_mm ?? (log.distance === null ? null : millimetresOf(log.distance * 1000, "mi")),
  duration: log.duration_elapsed,
  status: log.status,
  createdAt: instant(Date.parse(log.created_at)),
});
