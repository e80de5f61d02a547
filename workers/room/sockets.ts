// Who listens to a room: hibernating sockets, their identity in the attachment, and frames to all of them. The first
// event leaves at once; what follows within 16 ms leaves as one frame, serialised once for everybody.
import { CLOSE, type Operation, PING, PONG } from "~/wire/room";

/** Set by the worker at the upgrade; `hasJoined` after the first message was checked. */
export type Listener = {
  userId: number;
  username: string;
  isSuperAdmin: boolean;
  hasJoined: boolean;
  /** Flood counter: messages in the second that began at `since`. */
  since: number;
  count: number;
};

const WINDOW_MS = 16;
/** Presence and typing are shed to four frames a second. */
const SHED_MS = 250;
const FLOOD_PER_SECOND = 40;

export class Sockets {
  readonly #ctx: DurableObjectState;
  #queue: Operation[] = [];
  #lastSentAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #shed = new Map<string, Operation>();
  #shedTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  accept(socket: WebSocket, identity: Pick<Listener, "userId" | "username" | "isSuperAdmin">): void {
    this.#ctx.acceptWebSocket(socket);
    this.save(socket, { ...identity, hasJoined: false, since: 0, count: 0 });
  }

  of(socket: WebSocket): Listener | null {
    return socket.deserializeAttachment() as Listener | null;
  }
  save(socket: WebSocket, listener: Listener): void {
    socket.serializeAttachment(listener);
  }

  /** False when this socket says too much; it is closed then. */
  maySpeak(socket: WebSocket, listener: Listener, now: number): boolean {
    const next =
      now - listener.since >= 1000
        ? { ...listener, since: now, count: 1 }
        : { ...listener, count: listener.count + 1 };
    this.save(socket, next);
    if (next.count <= FLOOD_PER_SECOND) return true;
    this.close(socket, CLOSE.tooMuch, "too much at once");
    return false;
  }

  online(): string[] {
    const names = new Set<string>();
    for (const socket of this.#ctx.getWebSockets()) {
      const listener = this.of(socket);
      if (listener?.hasJoined && socket.readyState === WebSocket.OPEN) names.add(listener.username);
    }
    return [...names];
  }

  send(socket: WebSocket, operations: Operation[]): void {
    try {
      socket.send(JSON.stringify(operations));
    } catch {
      // It is closing; its own close event follows.
    }
  }
  close(socket: WebSocket, code: number, reason: string): void {
    try {
      socket.close(code, reason);
    } catch {}
  }
  /** Every socket of a user, e.g. of one who lost the seat. */
  closeUser(userId: number, code: number, reason: string): void {
    for (const socket of this.#ctx.getWebSockets())
      if (this.of(socket)?.userId === userId) this.close(socket, code, reason);
  }

  /** To everybody who joined. */
  broadcast(operations: Operation[]): void {
    if (operations.length === 0) return;
    this.#queue.push(...operations);
    if (this.#timer !== null) return;
    const wait = this.#lastSentAt + WINDOW_MS - Date.now();
    if (wait <= 0) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), wait);
  }

  /** Passing things: the newest of each kind, at most four times a second. */
  shed(key: string, operation: Operation): void {
    this.#shed.set(key, operation);
    if (this.#shedTimer !== null) return;
    this.#shedTimer = setTimeout(() => {
      this.#shedTimer = null;
      const operations = [...this.#shed.values()];
      this.#shed.clear();
      this.broadcast(operations);
    }, SHED_MS);
  }

  #flush(): void {
    this.#timer = null;
    this.#lastSentAt = Date.now();
    const frame = JSON.stringify(this.#queue);
    this.#queue = [];
    for (const socket of this.#ctx.getWebSockets()) {
      if (!this.of(socket)?.hasJoined) continue;
      try {
        socket.send(frame);
      } catch {}
    }
  }
}
