// The browser's side of a room, without React: what is known of it, own lines that are under way, and one socket that
// comes back by itself. It catches up by `seq`, so that nothing is missed or shown twice; own messages and ready marks
// show at once (R-26, L-03, L-04). No schema library: it stays a small chunk.
import type { RoomLog } from "~/domain/room";
import { type Instant, instant } from "~/domain/time";
import {
  applyOperation,
  CLOSE,
  HISTORY,
  type LiveRoom,
  type MessageWire,
  type Operation,
  PING,
  roomLogIn,
  type Welcome,
} from "~/wire/room";
import type { ClientMessage } from "~/wire/room-messages";

/** A line of the chat as a page shows it; own ones show before the room has them. */
export type ChatLine = {
  /** The nonce: stays the same from pending to sent. */
  key: string;
  /** Its number in the room; null until the room has it. */
  seq: number | null;
  username: string;
  content: string;
  createdAt: Instant;
  isEdited: boolean;
  /** Its text is gone. */
  isRemoved: boolean;
  state: "sent" | "pending" | "failed";
  /** Why it failed. */
  problem?: string;
};
/** What became of a line. */
export type LineChange = Pick<ChatLine, "content" | "isEdited" | "isRemoved">;
export type RoomConnection = "connecting" | "open" | "lost";

export type RoomKnown = {
  room: LiveRoom;
  online: readonly string[];
  /** Said ones in their order, then own ones that are under way. */
  messages: readonly ChatLine[];
  /** Changed since the page was made, by number: also lines that the page read itself. */
  changes: ReadonlyMap<number, LineChange>;
  /** Logged since the page was made, newest first. */
  freshLogs: readonly RoomLog[];
  /** Who writes at the moment, without oneself. */
  typing: readonly string[];
  connection: RoomConnection;
};

/** The part of a socket that is used; partysocket's reconnecting one fits. */
export type RoomSocket = {
  send(text: string): void;
  close(): void;
  reconnect(): void;
  isOpen(): boolean;
};
export type RoomEvents = { onOpen(): void; onMessage(text: unknown): void; onClose(code: number): void };

export type RoomClientOptions = {
  sessionId: number;
  clientUuid: string;
  /** One's name in this session; null: one only looks on, and says nothing. */
  username: string | null;
  /** What the page brought along. */
  initial: LiveRoom;
  connect(events: RoomEvents): RoomSocket;
  /** The server's time, for own lines that are not sent yet. */
  now(): number;
  makeNonce(): string;
  /** Something is known anew. */
  onChange(known: RoomKnown): void;
  /** A refusal that belongs to no line, e.g. of a ready mark. */
  onRefused(code: string, message: string): void;
};

const TYPING_MS = 4000;
const PENDING_MS = 12_000;
const PING_MS = 45_000;
const PONG_MS = 10_000;
const LOGS_KEPT = 50;
/** Lines a page keeps; older ones are read from the server. */
const LINES_KEPT = 1000;

export class RoomClient {
  readonly #with: RoomClientOptions;
  #socket: RoomSocket;
  #known: RoomKnown;
  /** As the room says, without own marks that are under way. */
  #room: LiveRoom;
  #sent: (ChatLine & { seq: number })[] = [];
  #changes: ReadonlyMap<number, LineChange> = new Map();
  #own = new Map<string, ChatLine>();
  /** The ready mark as one wants it, until the room has said so. */
  #wantsReady: boolean | null = null;
  #hasJoined = false;
  /** What this client has heard, all of it; a page alone has heard nothing. */
  #seq: number | null = null;
  #typingUntil = new Map<string, number>();
  #lastTyping = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #pong: ReturnType<typeof setTimeout> | null = null;
  #pinging: ReturnType<typeof setInterval>;

  constructor(options: RoomClientOptions) {
    this.#with = options;
    this.#room = options.initial;
    this.#known = {
      room: options.initial,
      online: [],
      messages: [],
      changes: new Map(),
      freshLogs: [],
      typing: [],
      connection: "connecting",
    };
    this.#socket = options.connect({
      onOpen: () => this.#join(),
      onMessage: (text) => this.#hear(text),
      onClose: (code) => this.#lost(code),
    });
    // Answered by the platform without waking the room: keeps the line open, and shows when it has gone dead.
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
  }

  get known(): RoomKnown {
    return this.#known;
  }

  /** The page goes. */
  close(): void {
    clearInterval(this.#pinging);
    if (this.#pong) clearTimeout(this.#pong);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket.close();
  }

  // ------------------------------------------------------------------ what one does

  sendMessage(content: string): void {
    const text = content.trim();
    if (text === "") return;
    const { username, now, makeNonce } = this.#with;
    if (username === null) return;
    this.#post({
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

  /** Sends a line that failed once more; the nonce keeps it from being said twice. */
  retry(key: string): void {
    const line = this.#own.get(key);
    if (line?.state === "failed") this.#post(line);
  }

  setReady(isReady: boolean): void {
    if (this.#with.username === null) return;
    this.#wantsReady = isReady;
    this.#tell({});
    this.#say({ type: "ready", is_ready: isReady });
  }

  tellTyping(): void {
    const now = this.#with.now();
    if (Math.abs(now - this.#lastTyping) < TYPING_MS / 2) return;
    this.#lastTyping = now;
    this.#say({ type: "typing" });
  }

  #post(line: ChatLine): void {
    const { problem: _, ...fresh } = line;
    this.#own.set(line.key, { ...fresh, state: "pending" });
    this.#tell({});
    // Without a connection it stays pending and is said when that is back.
    this.#say({ type: "message", content: line.content, nonce: line.key });
    this.#later(PENDING_MS, () => {
      if (this.#hasJoined && this.#own.get(line.key)?.state === "pending")
        this.#fail(line.key, "It has not arrived.");
    });
  }

  #fail(key: string, problem: string): void {
    const line = this.#own.get(key);
    if (!line) return;
    this.#own.set(key, { ...line, state: "failed", problem });
    this.#tell({});
  }

  #say(message: ClientMessage): void {
    if (this.#hasJoined && this.#socket.isOpen()) this.#socket.send(JSON.stringify(message));
  }

  // ------------------------------------------------------------------ the line

  #join(): void {
    const { sessionId, clientUuid, username } = this.#with;
    // Who only looks on is welcomed unasked.
    if (username === null) return;
    const join: ClientMessage = {
      type: "join",
      room: sessionId,
      client_uuid: clientUuid,
      username,
      ...(this.#seq === null ? {} : { since: this.#seq }),
    };
    this.#socket.send(JSON.stringify(join));
  }

  #lost(code: number): void {
    this.#hasJoined = false;
    if (code === CLOSE.notAllowed || code === CLOSE.unknown) this.#socket.close();
    this.#typingUntil.clear();
    this.#tell({ connection: "lost", typing: [] });
  }

  #ping(): void {
    if (!this.#socket.isOpen() || this.#pong) return;
    this.#socket.send(PING);
    this.#pong = setTimeout(() => {
      this.#pong = null;
      this.#socket.reconnect();
    }, PONG_MS);
  }

  #hear(text: unknown): void {
    if (this.#pong) clearTimeout(this.#pong);
    this.#pong = null;
    if (typeof text !== "string" || !text.startsWith("[")) return;
    let known = this.#known;
    for (const op of JSON.parse(text) as Operation[]) known = this.#take(known, op);
    this.#tell(known);
  }

  #take(known: RoomKnown, op: Operation): RoomKnown {
    if ("seq" in op) {
      // What a welcome brought already is not taken twice.
      if (op.type !== "welcome" && this.#seq !== null && op.seq < this.#seq) return known;
      this.#seq = op.seq;
    }
    this.#room = applyOperation(this.#room, op);
    switch (op.type) {
      case "welcome":
        return this.#welcomed(known, op);
      case "participants":
        this.#settleReady();
        return known;
      case "message":
        this.#arrived([op.message]);
        return known;
      case "edited":
        this.#change(op.line, { content: op.content, isEdited: true, isRemoved: false });
        return known;
      case "removed":
        this.#change(op.line, REMOVED);
        return known;
      case "online": {
        const gone = new Set([...op.offline, ...op.online]);
        return { ...known, online: [...known.online.filter((name) => !gone.has(name)), ...op.online] };
      }
      case "logs":
        return { ...known, freshLogs: withLogs(known.freshLogs, [roomLogIn(op.log)]) };
      case "typing":
        return { ...known, typing: this.#typed(op.usernames) };
      case "refused":
        if (op.nonce) this.#fail(op.nonce, op.message);
        else {
          this.#wantsReady = null;
          this.#with.onRefused(op.error_code, op.message);
        }
        return known;
      // Of the room alone, which has taken them.
      case "status":
      case "slow_mode":
      case "started_at":
      case "parts":
      case "content":
      case "summary":
        return known;
      default:
        // A newer server may say what this page does not know.
        op satisfies never;
        return known;
    }
  }

  #welcomed(known: RoomKnown, op: Welcome): RoomKnown {
    this.#hasJoined = this.#with.username !== null;
    // What came before does not join on to these: it is read from the server when somebody scrolls there.
    if (op.is_whole === 1 || op.is_cut === 1) this.#sent = [];
    for (const { line, content } of op.edited)
      this.#change(line, { content, isEdited: true, isRemoved: false });
    for (const { line } of op.removed) this.#change(line, REMOVED);
    this.#arrived(op.messages);
    this.#settleReady();
    // What was under way when the line went is said again: the nonce keeps it from being said twice.
    for (const line of this.#own.values())
      if (line.state === "pending") this.#say({ type: "message", content: line.content, nonce: line.key });
    if (this.#wantsReady !== null) this.#say({ type: "ready", is_ready: this.#wantsReady });
    return {
      ...known,
      online: op.online,
      connection: "open",
      freshLogs: withLogs(known.freshLogs, op.logs.map(roomLogIn).reverse()),
    };
  }

  #change(line: number, change: LineChange): void {
    this.#changes = new Map(this.#changes).set(line, change);
    this.#sent = this.#sent.map((said) => (said.seq === line ? { ...said, ...change } : said));
  }

  #arrived(messages: readonly MessageWire[]): void {
    const last = this.#sent.at(-1)?.seq ?? -1;
    const news = messages.filter((message) => message.seq > last).map(lineOf);
    for (const line of news) {
      if (line.username === this.#with.username) this.#own.delete(line.key);
      this.#typingUntil.delete(line.username);
    }
    this.#sent = [...this.#sent, ...news];
    if (this.#sent.length > LINES_KEPT) this.#sent = this.#sent.slice(-LINES_KEPT + HISTORY);
  }

  /** The room says what one wanted: nothing is under way any more. */
  #settleReady(): void {
    const mine = this.#room.participants.find((person) => person.username === this.#with.username);
    if (mine?.isReady === this.#wantsReady) this.#wantsReady = null;
  }

  #typed(usernames: readonly string[]): readonly string[] {
    const now = this.#with.now();
    for (const name of usernames)
      if (name !== this.#with.username) this.#typingUntil.set(name, now + TYPING_MS);
    this.#later(TYPING_MS, () => this.#tell({ typing: this.#typingNow() }));
    return this.#typingNow();
  }
  #typingNow(): readonly string[] {
    const now = this.#with.now();
    for (const [name, until] of this.#typingUntil) if (until <= now) this.#typingUntil.delete(name);
    return [...this.#typingUntil.keys()];
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }

  #tell(change: Partial<RoomKnown>): void {
    const typing = change.typing ?? this.#known.typing;
    const isTyping = (name: string) => this.#typingUntil.has(name);
    this.#known = {
      ...this.#known,
      ...change,
      room: this.#withOwnMark(this.#room),
      messages: [...this.#sent, ...this.#own.values()],
      changes: this.#changes,
      typing: typing.every(isTyping) ? typing : typing.filter(isTyping),
    };
    this.#with.onChange(this.#known);
  }

  /** One's own ready mark as one has just set it. */
  #withOwnMark(room: LiveRoom): LiveRoom {
    const { username } = this.#with;
    const isReady = this.#wantsReady;
    if (
      isReady === null ||
      !room.participants.some((one) => one.username === username && one.isReady !== isReady)
    )
      return room;
    const participants = room.participants.map((one) =>
      one.username === username ? { ...one, isReady } : one,
    );
    return { ...room, participants };
  }
}

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

/** Newest first, each once. */
function withLogs(logs: readonly RoomLog[], news: readonly RoomLog[]): readonly RoomLog[] {
  if (news.length === 0) return logs;
  const ids = new Set(news.map((log) => log.id));
  return [...news, ...logs.filter((log) => !ids.has(log.id))].slice(0, LOGS_KEPT);
}
