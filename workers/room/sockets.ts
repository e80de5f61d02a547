// The sockets of a room: they hibernate, carry their identity in the attachment, and are limited in number and pace.
import type { RoomActor } from "~/domain/room/room";
import { type Instant, instant, SECOND } from "~/domain/time";
import type { ClientMessage } from "~/wire/room/messages";
import { CLOSE, type Operation, PING, PONG } from "~/wire/room/room";
import { Pace } from "./pace";

/**
 * The user of a socket, the hash of the login that opened it, and the client's network; the worker sets all
 * three at the upgrade.
 */
export type Identity = RoomActor & { loginHash: string; network: string };

/** The client's claim about its user; the room compares it with the identity. */
export type Join = Pick<Extract<ClientMessage, { type: "join" }>, "username" | "since">;

/** The header of an upgrade, which only the worker sets; its value is an `Entry`. */
export const ENTRY = "X-Bothy-Entry";
/** Without an identity, the socket is a spectator's. `ticket` is for the welcome. */
export type Entry = {
  sessionId: number;
  identity: Identity | null;
  network: string;
  /** A stage: a spectator's screen that receives fewer operations (J-10). */
  isStage?: true;
  /** A stage that was opened by a view link. */
  isLinked?: true;
  ticket: string | null;
  /** The client offers our subprotocol. A refused subprotocol would close the browser's socket. */
  isNamed: boolean;
  /** Set when the upgrade's URL already asks to join; the welcome then saves a round trip. */
  join?: Join;
};

/**
 * The socket's attachment. `hasJoined` is set after the first message was validated; a spectator never joins.
 */
export type Listener = Identity & {
  hasJoined: boolean;
  isSpectator?: true;
  isStage?: true;
  isLinked?: true;
  acceptedAt: Instant;
  /** "Join the call" was pressed on this page (J-02). */
  isInCall?: true;
  /** Silent for too long to count as present. */
  isAway?: true;
};

/** Messages per person and second, over all their sockets, far above normal use. */
const FLOOD_PER_SECOND = 40;
/** Changes per second of one person's ready mark and hand. */
const FLIPS_PER_SECOND = 2;
/** Welcomes in ten seconds for one person or one spectator's network; enough for every open page to reconnect twice. */
const WELCOMES_PER_TEN_SECONDS = 40;
/** Open pages of one person in one room. */
const SOCKETS_PER_USER = 12;
/** Spectators' sockets in one room, and from one network; further pages poll instead. */
const MAX_SPECTATORS = 1000;
const MAX_SPECTATORS_PER_NETWORK = 20;
/** Sent before the close, because Chromium reports a close two seconds late. */
const LINK_CHANGED: Operation = {
  type: "refused",
  error_code: "NOT_FOUND",
  message: "This link has ended or leads elsewhere.",
};

/** Notified when a participant's socket joins, and when a joined socket closes. */
export type SocketWatcher = {
  joined(socket: WebSocket, listener: Listener): void;
  left(socket: WebSocket, listener: Listener): void;
};

/** The code with which a closed socket is answered: 1005 and 1006 mean that none arrived, and cannot be sent. */
export const closeCode = (code: number): number => (code === 1005 || code === 1006 ? 1000 : code);

export class Sockets {
  readonly #ctx: DurableObjectState;
  readonly #watcher: SocketWatcher;
  readonly #isFloodLimited: boolean;
  /** Attachments, each read once; the runtime returns the same socket objects until the room hibernates. */
  readonly #listeners = new Map<WebSocket, Listener>();
  /** The sockets of each person, oldest first; without spectators. */
  readonly #byUser = new Map<number, Set<WebSocket>>();
  #joinedCount = 0;
  #spectatorCount = 0;
  #stageCount = 0;
  readonly #spectatorsByNetwork = new Map<string, number>();
  readonly #messagePace = new Pace(FLOOD_PER_SECOND, SECOND);
  readonly #flips = new Pace(FLIPS_PER_SECOND, SECOND);
  readonly #welcomes = new Pace(WELCOMES_PER_TEN_SECONDS, 10 * SECOND);

  constructor(ctx: DurableObjectState, watcher: SocketWatcher, isFloodLimited: boolean) {
    this.#ctx = ctx;
    this.#watcher = watcher;
    this.#isFloodLimited = isFloodLimited;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    // The sockets that stayed open while the room hibernated.
    for (const socket of ctx.getWebSockets()) {
      const listener = socket.deserializeAttachment() as Listener | null;
      if (!listener) continue;
      this.#add(socket, listener);
      if (listener.isSpectator) this.#countSpectator(listener, 1);
      if (listener.hasJoined) this.#joinedCount++;
    }
  }

  accept(socket: WebSocket, identity: Identity): void {
    const ownSockets = this.#byUser.get(identity.userId);
    const [oldest] = ownSockets ?? [];
    if (oldest && ownSockets && ownSockets.size >= SOCKETS_PER_USER)
      this.close(oldest, CLOSE.tooMuch, "too many open pages");
    this.#ctx.acceptWebSocket(socket);
    const listener = { ...identity, hasJoined: false, acceptedAt: instant(Date.now()) };
    this.#add(socket, listener);
    socket.serializeAttachment(listener);
  }

  /** False when the room or this network has too many. An empty network is unknown, and not counted. */
  acceptSpectator(
    socket: WebSocket,
    network: string,
    kind: Pick<Entry, "isStage" | "isLinked"> = {},
  ): boolean {
    this.#ctx.acceptWebSocket(socket);
    const isCrowded = (this.#spectatorsByNetwork.get(network) ?? 0) >= MAX_SPECTATORS_PER_NETWORK;
    if (this.#spectatorCount >= MAX_SPECTATORS || isCrowded || !this.#takeWelcome(network)) {
      this.close(socket, CLOSE.tooMuch, "too many spectators");
      return false;
    }
    const listener: Listener = {
      userId: 0,
      username: "",
      isSuperAdmin: false,
      loginHash: "",
      hasJoined: false,
      isSpectator: true,
      acceptedAt: instant(Date.now()),
      network,
      ...kind,
    };
    this.setListener(socket, listener);
    this.#countSpectator(listener, 1);
    return true;
  }

  /** Called once per socket. False when this person is welcomed too often; the socket is then closed. */
  join(socket: WebSocket, listener: Listener, username: string): boolean {
    if (!this.#takeWelcome(listener.userId)) {
      this.close(socket, CLOSE.tooMuch, "too much at once");
      return false;
    }
    const joinedListener = { ...listener, username, hasJoined: true };
    this.setListener(socket, joinedListener);
    this.#joinedCount++;
    this.#watcher.joined(socket, joinedListener);
    return true;
  }

  /** Stores the socket's listener, in the attachment too, where it survives hibernation. */
  setListener(socket: WebSocket, listener: Listener): void {
    this.#listeners.set(socket, listener);
    socket.serializeAttachment(listener);
  }

  #add(socket: WebSocket, listener: Listener): void {
    this.#listeners.set(socket, listener);
    if (listener.isSpectator) return;
    const ownSockets = this.#byUser.get(listener.userId) ?? new Set();
    this.#byUser.set(listener.userId, ownSockets.add(socket));
  }

  #countSpectator({ network, isStage }: Listener, change: 1 | -1): void {
    this.#spectatorCount += change;
    if (isStage) this.#stageCount += change;
    if (network === "") return;
    const count = (this.#spectatorsByNetwork.get(network) ?? 0) + change;
    if (count > 0) this.#spectatorsByNetwork.set(network, count);
    else this.#spectatorsByNetwork.delete(network);
  }

  /** False when this person, or this spectator's network, asks too often; the socket is then closed. */
  takePeopleRequest(socket: WebSocket, { userId, network, isSpectator }: Listener): boolean {
    if (this.#takeWelcome(isSpectator ? network : userId)) return true;
    this.close(socket, CLOSE.tooMuch, "too much at once");
    return false;
  }

  #takeWelcome(key: string | number): boolean {
    return !this.#isFloodLimited || key === "" || this.#welcomes.take(key, Date.now());
  }

  /** False when this person sends too much; the socket is then closed. */
  takeMessage(socket: WebSocket): boolean {
    const listener = this.#listeners.get(socket);
    if (!listener) return false;
    if (
      !this.#isFloodLimited ||
      this.#messagePace.take(listener.isSpectator ? listener.network : listener.userId, Date.now())
    )
      return true;
    this.close(socket, CLOSE.tooMuch, "too much at once");
    return false;
  }

  /** Counts a change of the person's ready mark or hand; false when there are too many. */
  takeFlip(userId: number): boolean {
    return !this.#isFloodLimited || this.#flips.take(userId, Date.now());
  }

  of(socket: WebSocket): Listener | null {
    return this.#listeners.get(socket) ?? null;
  }

  /** Every open socket, spectators included. */
  all(): IterableIterator<[WebSocket, Listener]> {
    return this.#listeners.entries();
  }

  /** The joined sockets of these users. */
  joined(userIds: readonly number[]): [WebSocket, Listener][] {
    return userIds.flatMap((userId) => this.#socketsOf(userId)).filter(([, { hasJoined }]) => hasJoined);
  }

  #socketsOf(userId: number): [WebSocket, Listener][] {
    return [...(this.#byUser.get(userId) ?? [])].flatMap((socket) => {
      const listener = this.#listeners.get(socket);
      return listener ? [[socket, listener] as [WebSocket, Listener]] : [];
    });
  }

  get count(): number {
    return this.#listeners.size;
  }

  get joinedCount(): number {
    return this.#joinedCount;
  }

  get spectatorCount(): number {
    return this.#spectatorCount;
  }

  get stageCount(): number {
    return this.#stageCount;
  }

  /** Sends to one socket, e.g. a welcome; `operations` may already be serialised. */
  send(socket: WebSocket, ...operations: (Operation | string)[]): void {
    const jsons = operations.map((op) => (typeof op === "string" ? op : JSON.stringify(op)));
    sendTo(socket, `[${jsons.join(",")}]`);
  }

  /** The socket is closed, by either side. */
  drop(socket: WebSocket): void {
    const listener = this.#listeners.get(socket);
    if (!listener) return;
    this.#listeners.delete(socket);
    const ownSockets = this.#byUser.get(listener.userId);
    ownSockets?.delete(socket);
    if (ownSockets?.size === 0) this.#byUser.delete(listener.userId);
    if (listener.isSpectator) this.#countSpectator(listener, -1);
    if (!listener.hasJoined) return;
    this.#joinedCount--;
    this.#watcher.left(socket, listener);
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

  /** Closes every socket that these logins opened. */
  endLogins(loginHashes: readonly string[]): void {
    for (const [socket, listener] of [...this.#listeners])
      if (loginHashes.includes(listener.loginHash)) this.close(socket, CLOSE.signedOut, "signed out");
  }

  closeAll(code: number, reason: string): void {
    for (const socket of [...this.#listeners.keys()]) this.close(socket, code, reason);
  }

  /** Closes the sockets of all spectators, or of all view links; clients reconnect unless `code` forbids it. */
  closeSpectators(code: number, reason: string, which: "isSpectator" | "isLinked" = "isSpectator"): void {
    for (const [socket, listener] of [...this.#listeners]) {
      if (!listener[which]) continue;
      if (listener.isLinked) this.send(socket, LINK_CHANGED);
      this.close(socket, code, reason);
    }
  }
}

/** Ignores a socket that is closing: its close event follows by itself. */
export function sendTo(socket: WebSocket, frame: string): void {
  try {
    socket.send(frame);
  } catch {}
}
