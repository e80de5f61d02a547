// Who listens to a room: hibernating sockets, their identity in the attachment, and frames to all of them. The first
// event leaves at once; what follows within 16 ms leaves as one frame, put into words once for everybody. What is to be
// durable is saved before any frame leaves.
import type { RoomActor } from "~/domain/room";
import { SECOND } from "~/domain/time";
import { CLOSE, type Operation, PING, PONG } from "~/wire/room";
import { Pace } from "./pace";

/** The person behind a socket, the hash of the login that opened it and its network, set by the worker at the upgrade. */
export type Identity = RoomActor & { loginHash: string; network: string };

/** The socket's attachment. `hasJoined` after the first message was checked; a spectator never joins. */
export type Listener = Identity & {
  hasJoined: boolean;
  isOnlooker?: true;
};

type OperationType = Operation["type"];
/** The operations that people without a seat hear. One that is not named here is for participants alone. */
const FOR_EVERYBODY: ReadonlySet<OperationType> = new Set<OperationType>([
  "participants",
  "online",
  "status",
  "started_at",
  "parts",
  "content",
  "summary",
]);
/** The same for a session with a join code. */
const WITH_A_CODE: ReadonlySet<OperationType> = new Set<OperationType>([
  "status",
  "started_at",
  "parts",
  "content",
]);

const WINDOW_MS = 16;
/** Presence and typing are shed to four frames a second. */
const SHED_MS = 250;
/** Messages of one person in a second that no honest person says, over all their sockets. */
const FLOOD_PER_SECOND = 40;
/** Changes of one person's ready mark in a second. */
const FLIPS_PER_SECOND = 2;
/** Welcomes of one person, or of one address that looks on, in ten seconds: every open page twice. */
const WELCOMES_PER_TEN_SECONDS = 40;
/** Open pages of one person in one room. */
const SOCKETS_PER_USER = 12;
/** Spectators' sockets in one room, and from one address; the pages of any more are read again now and then. */
const ONLOOKERS = 1000;
const ONLOOKERS_PER_ADDRESS = 20;
const TYPING_SHOWN = 5;
/** Ended logins remembered, so that an upgrade under way at the same moment is closed as well. */
const ENDED_LOGINS = 200;

/** The room that the sockets belong to. */
export type RoomBehind = {
  /** Makes durable what the frames tell of. */
  save(): void;
  /** A join code closes the session to people without a seat. */
  hasCode(): boolean;
};

export class Sockets {
  readonly #ctx: DurableObjectState;
  readonly #room: RoomBehind;
  readonly #isFloodLimited: boolean;
  /** Attachments read once; the runtime hands out the same sockets until the room sleeps. */
  readonly #listeners = new Map<WebSocket, Listener>();
  readonly #said = new Pace(FLOOD_PER_SECOND, SECOND);
  readonly #flips = new Pace(FLIPS_PER_SECOND, SECOND);
  readonly #welcomes = new Pace(WELCOMES_PER_TEN_SECONDS, 10 * SECOND);
  /** Open sockets of each username that joined. */
  readonly #online = new Map<string, number>();
  #endedLogins: string[] = [];
  /** Operations in words: for those who joined, and for those who look on. */
  #queue: string[] = [];
  #outsideQueue: string[] = [];
  #onlookers = 0;
  readonly #onlookersOf = new Map<string, number>();
  #lastSentAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #typing = new Set<string>();
  /** What was last told of who is online. */
  #toldOnline: ReadonlySet<string>;
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
      this.#listeners.set(socket, listener);
      if (listener.hasJoined) this.#count(listener.username, 1);
      if (listener.isOnlooker) this.#countOnlooker(listener, 1);
    }
    this.#toldOnline = new Set(this.#online.keys());
  }

  accept(socket: WebSocket, identity: Identity): void {
    const own = [...this.#listeners].filter(([, listener]) => listener.userId === identity.userId);
    const [oldest] = own;
    if (oldest && own.length >= SOCKETS_PER_USER) this.close(oldest[0], CLOSE.tooMuch, "too many open pages");
    this.#ctx.acceptWebSocket(socket);
    this.#listeners.set(socket, { ...identity, hasJoined: false });
    socket.serializeAttachment({ ...identity, hasJoined: false });
    if (this.#endedLogins.includes(identity.loginHash)) this.close(socket, CLOSE.signedOut, "signed out");
  }

  /** False when there are too many, in the room or from this network. An empty network is not known, and not counted. */
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

  /** Once for each socket. False when this person is welcomed too often; the socket is closed then. */
  join(socket: WebSocket, listener: Listener, username: string): boolean {
    if (!this.#mayBeWelcomed(listener.userId)) {
      this.close(socket, CLOSE.tooMuch, "too much at once");
      return false;
    }
    const joined = { ...listener, username, hasJoined: true };
    this.#listeners.set(socket, joined);
    socket.serializeAttachment(joined);
    this.#count(username, 1);
    this.#shed();
    return true;
  }

  /** It is closed, by whomever. */
  drop(socket: WebSocket): void {
    const listener = this.#listeners.get(socket);
    if (!listener) return;
    this.#listeners.delete(socket);
    if (listener.isOnlooker) this.#countOnlooker(listener, -1);
    if (!listener.hasJoined) return;
    this.#count(listener.username, -1);
    this.#shed();
  }

  #count(username: string, by: 1 | -1): void {
    const count = (this.#online.get(username) ?? 0) + by;
    if (count > 0) this.#online.set(username, count);
    else this.#online.delete(username);
  }

  /** False when this person says too much; the socket is closed then. */
  maySpeak(socket: WebSocket): boolean {
    const listener = this.#listeners.get(socket);
    if (!listener) return false;
    if (!this.#isFloodLimited || this.#said.take(listener.userId, Date.now())) return true;
    this.close(socket, CLOSE.tooMuch, "too much at once");
    return false;
  }

  /** False when this person changes their ready mark too often. */
  mayFlip(userId: number): boolean {
    return !this.#isFloodLimited || this.#flips.take(userId, Date.now());
  }

  online(): string[] {
    return [...this.#online.keys()];
  }

  /** To one alone, e.g. a welcome; `operations` may be in words already. */
  send(socket: WebSocket, ...operations: (Operation | string)[]): void {
    const words = operations.map((op) => (typeof op === "string" ? op : JSON.stringify(op)));
    try {
      socket.send(`[${words.join(",")}]`);
    } catch {
      // It is closing; its own close event follows.
    }
  }
  close(socket: WebSocket, code: number, reason: string): void {
    this.drop(socket);
    try {
      socket.close(code, reason);
    } catch {}
  }
  /** Every socket of a user, e.g. of one who lost the seat. */
  closeUser(userId: number, code: number, reason: string): void {
    for (const [socket, listener] of [...this.#listeners])
      if (listener.userId === userId) this.close(socket, code, reason);
  }
  /** Every socket that one of these logins opened. */
  endLogins(loginHashes: readonly string[]): void {
    this.#endedLogins = [...this.#endedLogins, ...loginHashes].slice(-ENDED_LOGINS);
    for (const [socket, listener] of [...this.#listeners])
      if (loginHashes.includes(listener.loginHash)) this.close(socket, CLOSE.signedOut, "signed out");
  }
  closeAll(code: number, reason: string): void {
    for (const socket of [...this.#listeners.keys()]) this.close(socket, code, reason);
  }

  /** Everybody who only looks on; they come back by themselves unless `code` says otherwise. */
  closeOnlookers(code: number, reason: string): void {
    for (const [socket, listener] of [...this.#listeners])
      if (listener.isOnlooker) this.close(socket, code, reason);
  }

  /** To everybody who joined, and `outside` to those who look on, in this order. What both hear is serialised once. */
  broadcast(operations: readonly Operation[], outside: readonly Operation[] = operations): void {
    const known = new Map<Operation, string>();
    const wordsOf = (op: Operation): string => {
      const words = known.get(op) ?? JSON.stringify(op);
      known.set(op, words);
      return words;
    };
    if (this.#online.size > 0) this.#queue.push(...operations.map(wordsOf));
    if (this.#onlookers > 0) {
      const heard = this.#room.hasCode() ? WITH_A_CODE : FOR_EVERYBODY;
      this.#outsideQueue.push(...outside.filter(({ type }) => heard.has(type)).map(wordsOf));
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    const wait = this.#lastSentAt + WINDOW_MS - Date.now();
    if (wait <= 0 || wait > WINDOW_MS) this.flush();
    else this.#timer = setTimeout(() => this.flush(), wait);
  }

  /** Saves and sends now what waits. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#room.save();
    if (this.#queue.length + this.#outsideQueue.length === 0) return;
    this.#lastSentAt = Date.now();
    const frameOf = (items: string[]) => (items.length === 0 ? null : `[${items.join(",")}]`);
    const inside = frameOf(this.#queue);
    const outside = frameOf(this.#outsideQueue);
    this.#queue = [];
    this.#outsideQueue = [];
    for (const [socket, listener] of this.#listeners) {
      const frame = listener.hasJoined ? inside : listener.isOnlooker ? outside : null;
      if (frame === null) continue;
      try {
        socket.send(frame);
      } catch {}
    }
  }

  tellTyping(username: string): void {
    this.#typing.add(username);
    this.#shed();
  }

  /** Passing things: at once, then gathered for a quarter of a second. */
  #shed(): void {
    if (this.#shedTimer !== null) return;
    const wait = this.#lastShedAt + SHED_MS - Date.now();
    if (wait <= 0 || wait > SHED_MS) this.#tellPassing();
    else this.#shedTimer = setTimeout(() => this.#tellPassing(), wait);
  }

  #tellPassing(): void {
    this.#shedTimer = null;
    this.#lastShedAt = Date.now();
    const now = new Set(this.#online.keys());
    const online = [...now].filter((name) => !this.#toldOnline.has(name));
    const offline = [...this.#toldOnline].filter((name) => !now.has(name));
    this.#toldOnline = now;
    const usernames = [...this.#typing].slice(0, TYPING_SHOWN);
    this.#typing.clear();
    if (online.length + offline.length > 0) this.broadcast([{ type: "online", online, offline }]);
    if (usernames.length > 0) this.broadcast([{ type: "typing", usernames }]);
  }
}
