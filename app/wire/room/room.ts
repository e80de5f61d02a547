// The messages of the room's socket: a client sends one JSON object per message, the room one JSON array of
// operations per frame. The browser imports this file, so it uses no schema library.
import type { ErrorCode } from "~/domain/errors";
import type { SeatRole } from "~/domain/roles";
import type { ReactionCounts } from "~/domain/room/signals";
import type { SlowMode } from "~/domain/sessions/chat";
import type { GroupWire } from "~/wire/schedule/schedule";
import type { LogWire } from "./logs";

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
/** Maximum people in a welcome's roster. A larger roster is sent whole when a page requests it. */
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
/**
 * `seq` is its line in the chat, by which it is reported and removed. With `part` null it stays until the session ends.
 */
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
export type RoomOperation =
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
