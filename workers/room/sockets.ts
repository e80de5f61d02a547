// The sockets of a room: they hibernate, carry their identity in the attachment, and receive broadcasts. In a calm room
// each operation leaves at once, in a burst those of 16 ms as one frame, and durable changes are saved before.
import type { Aliases, Hidden } from "~/domain/blocks";
import type { RoomActor } from "~/domain/room";
import { SECOND } from "~/domain/time";
import { CLOSE, type Operation, PING, PONG } from "~/wire/room";
import type { ClientMessage } from "~/wire/room-messages";
import { Pace } from "./pace";

/**
 * The user of a socket, the hash of the login that opened it, and the client's network; the worker sets all
 * three at the upgrade.
 */
export type Identity = RoomActor & { loginHash: string; network: string };

/** A claim of the client; the room compares it with the identity. */
export type Join = Pick<Extract<ClientMessage, { type: "join" }>, "username" | "since">;

/** The header of an upgrade, which the worker alone sets; its value is an `Entry`. */
export const ENTRY = "X-Bothy-Entry";
/** Without an identity, the socket is a spectator's. `ticket` is for the welcome. */
export type Entry = {
  sessionId: number;
  identity: Identity | null;
  network: string;
  ticket: string | null;
  /** The client offers our subprotocol. A refused subprotocol would close the browser's socket. */
  isNamed: boolean;
  /** Set when the address joins: the welcome then comes with the opening, a round trip earlier. */
  join?: Join;
};

/**
 * The socket's attachment. `hasJoined` is set after the first message was validated; a spectator never joins.
 */
export type Listener = Identity & {
  hasJoined: boolean;
  isOnlooker?: true;
};

type OperationType = Operation["type"];
/** The operations that spectators receive. An operation missing here is for participants alone. */
const FOR_EVERYBODY: ReadonlySet<OperationType> = new Set<OperationType>([
  "participants",
  "online",
  "status",
  "started_at",
  "parts",
  "content",
  "summary",
]);
/** The same list for a session with a join code. */
const WITH_A_CODE: ReadonlySet<OperationType> = new Set<OperationType>([
  "status",
  "started_at",
  "parts",
  "content",
]);

const WINDOW_MS = 16;
/** Frames that need not wait for their window; each window gives one back. */
const PROMPT_FRAMES = 4;
/** How long the platform is busy with a frame for one socket. Milliseconds. */
const BUSY_MS = 0.02;
/** Presence and typing are throttled to four frames a second, and to one a second in a large room. */
const SHED_MS = 250;
const LARGE = { people: 250, shedMs: 1000 } as const;
/** Messages per person and second, over all their sockets, far above normal use. */
const FLOOD_PER_SECOND = 40;
/** Changes per second of one person's ready mark. */
const FLIPS_PER_SECOND = 2;
/** Welcomes in ten seconds for one person or one spectator's address: every open page twice. */
const WELCOMES_PER_TEN_SECONDS = 40;
/** Open pages of one person in one room. */
const SOCKETS_PER_USER = 12;
/** Spectators' sockets in one room, and from one address; further pages poll instead. */
const ONLOOKERS = 1000;
const ONLOOKERS_PER_ADDRESS = 20;
const TYPING_SHOWN = 5;

/** The room that the sockets belong to. */
export type RoomBehind = {
  /** Makes durable what the queued frames announce. */
  save(): void;
  /** A join code hides the session from people without a seat. */
  hasCode(): boolean;
  /** The people hidden from each user with a block; null in a room without blocks. */
  hidden(): ReadonlyMap<number, Hidden> | null;
  /** The aliases of hidden people. */
  aliases(hidden: Hidden): Aliases;
  /** The first socket of a person has joined, or the last has closed (G-24). */
  arrived(userId: number): void;
  departed(userId: number): void;
  /** Saves who arrived and departed since the last call. */
  savePresence(): void;
};

/** The code with which a closed socket is answered: 1005 and 1006 mean that none arrived, and cannot be sent. */
export const closeCode = (code: number): number => (code === 1005 || code === 1006 ? 1000 : code);

/** The operations for a viewer with hidden people, instead of the common ones. */
export type SeenBy = (hidden: Hidden) => readonly Operation[];

export class Sockets {
  readonly #ctx: DurableObjectState;
  readonly #room: RoomBehind;
  readonly #isFloodLimited: boolean;
  /** Attachments, each read once; the runtime returns the same socket objects until the room hibernates. */
  readonly #listeners = new Map<WebSocket, Listener>();
  /** The sockets of each person, oldest first; spectators have none here. */
  readonly #byUser = new Map<number, Set<WebSocket>>();
  readonly #said = new Pace(FLOOD_PER_SECOND, SECOND);
  readonly #flips = new Pace(FLIPS_PER_SECOND, SECOND);
  readonly #welcomes = new Pace(WELCOMES_PER_TEN_SECONDS, 10 * SECOND);
  /** The number of open sockets of each username that has joined. */
  readonly #online = new Map<string, number>();
  /** Serialised operations: one queue for participants, one for spectators. */
  #queue: string[] = [];
  #outsideQueue: string[] = [];
  /** The queues of users with hidden people; null in a room without blocks. */
  #queuesApart: Map<number, string[]> | null = null;
  #onlookers = 0;
  readonly #onlookersOf = new Map<string, number>();
  /** When all prompt frames are free again; each frame sent moves it by a window. */
  #promptUntil = 0;
  #sentAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #typing = new Set<string>();
  /** The online usernames as last broadcast. */
  #announcedOnline: Set<string> = new Set();
  #lastShedAt = 0;
  #shedTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(ctx: DurableObjectState, room: RoomBehind, isFloodLimited: boolean) {
    this.#ctx = ctx;
    this.#room = room;
    this.#isFloodLimited = isFloodLimited;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    for (const socket of ctx.getWebSockets()) {
      const listener = socket.deserializeAttachment() as Listener | null;
      if (!listener) continue;
      this.takeOver(socket, listener);
      if (listener.isOnlooker) this.#countOnlooker(listener, 1);
    }
  }

  /** The socket was open when the room fell asleep, and everybody knows of it. */
  takeOver(socket: WebSocket, listener: Listener): void {
    this.#add(socket, listener);
    if (!listener.hasJoined) return;
    this.#count(listener.username, 1);
    this.#announcedOnline.add(listener.username);
  }

  accept(socket: WebSocket, identity: Identity): void {
    const own = this.#byUser.get(identity.userId);
    const [oldest] = own ?? [];
    if (oldest && own && own.size >= SOCKETS_PER_USER)
      this.close(oldest, CLOSE.tooMuch, "too many open pages");
    this.#ctx.acceptWebSocket(socket);
    this.#add(socket, { ...identity, hasJoined: false });
    socket.serializeAttachment({ ...identity, hasJoined: false });
  }

  #add(socket: WebSocket, listener: Listener): void {
    this.#listeners.set(socket, listener);
    if (listener.isOnlooker) return;
    const own = this.#byUser.get(listener.userId) ?? new Set();
    this.#byUser.set(listener.userId, own.add(socket));
  }
  #socketsOf(userId: number): [WebSocket, Listener][] {
    return [...(this.#byUser.get(userId) ?? [])].flatMap((socket) => {
      const listener = this.#listeners.get(socket);
      return listener ? [[socket, listener] as [WebSocket, Listener]] : [];
    });
  }

  /** False when the room or this network has too many. An empty network is unknown, and not counted. */
  acceptOnlooker(socket: WebSocket, network: string): boolean {
    this.#ctx.acceptWebSocket(socket);
    const isCrowded = (this.#onlookersOf.get(network) ?? 0) >= ONLOOKERS_PER_ADDRESS;
    if (this.#onlookers >= ONLOOKERS || isCrowded || !this.#mayBeWelcomed(network)) {
      this.close(socket, CLOSE.tooMuch, "too many spectators");
      return false;
    }
    const listener: Listener = {
      userId: 0,
      username: "",
      isSuperAdmin: false,
      loginHash: "",
      hasJoined: false,
      isOnlooker: true,
      network,
    };
    this.#listeners.set(socket, listener);
    this.#countOnlooker(listener, 1);
    socket.serializeAttachment(listener);
    return true;
  }

  hasAny(): boolean {
    return this.#listeners.size > 0;
  }
  of(socket: WebSocket): Listener | null {
    return this.#listeners.get(socket) ?? null;
  }

  /** False when this person, or this spectator's network, asks too often; the socket is then closed. */
  mayAskPeople(socket: WebSocket, { userId, network, isOnlooker }: Listener): boolean {
    if (this.#mayBeWelcomed(isOnlooker ? network : userId)) return true;
    this.close(socket, CLOSE.tooMuch, "too much at once");
    return false;
  }

  #mayBeWelcomed(key: string | number): boolean {
    return !this.#isFloodLimited || key === "" || this.#welcomes.take(key, Date.now());
  }

  #countOnlooker({ network }: Listener, by: 1 | -1): void {
    this.#onlookers += by;
    if (network === "") return;
    const count = (this.#onlookersOf.get(network) ?? 0) + by;
    if (count > 0) this.#onlookersOf.set(network, count);
    else this.#onlookersOf.delete(network);
  }

  /** Called once per socket. False when this person is welcomed too often; the socket is then closed. */
  join(socket: WebSocket, listener: Listener, username: string): boolean {
    if (!this.#mayBeWelcomed(listener.userId)) {
      this.close(socket, CLOSE.tooMuch, "too much at once");
      return false;
    }
    const joined = { ...listener, username, hasJoined: true };
    const isFirst = !this.isHere(listener.userId);
    this.#listeners.set(socket, joined);
    socket.serializeAttachment(joined);
    this.#count(username, 1);
    if (isFirst) this.#room.arrived(listener.userId);
    this.#shed();
    return true;
  }

  /** The socket is closed, by either side. */
  drop(socket: WebSocket): void {
    const listener = this.#listeners.get(socket);
    if (!listener) return;
    this.#listeners.delete(socket);
    const own = this.#byUser.get(listener.userId);
    own?.delete(socket);
    if (own?.size === 0) this.#byUser.delete(listener.userId);
    if (listener.isOnlooker) this.#countOnlooker(listener, -1);
    if (!listener.hasJoined) return;
    this.#count(listener.username, -1);
    if (!this.isHere(listener.userId)) this.#room.departed(listener.userId);
    this.#shed();
  }

  #count(username: string, by: 1 | -1): void {
    const count = (this.#online.get(username) ?? 0) + by;
    if (count > 0) this.#online.set(username, count);
    else this.#online.delete(username);
  }

  /** False when this person sends too much; the socket is then closed. */
  maySpeak(socket: WebSocket): boolean {
    const listener = this.#listeners.get(socket);
    if (!listener) return false;
    if (
      !this.#isFloodLimited ||
      this.#said.take(listener.isOnlooker ? listener.network : listener.userId, Date.now())
    )
      return true;
    this.close(socket, CLOSE.tooMuch, "too much at once");
    return false;
  }

  /** False when this person changes the ready mark too often. */
  mayFlip(userId: number): boolean {
    return !this.#isFloodLimited || this.#flips.take(userId, Date.now());
  }

  online(): string[] {
    return [...this.#online.keys()];
  }
  /** The online people as everybody knows them; the next announcement brings the changes since. */
  get announcedOnline(): ReadonlySet<string> {
    return this.#announcedOnline;
  }
  onlineFor(hidden: Hidden): string[] {
    return this.#namesFor(hidden, this.online());
  }
  /** Whether a socket of this person has joined. */
  isHere(userId: number): boolean {
    return this.joined([userId]).length > 0;
  }
  /** The joined sockets of these users. */
  joined(userIds: readonly number[]): [WebSocket, Listener][] {
    return userIds.flatMap((userId) => this.#socketsOf(userId)).filter(([, { hasJoined }]) => hasJoined);
  }

  /** Sends to one socket, e.g. a welcome; `operations` may already be serialised. */
  send(socket: WebSocket, ...operations: (Operation | string)[]): void {
    const words = operations.map((op) => (typeof op === "string" ? op : JSON.stringify(op)));
    trySend(socket, `[${words.join(",")}]`);
  }
  close(socket: WebSocket, code: number, reason: string): void {
    this.drop(socket);
    try {
      socket.close(code, reason);
    } catch {}
  }
  /** Closes every socket of a user, e.g. after the seat is lost. */
  closeUser(userId: number, code: number, reason: string): void {
    for (const [socket] of this.#socketsOf(userId)) this.close(socket, code, reason);
  }
  /** Sends each joined socket its own operation. */
  tellEach(make: (listener: Listener) => Operation): void {
    this.flush();
    for (const [socket, listener] of this.#listeners)
      if (listener.hasJoined) this.send(socket, make(listener));
  }
  /** Closes every socket that these logins opened. */
  endLogins(loginHashes: readonly string[]): void {
    for (const [socket, listener] of [...this.#listeners])
      if (loginHashes.includes(listener.loginHash)) this.close(socket, CLOSE.signedOut, "signed out");
  }
  closeAll(code: number, reason: string): void {
    for (const socket of [...this.#listeners.keys()]) this.close(socket, code, reason);
  }

  /** Closes the sockets of all spectators; clients reconnect unless `code` forbids it. */
  closeOnlookers(code: number, reason: string): void {
    for (const [socket, listener] of [...this.#listeners])
      if (listener.isOnlooker) this.close(socket, code, reason);
  }

  /**
   * Sends `operations` to participants and `outside` to spectators, in this order. Operations in both lists are
   * serialised once. A participant from whom somebody is hidden gets what `seenBy` leaves.
   */
  broadcast(
    operations: readonly Operation[],
    outside: readonly Operation[] = operations,
    seenBy?: SeenBy,
  ): void {
    const known = new Map<Operation, string>();
    const wordsOf = (op: Operation): string => {
      const words = known.get(op) ?? JSON.stringify(op);
      known.set(op, words);
      return words;
    };
    if (this.#online.size > 0) this.#queue.push(...operations.map(wordsOf));
    const hidden = this.#room.hidden();
    if (hidden !== null) this.#queueApart(hidden, seenBy ?? (() => operations), wordsOf);
    if (this.#onlookers > 0) {
      const heard = this.#room.hasCode() ? WITH_A_CODE : FOR_EVERYBODY;
      this.#outsideQueue.push(...outside.filter(({ type }) => heard.has(type)).map(wordsOf));
    }
    this.#schedule();
  }

  #queueApart(
    hiddenFrom: ReadonlyMap<number, Hidden>,
    seenBy: SeenBy,
    wordsOf: (op: Operation) => string,
  ): void {
    this.#queuesApart ??= new Map();
    const present = new Set([...this.#listeners.values()].map(({ userId }) => userId));
    for (const [userId, hidden] of hiddenFrom) {
      if (!present.has(userId)) continue;
      const queue = this.#queuesApart.get(userId) ?? [];
      queue.push(...seenBy(hidden).map(wordsOf));
      this.#queuesApart.set(userId, queue);
    }
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    const now = Date.now();
    const free = this.#promptUntil - (PROMPT_FRAMES - 1) * WINDOW_MS;
    // A frame sent while the last is on its way would only delay lines that could share it.
    const idle = this.#sentAt + Math.min(this.#listeners.size * BUSY_MS, WINDOW_MS);
    const wait = Math.max(free, idle) - now;
    // After a clock set back, no frame waits for longer than a window.
    if (wait <= 0 || wait > WINDOW_MS) this.flush();
    else
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.flush();
      }, wait);
  }

  /** Saves and sends the queue now. */
  flush(): void {
    this.#room.save();
    if (this.#queue.length + this.#outsideQueue.length === 0) return;
    const now = Date.now();
    this.#sentAt = now;
    const most = now + (PROMPT_FRAMES - 1) * WINDOW_MS;
    this.#promptUntil = Math.min(Math.max(now, this.#promptUntil), most) + WINDOW_MS;
    const frameOf = (items: string[]) => (items.length === 0 ? null : `[${items.join(",")}]`);
    const inside = frameOf(this.#queue);
    const outside = frameOf(this.#outsideQueue);
    this.#queue = [];
    this.#outsideQueue = [];
    const apart =
      this.#queuesApart && new Map([...this.#queuesApart].map(([id, items]) => [id, frameOf(items)]));
    this.#queuesApart = null;
    const frameFor = (listener: Listener): string | null | undefined => {
      if (listener.isOnlooker) return outside;
      if (!listener.hasJoined) return null;
      return apart?.has(listener.userId) ? apart.get(listener.userId) : inside;
    };
    for (const [socket, listener] of this.#listeners) {
      const frame = frameFor(listener);
      if (frame) trySend(socket, frame);
    }
  }

  tellTyping(username: string): void {
    this.#typing.add(username);
    this.#shed();
  }

  /** Sends ephemeral updates: the first at once, then those of a quarter of a second or of a second together. */
  #shed(): void {
    if (this.#shedTimer !== null) return;
    const pause = this.#online.size > LARGE.people ? LARGE.shedMs : SHED_MS;
    const wait = this.#lastShedAt + pause - Date.now();
    if (wait <= 0 || wait > pause) this.#tellPassing();
    else this.#shedTimer = setTimeout(() => this.#tellPassing(), wait);
  }

  #tellPassing(): void {
    this.#shedTimer = null;
    this.#lastShedAt = Date.now();
    this.#room.savePresence();
    const now = new Set(this.#online.keys());
    const online = [...now].filter((name) => !this.#announcedOnline.has(name));
    const offline = [...this.#announcedOnline].filter((name) => !now.has(name));
    this.#announcedOnline = now;
    const usernames = [...this.#typing].slice(0, TYPING_SHOWN);
    this.#typing.clear();
    if (online.length + offline.length > 0) {
      const told = { type: "online" as const, online, offline };
      this.broadcast([told], [told], (hidden) => [
        { ...told, online: this.#namesFor(hidden, online), offline: this.#namesFor(hidden, offline) },
      ]);
    }
    if (usernames.length > 0) {
      const told = { type: "typing" as const, usernames };
      this.broadcast([told], [told], (hidden) => {
        const seen = usernames.filter((name) => !hidden.names.has(name));
        return seen.length === 0 ? [] : [{ ...told, usernames: seen }];
      });
    }
  }

  /** Names as a viewer sees them. A hidden person who has just left has none. */
  #namesFor(hidden: Hidden, names: readonly string[]): string[] {
    const aliases = this.#room.aliases(hidden);
    return names.flatMap((name) => aliases.get(name) ?? (hidden.names.has(name) ? [] : name));
  }
}

function trySend(socket: WebSocket, frame: string): void {
  try {
    socket.send(frame);
  } catch {
    // The socket is closing; its own close event follows.
  }
}
