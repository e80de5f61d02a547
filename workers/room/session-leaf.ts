// The Durable Object that carries some sockets of a large session for its room: it reads their messages, relays them,
// and sends the room's frames. It stores nothing and decides nothing else.

import { DurableObject } from "cloudflare:workers";
import { SECOND } from "~/domain/time";
import { CLOSE, MESSAGE_LIMIT, PING, PONG, SOCKET_PROTOCOL } from "~/wire/room";
import { readClientMessage } from "~/wire/room-messages";
import { limitsApply } from "../adapters/attempts";
import { openRoom } from "../adapters/rooms";
import type { ObjectsEnv } from "../env";
import type { FromLeaf, LeafHello, LeafPlace, RelayAnswer, ToLeaf } from "./leaf-wire";
import { logRoomError } from "./log";
import { Outbox } from "./outbox";
import { Pace } from "./pace";
import { closeCode, ENTRY, type Entry, FLOOD_PER_SECOND, type Listener } from "./sockets";

/** The socket's attachment. */
type Carried = LeafPlace & { sessionId: number; epoch: string; listener: Listener };

export class SessionLeaf extends DurableObject<ObjectsEnv> {
  /** Changes when the leaf has lost or closed all its sockets. */
  #epoch: string;
  #home: { sessionId: number; leaf: string } | null = null;
  readonly #carried = new Map<WebSocket, Carried>();
  readonly #byId = new Map<string, WebSocket>();
  /** Users whose typing waits in the outbox. */
  readonly #typing = new Set<number>();
  readonly #said = new Pace(FLOOD_PER_SECOND, SECOND);
  readonly #outbox = new Outbox<FromLeaf>(
    (items) => this.#relay(items),
    () => MESSAGE_LIMIT,
  );

  constructor(ctx: DurableObjectState, env: ObjectsEnv) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    for (const socket of ctx.getWebSockets()) {
      const carried = socket.deserializeAttachment() as Carried | null;
      if (carried) this.#carry(socket, carried);
    }
    const [slept] = this.#carried.values();
    this.#epoch = slept?.epoch ?? crypto.randomUUID();
  }

  #carry(socket: WebSocket, carried: Carried): void {
    this.#carried.set(socket, carried);
    this.#byId.set(carried.socketId, socket);
    this.#home = carried;
  }

  // ------------------------------------------------------------------ sockets

  /** Only the worker can call this, with the place that the room has named (open-socket.ts). */
  override fetch(request: Request): Response {
    const entry = JSON.parse(request.headers.get(ENTRY) ?? "null") as Entry | null;
    if (!entry?.identity || !entry.place) return new Response(null, { status: 401 });
    const { sessionId, identity, ticket, isNamed, join, place } = entry;
    const [client, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    this.ctx.acceptWebSocket(server);
    const listener = { ...identity, hasJoined: false };
    const carried: Carried = { ...place, sessionId, epoch: this.#epoch, listener };
    this.#carry(server, carried);
    server.serializeAttachment(carried);
    const { socketId } = place;
    this.#outbox.push({ type: "open", socketId, identity, ticket, ...(join && { join }) });
    const headers: HeadersInit = isNamed ? { "Sec-WebSocket-Protocol": SOCKET_PROTOCOL } : {};
    return new Response(null, { status: 101, webSocket: client, headers });
  }

  override webSocketMessage(socket: WebSocket, raw: string | ArrayBuffer): void {
    const carried = this.#carried.get(socket);
    if (!carried) return;
    const { socketId, listener } = carried;
    const message = readClientMessage(raw);
    if (limitsApply(this.env) && !this.#said.take(listener.userId, Date.now()))
      this.#leave(socket, CLOSE.tooMuch, "too much at once");
    else if (!message) this.#leave(socket, CLOSE.badMessage, "not understood");
    else if (message.type !== "typing" || !this.#typing.has(listener.userId)) {
      if (message.type === "typing") this.#typing.add(listener.userId);
      this.#outbox.push({ type: "message", socketId, message });
    }
  }
  override webSocketClose(socket: WebSocket, code: number): void {
    this.#leave(socket, closeCode(code), "");
  }
  override webSocketError(socket: WebSocket): void {
    this.#leave(socket, CLOSE.changed, "");
  }

  #leave(socket: WebSocket, code: number, reason: string): void {
    const carried = this.#carried.get(socket);
    if (carried) this.#outbox.push({ type: "close", socketId: carried.socketId });
    this.#close(socket, code, reason);
  }
  #close(socket: WebSocket, code: number, reason: string): void {
    const carried = this.#carried.get(socket);
    this.#carried.delete(socket);
    if (carried) this.#byId.delete(carried.socketId);
    try {
      // A socket that is closing survives hibernation, and would bring an old epoch back.
      socket.serializeAttachment(null);
      socket.close(code, reason);
    } catch {}
  }

  // ------------------------------------------------------------------ the room

  async #relay(items: FromLeaf[]): Promise<void> {
    if (!this.#home) return;
    const { sessionId, leaf } = this.#home;
    const epoch = this.#epoch;
    this.#typing.clear();
    let answer: RelayAnswer = "reset";
    try {
      answer = await openRoom(this.env, sessionId).relay(sessionId, leaf, epoch, items);
    } catch (error) {
      logRoomError({ event: "leaf-not-heard", session: sessionId, error });
    }
    if (epoch !== this.#epoch) return;
    // After a failure, nobody knows what the room has heard. Nonces make repeated lines harmless.
    if (answer === "reset") this.#reset();
  }

  #reset(): void {
    const sockets = [...this.#carried.keys()];
    this.#outbox.clear();
    this.#typing.clear();
    this.#epoch = crypto.randomUUID();
    for (const socket of sockets) this.#close(socket, CLOSE.changed, "listen again");
    if (sockets.length > 0) this.#outbox.push({ type: "began" });
  }

  /** Asked by the room: sends `items` in order, unless the leaf has another epoch. Answers its epoch. */
  deliver(epoch: string, items: ToLeaf[]): string {
    if (epoch === this.#epoch) for (const item of items) this.#take(item);
    return this.#epoch;
  }
  /** Asked by a room that woke. */
  hello(): LeafHello {
    const listeners = [...this.#carried.values()].map(({ socketId, listener }) => ({ socketId, listener }));
    return { epoch: this.#epoch, listeners };
  }
  /** Asked by a room that doubts this epoch, or, with null, any: closes all sockets. Answers the new epoch. */
  reset(epoch: string | null): string {
    if (epoch === null || epoch === this.#epoch) this.#reset();
    return this.#epoch;
  }

  #take(item: ToLeaf): void {
    if (item.type === "frame") {
      this.#sendAll(item.frame, item.except);
      return;
    }
    const socket = this.#byId.get(item.socketId);
    const carried = socket && this.#carried.get(socket);
    if (!carried) return;
    switch (item.type) {
      case "send":
        send(socket, item.frame);
        break;
      case "joined": {
        const { listener } = carried;
        const joined = { ...carried, listener: { ...listener, username: item.username, hasJoined: true } };
        this.#carried.set(socket, joined);
        socket.serializeAttachment(joined);
        break;
      }
      case "close":
        this.#close(socket, item.code, item.reason);
        break;
      default:
        item satisfies never;
    }
  }
  #sendAll(frame: string, except: readonly number[]): void {
    const apart = new Set(except);
    for (const [socket, { listener }] of this.#carried)
      if (listener.hasJoined && !apart.has(listener.userId)) send(socket, frame);
  }
}

function send(socket: WebSocket, frame: string): void {
  try {
    socket.send(frame);
  } catch {
    // The socket is closing; its own close event follows.
  }
}
