// The client of a live room and the store of its state, without React and without a schema library, so that its chunk
// stays small. It catches up by `seq`, applies each operation once and shows the viewer's acts optimistically (R-26,
// L-03, L-04).
import { PING_EVERY } from "~/domain/room/presence";
import type { RoomLog } from "~/domain/room/room";
import type { Reaction, ReactionCounts } from "~/domain/room/signals";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type Instant, instant } from "~/domain/time";
import { applyOperation, type LiveRoom } from "~/wire/room/live-room";
import { roomLogIn } from "~/wire/room/logs";
import type { ClientMessage } from "~/wire/room/messages";
import {
  CLOSE,
  type History,
  MAX_HISTORY_LINES,
  type MessageWire,
  type Operation,
  PING,
  SOCKET_VERSION,
  type Welcome,
} from "~/wire/room/room";

/** A line of the chat as the page shows it. Own lines appear before the room confirms them. */
export type ChatLine = {
  /** The nonce, unchanged from pending to sent. */
  key: string;
  /** Its sequence number; null until the room confirms the line. */
  seq: number | null;
  username: string;
  content: string;
  createdAt: Instant;
  isEdited: boolean;
  /** Its text was removed. */
  isRemoved: boolean;
  state: "sent" | "pending" | "failed";
  /** The reason of the failure. */
  problem?: string;
};
/** The current state of an edited or removed line. */
export type LineChange = Pick<ChatLine, "content" | "isEdited" | "isRemoved">;
type SignalType = "call" | "hand" | "lower" | "react" | "reactions";
/** `closed`: the room has refused the connection for good. */
export type RoomConnection = "connecting" | "open" | "lost" | "closed";

export type RoomSnapshot = {
  room: LiveRoom;
  /** Roster and presence lack people until the page requests the whole roster. */
  isPage: boolean;
  online: readonly string[];
  /** Confirmed lines in order, then own pending lines. */
  messages: readonly ChatLine[];
  /** From this sequence number on, `messages` has every line; Infinity before the first history. */
  linesFrom: number;
  /** Changes since the page loaded, by sequence number, also of lines that the page loaded itself. */
  changes: ReadonlyMap<number, LineChange>;
  /** Logs since the page loaded, newest first. */
  freshLogs: readonly RoomLog[];
  /** The other people who are typing. */
  typing: readonly string[];
  /** The reactions of the last seconds, counted. */
  reactions: ReactionCounts;
  /** The people who pressed "Join the call" (J-02). */
  inCall: readonly string[];
  connection: RoomConnection;
};

/** The methods that the client uses; partysocket's reconnecting socket implements them. */
export type RoomSocket = {
  send(text: string): void;
  close(): void;
  reconnect(): void;
  isOpen(): boolean;
};
export type RoomEvents = {
  onMessage(text: unknown): void;
  onClose(code: number): void;
  /** The network is back or the page is visible again, and the socket seems to be open. */
  onWake(): void;
};

/** The latest ticket, and a participant's join. With `since` null the client knows only the page's state. */
export type RoomOpening = {
  ticket: string | null;
  join: { username: string; since: number | null } | null;
};

export type RoomClientOptions = {
  /** The viewer's name in this session; null for a spectator, who cannot send. */
  username: string | null;
  /** The state that the page loaded. */
  initial: LiveRoom;
  /** `opening` is called at each attempt. */
  connect(events: RoomEvents, opening: () => RoomOpening): RoomSocket;
  /** The page's ticket. */
  ticket: string | null;
  /** The server's time, for pending lines. */
  now(): number;
  makeNonce(): string;
  /** A refusal that belongs to no line, e.g. of a ready mark; OUTDATED when the server speaks a newer version. */
  onRefused(code: string, message: string): void;
};

const TYPING_MS = 4000;
/** How long a reaction counts. */
const REACTION_MS = 5000;
const PENDING_MS = 12_000;
const PONG_MS = 10_000;
const MAX_LOGS = 50;
/** Lines that a page holds; it loads older ones from the server. */
const MAX_LINES = 1000;

export class RoomClient {
  readonly #options: RoomClientOptions;
  #socket: RoomSocket;
  #snapshot: RoomSnapshot;
  /** The state from the room, without pending own marks. */
  #room: LiveRoom;
  #sentLines: (ChatLine & { seq: number })[] = [];
  #linesFrom = Number.POSITIVE_INFINITY;
  #changes: ReadonlyMap<number, LineChange> = new Map();
  #ownLines = new Map<string, ChatLine>();
  /** The ready mark that the viewer chose, until the room confirms it. */
  #wantsReady: boolean | null = null;
  /** The call that the viewer joined on this page; the next connection joins it again. */
  #callEntered: string | null | undefined;
  #hasJoined = false;
  #isOutdated = false;
  #isRosterRequested = false;
  #ticket: string | null;
  /** The last sequence number that was received; null until the first one after the page load. */
  #seq: number | null = null;
  #typingUntil = new Map<string, number>();
  #lastTyping = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #pongTimer: ReturnType<typeof setTimeout> | null = null;
  #pingTimer: ReturnType<typeof setInterval>;
  readonly #listeners = new Set<() => void>();

  constructor(options: RoomClientOptions) {
    this.#options = options;
    this.#room = options.initial;
    this.#ticket = options.ticket;
    this.#snapshot = {
      room: options.initial,
      isPage: false,
      online: [],
      messages: [],
      linesFrom: this.#linesFrom,
      changes: new Map(),
      freshLogs: [],
      typing: [],
      reactions: {},
      inCall: [],
      connection: "connecting",
    };
    this.#socket = options.connect(
      {
        onMessage: (text) => this.#receive(text),
        onClose: (code) => this.#loseConnection(code),
        onWake: () => this.#ping(),
      },
      () => this.#opening(),
    );
    // The platform answers pings without waking the room. They keep the connection open and reveal a dead one.
    this.#pingTimer = setInterval(() => this.#ping(), PING_EVERY);
  }

  /** Returns the same object until the next change, because React compares by identity. */
  get(): RoomSnapshot {
    return this.#snapshot;
  }

  /** Each event of the room calls a listener once. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called when the page closes. */
  close(): void {
    clearInterval(this.#pingTimer);
    if (this.#pongTimer) clearTimeout(this.#pongTimer);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket.close();
  }

  // ------------------------------------------------------------------ own actions

  sendMessage(content: string): void {
    const text = content.trim();
    if (text === "") return;
    const { username, now, makeNonce } = this.#options;
    if (username === null) return;
    this.#sendLine({
      key: makeNonce(),
      seq: null,
      isEdited: false,
      isRemoved: false,
      username,
      content: text,
      createdAt: instant(now()),
      state: "pending",
    });
  }

  /** Sends a failed line again; its nonce prevents a duplicate. */
  retry(key: string): void {
    const line = this.#ownLines.get(key);
    if (line?.state === "failed") this.#sendLine(line);
  }

  setReady(isReady: boolean): void {
    if (this.#options.username === null) return;
    this.#wantsReady = isReady;
    this.#publish({});
    this.#sendIfJoined({ type: "ready", is_ready: isReady });
  }

  sendTyping(): void {
    const now = this.#options.now();
    if (Math.abs(now - this.#lastTyping) < TYPING_MS / 2) return;
    this.#lastTyping = now;
    this.#sendIfJoined({ type: "typing" });
  }

  /** Called when the message box opens, so that the room reserves a chat block. */
  sendWriting(): void {
    this.#sendIfJoined({ type: "writing" });
  }

  /** Sends a hand, a reaction or a press on the call. The room confirms it with an operation. */
  signal(message: Extract<ClientMessage, { type: SignalType }>): void {
    if (message.type === "call") this.#callEntered = this.#room.call;
    this.#sendIfJoined(message);
  }

  /** Called when the page shows the whole roster. */
  requestRoster(): void {
    const { isPage, connection } = this.#snapshot;
    if (!isPage || this.#isRosterRequested || connection !== "open") return;
    this.#isRosterRequested = true;
    this.#send({ type: "people" });
  }

  #sendLine(line: ChatLine): void {
    const { problem: _, ...retriedLine } = line;
    this.#ownLines.set(line.key, { ...retriedLine, state: "pending" });
    this.#publish({});
    // Offline, the line stays pending until the connection is back.
    this.#sendIfJoined({ type: "message", content: line.content, nonce: line.key });
    this.#runLater(PENDING_MS, () => {
      if (this.#hasJoined && this.#ownLines.get(line.key)?.state === "pending")
        this.#markFailed(line.key, "It was not delivered.");
    });
  }

  #markFailed(key: string, problem: string): void {
    const line = this.#ownLines.get(key);
    if (!line) return;
    this.#ownLines.set(key, { ...line, state: "failed", problem });
    this.#publish({});
  }

  #sendIfJoined(message: ClientMessage): void {
    if (this.#hasJoined) this.#send(message);
  }
  #send(message: ClientMessage): void {
    if (this.#socket.isOpen()) this.#socket.send(JSON.stringify(message));
  }

  // ------------------------------------------------------------------ connection

  #opening(): RoomOpening {
    const { username } = this.#options;
    return { ticket: this.#ticket, join: username === null ? null : { username, since: this.#seq } };
  }

  #loseConnection(code: number): void {
    this.#hasJoined = false;
    this.#isRosterRequested = false;
    const isFinal = code === CLOSE.notAllowed || code === CLOSE.unknown;
    if (isFinal) this.#socket.close();
    this.#typingUntil.clear();
    this.#publish({ connection: isFinal ? "closed" : "lost", typing: [] });
  }

  #ping(): void {
    if (!this.#socket.isOpen() || this.#pongTimer) return;
    this.#socket.send(PING);
    this.#pongTimer = setTimeout(() => {
      this.#pongTimer = null;
      this.#socket.reconnect();
    }, PONG_MS);
  }

  #receive(text: unknown): void {
    if (this.#pongTimer) clearTimeout(this.#pongTimer);
    this.#pongTimer = null;
    if (typeof text !== "string" || !text.startsWith("[")) return;
    let snapshot = this.#snapshot;
    for (const op of JSON.parse(text) as Operation[]) snapshot = this.#applyTo(snapshot, op);
    this.#publish(snapshot);
  }

  #applyTo(snapshot: RoomSnapshot, op: Operation): RoomSnapshot {
    if ("seq" in op) {
      const isCatchingUp = op.type === "welcome" || op.type === "history";
      // The history already contained this operation.
      if (!isCatchingUp && this.#seq !== null && op.seq < this.#seq) return snapshot;
      // A connection that is lost before the history must ask for it again.
      if (op.type !== "welcome" || this.#options.username === null) this.#seq = op.seq;
    }
    switch (op.type) {
      case "welcome":
        this.#room = applyOperation(this.#room, op);
        return this.#applyWelcome(snapshot, op);
      case "history":
        return this.#applyHistory(snapshot, op);
      case "people":
        this.#room = applyOperation(this.#room, op);
        this.#isRosterRequested = false;
        return { ...snapshot, isPage: false, online: op.online };
      case "participants":
        this.#room = applyOperation(this.#room, op);
        this.#settleReady();
        return snapshot;
      case "message":
        this.#addLines([op.message]);
        return snapshot;
      case "edited":
        this.#changeLine(op.line, { content: op.content, isEdited: true, isRemoved: false });
        return snapshot;
      case "removed":
        this.#changeLine(op.line, REMOVED);
        return snapshot;
      case "online": {
        const changedNames = new Set([...op.offline, ...op.online]);
        return {
          ...snapshot,
          online: [...snapshot.online.filter((name) => !changedNames.has(name)), ...op.online],
        };
      }
      case "logs":
        return { ...snapshot, freshLogs: withLogs(snapshot.freshLogs, [roomLogIn(op.log)]) };
      case "unlogged":
        return { ...snapshot, freshLogs: withoutLogs(snapshot.freshLogs, [op.id]) };
      case "typing":
        return { ...snapshot, typing: this.#addTyping(op.usernames) };
      case "in_call": {
        const replacedNames = new Set([...op.left, ...op.joined]);
        return {
          ...snapshot,
          inCall: [...snapshot.inCall.filter((name) => !replacedNames.has(name)), ...op.joined],
        };
      }
      case "reacted":
        this.#runLater(REACTION_MS, () =>
          this.#publish({ reactions: sumOf(this.#snapshot.reactions, op.counts, -1) }),
        );
        return { ...snapshot, reactions: sumOf(snapshot.reactions, op.counts, 1) };
      case "refused":
        if (op.nonce) this.#markFailed(op.nonce, op.message);
        else {
          this.#wantsReady = null;
          this.#options.onRefused(op.error_code, op.message);
        }
        return snapshot;
      default:
        // All other operations change only the room, or are of a newer server.
        this.#room = applyOperation(this.#room, op);
        return snapshot;
    }
  }

  #applyWelcome(snapshot: RoomSnapshot, op: Welcome): RoomSnapshot {
    this.#hasJoined = this.#options.username !== null;
    this.#isRosterRequested = false;
    this.#ticket = op.ticket ?? this.#ticket;
    // The page does not reload itself, because it may hold text that is not sent yet.
    if (op.version > SOCKET_VERSION && !this.#isOutdated) {
      this.#isOutdated = true;
      this.#options.onRefused("OUTDATED", "There is a newer version of this page. Reload it when you can.");
    }
    this.#settleReady();
    // The start has cleared the marks (L-07); this one would last until the end.
    if (statusAt(this.#room, this.#options.now()) !== SESSION_STATUS.waiting) this.#wantsReady = null;
    if (this.#wantsReady !== null) this.#sendIfJoined({ type: "ready", is_ready: this.#wantsReady });
    if (op.call && op.call === this.#callEntered) this.#sendIfJoined({ type: "call" });
    return {
      ...snapshot,
      inCall: op.in_call ?? [],
      online: op.online,
      isPage: op.is_page === 1,
      connection: "open",
    };
  }

  #applyHistory(snapshot: RoomSnapshot, op: History): RoomSnapshot {
    // Lines are missing between the client's and these; the page loads them from the server.
    if (op.is_whole === 1 || op.is_cut === 1) {
      this.#sentLines = [];
      this.#linesFrom = op.is_cut === 1 ? (op.messages[0]?.seq ?? op.seq) : 0;
    }
    for (const { line, content } of op.edited)
      this.#changeLine(line, { content, isEdited: true, isRemoved: false });
    for (const { line } of op.removed) this.#changeLine(line, REMOVED);
    this.#addLines(op.messages);
    // Pending lines are sent again after a reconnect; their nonces prevent duplicates.
    for (const line of this.#ownLines.values())
      if (line.state === "pending")
        this.#sendIfJoined({ type: "message", content: line.content, nonce: line.key });
    const remaining = op.is_whole === 1 ? [] : withoutLogs(snapshot.freshLogs, op.unlogged ?? []);
    return { ...snapshot, freshLogs: withLogs(remaining, op.logs.map(roomLogIn).reverse()) };
  }

  #changeLine(line: number, change: LineChange): void {
    this.#changes = new Map(this.#changes).set(line, change);
    this.#sentLines = this.#sentLines.map((sentLine) =>
      sentLine.seq === line ? { ...sentLine, ...change } : sentLine,
    );
  }

  #addLines(messages: readonly MessageWire[]): void {
    const last = this.#sentLines.at(-1)?.seq ?? -1;
    const newLines = messages.filter((message) => message.seq > last).map(lineOf);
    for (const line of newLines) {
      if (line.username === this.#options.username) this.#ownLines.delete(line.key);
      this.#typingUntil.delete(line.username);
    }
    this.#sentLines = [...this.#sentLines, ...newLines];
    if (this.#sentLines.length > MAX_LINES) {
      this.#sentLines = this.#sentLines.slice(-MAX_LINES + MAX_HISTORY_LINES);
      this.#linesFrom = this.#sentLines[0]?.seq ?? 0;
    }
  }

  /** The room confirmed the chosen mark, so nothing is pending. */
  #settleReady(): void {
    const ownSeat = this.#room.participants.find((person) => person.username === this.#options.username);
    if (ownSeat?.isReady === this.#wantsReady) this.#wantsReady = null;
  }

  #addTyping(usernames: readonly string[]): readonly string[] {
    const now = this.#options.now();
    for (const name of usernames)
      if (name !== this.#options.username) this.#typingUntil.set(name, now + TYPING_MS);
    this.#runLater(TYPING_MS, () => this.#publish({ typing: this.#typingNow() }));
    return this.#typingNow();
  }
  #typingNow(): readonly string[] {
    const now = this.#options.now();
    for (const [name, until] of this.#typingUntil) if (until <= now) this.#typingUntil.delete(name);
    return [...this.#typingUntil.keys()];
  }

  #runLater(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }

  #publish(change: Partial<RoomSnapshot>): void {
    const typing = change.typing ?? this.#snapshot.typing;
    const isTyping = (name: string) => this.#typingUntil.has(name);
    const messages = [...this.#sentLines, ...this.#ownLines.values()];
    this.#snapshot = {
      ...this.#snapshot,
      ...change,
      room: this.#withOwnMark(this.#room),
      messages: hasSameLines(messages, this.#snapshot.messages) ? this.#snapshot.messages : messages,
      linesFrom: this.#linesFrom,
      changes: this.#changes,
      typing: typing.every(isTyping) ? typing : typing.filter(isTyping),
    };
    for (const listener of this.#listeners) listener();
  }

  /** The room with the viewer's pending ready mark. */
  #withOwnMark(room: LiveRoom): LiveRoom {
    const { username } = this.#options;
    const isReady = this.#wantsReady;
    if (
      isReady === null ||
      !room.participants.some((person) => person.username === username && person.isReady !== isReady)
    )
      return room;
    const participants = room.participants.map((person) =>
      person.username === username ? { ...person, isReady } : person,
    );
    return { ...room, participants };
  }
}

/** True for the same lines, so that components which show them need not render. */
const hasSameLines = (lines: readonly ChatLine[], previousLines: readonly ChatLine[]): boolean =>
  lines.length === previousLines.length && lines.every((line, index) => line === previousLines[index]);

const REMOVED: LineChange = { content: "", isEdited: false, isRemoved: true };

const lineOf = (message: MessageWire): ChatLine & { seq: number } => ({
  key: message.nonce || String(message.seq),
  seq: message.seq,
  username: message.username,
  content: message.content,
  createdAt: instant(Date.parse(message.created_at)),
  isEdited: message.edited_at !== null,
  isRemoved: message.is_removed === 1,
  state: "sent",
});

function sumOf(counts: ReactionCounts, change: ReactionCounts, sign: 1 | -1): ReactionCounts {
  const sum = { ...counts };
  for (const [reaction, count] of Object.entries(change) as [Reaction, number][]) {
    const total = (sum[reaction] ?? 0) + sign * count;
    if (total > 0) sum[reaction] = total;
    else delete sum[reaction];
  }
  return sum;
}

const withoutLogs = (logs: readonly RoomLog[], removedIds: readonly number[]): readonly RoomLog[] =>
  removedIds.length === 0 ? logs : logs.filter(({ id }) => !removedIds.includes(id));

/** Newest first, without duplicates. */
function withLogs(logs: readonly RoomLog[], newLogs: readonly RoomLog[]): readonly RoomLog[] {
  if (newLogs.length === 0) return logs;
  const ids = new Set(newLogs.map((log) => log.id));
  return [...newLogs, ...logs.filter((log) => !ids.has(log.id))].slice(0, MAX_LOGS);
}
