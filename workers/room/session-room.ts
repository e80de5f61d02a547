// The Durable Object of a session: its RPC calls, sockets and alarm. The rules are in app/domain/room.

import { DurableObject } from "cloudflare:workers";
import { AppError } from "~/domain/errors";
import { guestRefused } from "~/domain/guest-rights";
import { writingRefusal } from "~/domain/room/chat";
import { GUEST_WRITES } from "~/domain/room/guest-names";
import {
  NOT_JOINED,
  type RoomActor,
  type RoomChange,
  type RoomState,
  type RoomView,
} from "~/domain/room/room";
import type { AuthoredMessage } from "~/domain/sessions/chat";
import { countedStart } from "~/domain/sessions/leaving";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type ClientMessage, mayGuestSend, readClientMessage } from "~/wire/room/messages";
import { CLOSE, SOCKET_PROTOCOL } from "~/wire/room/room";
import { createRoomApp, type RoomApp } from "../create-room-app";
import type { ObjectsEnv } from "../env";
import { RoomActs } from "./acts";
import { answerOf, knownError, type RoomAnswer } from "./answers";
import { Chat } from "./chat";
import { Entrance } from "./entrance";
import { eraseAuthor } from "./erase-author";
import { logRoomError } from "./log";
import { addLog } from "./marked-logs";
import { RoomMemory } from "./memory";
import { Reactions } from "./reactions";
import { RoomRecord } from "./record";
import { closeCode, ENTRY, type Entry, type Listener } from "./sockets";
import { Welcome } from "./welcome";

/** How many messages a page receives. The welcome of its socket sends more. */
const MAX_SHOWN_MESSAGES = 50;

export class SessionRoom extends DurableObject<ObjectsEnv> {
  readonly #memory: RoomMemory;
  readonly #chat: Chat;
  readonly #record: RoomRecord;
  readonly #welcome: Welcome;
  readonly #entrance: Entrance;
  readonly #acts: RoomActs;
  readonly #reactions: Reactions;
  readonly #app: () => RoomApp;

  constructor(ctx: DurableObjectState, env: ObjectsEnv) {
    super(ctx, env);
    this.#memory = new RoomMemory(ctx, env);
    this.#app = () => createRoomApp(env, this.#memory.now());
    this.#welcome = new Welcome(this.#memory);
    this.#entrance = new Entrance(this.#memory, this.#welcome);
    this.#acts = new RoomActs(this.#memory, this.#app);
    this.#reactions = new Reactions(this.#memory);
    this.#chat = new Chat(this.#memory, this.#app);
    this.#record = new RoomRecord(this.#memory, this.#chat, this.#app, (userIds) =>
      this.#welcome.greetAgain(userIds),
    );
  }

  #answer<T>(work: () => Promise<T>): Promise<RoomAnswer<T>> {
    return answerOf(work, () => this.#memory.current?.state.sessionId);
  }

  // ------------------------------------------------------------------ called by use cases

  /** D1 has changed: reads it again and broadcasts the difference. Idempotent, in any order. */
  refresh(sessionId: number): Promise<RoomAnswer<void>> {
    return this.#answer(() => this.#record.read(sessionId));
  }

  change(sessionId: number, change: RoomChange): Promise<RoomAnswer<RoomView>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      await this.#readBeforeStart(sessionId, change);
      try {
        await this.#applyChange(change);
      } finally {
        this.#memory.flush();
        // The next page load reads D1, except for a line. If this write fails, the alarm retries.
        if (this.#record.isWriteDue) await this.#writeAfter(change);
      }
      return this.#view();
    });
  }

  async #writeAfter({ type }: RoomChange): Promise<void> {
    const writing = this.#record.write();
    if (type === "say") this.ctx.waitUntil(writing);
    else await writing;
  }

  view(sessionId: number): Promise<RoomAnswer<RoomView>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      return this.#view();
    });
  }

  messages(
    sessionId: number,
    page: { before?: number; limit: number },
  ): Promise<RoomAnswer<AuthoredMessage[]>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      this.#memory.flush();
      return this.#memory.store.lines.listMessages(page);
    });
  }

  /** The author's chat lines that have not been removed. */
  linesOf(
    sessionId: number,
    page: { userId: number; after: number; limit: number },
  ): Promise<RoomAnswer<AuthoredMessage[]>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      this.#memory.flush();
      return this.#memory.store.lines.listMessagesOf(page);
    });
  }

  /** The lines of a guest and their deleted logs that stay paid: what they have written beside their logs in D1 (H-20). */
  writtenBy(sessionId: number, userId: number): Promise<RoomAnswer<number>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      this.#memory.flush();
      return this.#memory.store.lines.countWritten(userId, GUEST_WRITES, "log");
    });
  }

  /** Corrects the logs that have changed in D1 since the room received them. */
  followLogs(sessionId: number): Promise<RoomAnswer<void>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      await this.#record.followLogs();
    });
  }

  /** Erases the texts of a deleted account and renames it. */
  eraseAuthor(sessionId: number, author: { userId: number; username: string }): Promise<RoomAnswer<void>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      eraseAuthor(this.#memory, author);
      if (this.#record.isWriteDue) await this.#record.write();
    });
  }

  /** Copies the chat outside the room. */
  copyChat(sessionId: number): Promise<RoomAnswer<void>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      await this.#record.copyChat();
    });
  }

  /** Reads nothing from D1: a room without sockets has nothing to close. */
  async endLogins(loginHashes: string[]): Promise<RoomAnswer<void>> {
    return this.#answer(async () => this.#entrance.endLogins(loginHashes));
  }

  /**
   * Reads nothing from D1. It closes all spectators when one of them loses access, because the room does not know their
   * names.
   */
  async closeSpectators(which?: "isLinked"): Promise<RoomAnswer<void>> {
    return this.#answer(async () => this.#memory.sockets.closeSpectators(CLOSE.changed, "reconnect", which));
  }

  /** Until the run begins, the plan in D1 is the valid plan, so the room reads it once more. */
  async #readBeforeStart(sessionId: number, change: RoomChange): Promise<void> {
    const { state } = this.#memory.requireCurrent();
    if (state.runBegunAt !== null || (change.type !== "start" && change.type !== "end")) return;
    await this.#record.readIfPossible(sessionId);
  }

  async #applyChange(change: RoomChange): Promise<void> {
    switch (change.type) {
      case "say":
        return this.#say(change.by, change.content, change.nonce);
      case "show-line":
        return this.#chat.showHostLine(change.by, change.content, change.nonce);
      case "clear-line":
        return this.#chat.clearHostLine(change.by);
      case "edit-line":
        return this.#chat.edit(change.by, change.line, change.content);
      case "remove-line":
        return this.#chat.remove(change.by, change.line, change.reason);
      case "expel":
        return this.#expel(change);
      case "logged":
        return this.#notifyLog(change);
      case "set-ready":
      case "set-hand":
        return this.#acts.mark(change);
      case "start":
      case "end":
      case "complete":
      case "control-part":
      case "adjust-part":
      case "move-round":
      case "edit":
      case "replace-schedule":
      case "save-content":
      case "save-prompt":
      case "contribute":
      case "set-summary":
      case "lower-hands":
      case "switch-reactions":
      case "end-soon":
      case "reset":
        return this.#acts.act(change);
      default:
        return change satisfies never;
    }
  }

  async #say(actor: RoomActor, content: string, nonce: string): Promise<void> {
    await this.#chat.say(actor, content, nonce);
    this.ctx.waitUntil(this.#chat.prepare(actor));
  }

  async #expel({
    by: actor,
    userId,
    withLines,
    reason,
  }: Extract<RoomChange, { type: "expel" }>): Promise<void> {
    if (withLines) await this.#chat.removeAllOf(actor, userId, reason);
    // A ban may concern somebody who was never in this room, and who has no attendance here.
    const isOpen = this.#memory.clock.catchUp().closedAt === null;
    if (isOpen && this.#memory.requireCurrent().people.has(userId))
      this.#memory.attendance.recordRemoval(userId);
  }

  #notifyLog({ log, userId, uuid = "" }: Extract<RoomChange, { type: "logged" }>): void {
    this.#memory.clock.catchUp();
    this.#memory.flush();
    // The notice is a repeat, or the log's correction arrived before it.
    if (uuid !== "" && this.#memory.store.lines.rowsOfLog({ uuid, id: -1 }).length > 0) return;
    addLog(this.#memory, { log, userId, uuid });
  }

  /** The people who attended, once the start counts; none before. */
  #visitorsOf({ startedAt, plan }: RoomState): Pick<RoomView, "visitors"> {
    if (startedAt === null || countedStart(startedAt, plan?.plannedStart) <= this.#memory.now()) return {};
    const visits = [...this.#memory.attendance.list()].filter(([, { intervals }]) => intervals.length > 0);
    return { visitors: visits.map(([userId]) => userId) };
  }

  /** The people of the room who are hidden from somebody. Of people who have left, only the room knows it. */
  #hiddenPeople(): Pick<RoomView, "apart"> {
    const hiddenFrom = this.#memory.hiding.everybody();
    if (hiddenFrom === null) return {};
    const { people } = this.#memory.requireCurrent();
    const apart = [...hiddenFrom.ids].flatMap((userId) => {
      const username = people.get(userId)?.person.username;
      return username === undefined ? [] : { userId, username };
    });
    return { apart };
  }

  #view(): RoomView {
    const state = this.#memory.clock.catchUp();
    this.#memory.flush();
    return {
      now: this.#memory.now(),
      state,
      online: this.#memory.presence.online(),
      ...this.#visitorsOf(state),
      messages: this.#memory.store.lines.listMessages({ limit: MAX_SHOWN_MESSAGES }),
      hostLines: this.#memory.store.lines.listHostLines(MAX_SHOWN_MESSAGES),
      ...this.#hiddenPeople(),
      ...(state.closedAt === null ? {} : { departed: this.#record.listDeparted() }),
    };
  }

  // ------------------------------------------------------------------ sockets

  /** Only the worker can call this, and it sets the identity (open-socket.ts). */
  override async fetch(request: Request): Promise<Response> {
    const entry = JSON.parse(request.headers.get(ENTRY) ?? "null") as Entry | null;
    if (!entry || request.headers.get("Upgrade") !== "websocket") return new Response(null, { status: 401 });
    const { sessionId, identity, ticket, isNamed, join } = entry;
    const answer = await this.#answer(async () => {
      await this.#record.load(sessionId);
      // The notice of a seat taken just now may not have arrived yet.
      if (identity && !this.#memory.seatOf(identity)) await this.#record.read(sessionId);
      // A closed room no longer reads its record, but people can still block each other.
      else if (identity && this.#memory.requireCurrent().state.closedAt !== null)
        await this.#record.readHiding(sessionId);
    });
    if (!answer.ok) return new Response(null, { status: answer.code === "NOT_FOUND" ? 404 : 503 });
    const [client, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    if (identity) this.#entrance.letIn(server, identity, ticket, join);
    else this.#entrance.letWatch(server, entry);
    this.#writeDue();
    const headers: HeadersInit = isNamed ? { "Sec-WebSocket-Protocol": SOCKET_PROTOCOL } : {};
    return new Response(null, { status: 101, webSocket: client, headers });
  }

  override async webSocketMessage(socket: WebSocket, raw: string | ArrayBuffer): Promise<void> {
    const { sockets } = this.#memory;
    const listener = sockets.of(socket);
    if (!listener || !sockets.takeMessage(socket)) return;
    if (listener.hasJoined) this.#memory.presence.recordMessage(socket);
    const message = readClientMessage(raw);
    // A spectator may ask only for the roster, and a stage for nothing.
    if (!message || listener.isStage || (listener.isSpectator && message.type !== "people"))
      return sockets.close(socket, CLOSE.badMessage, "not understood");
    await this.#handleOrRefuse(socket, listener, message);
  }

  async #handleOrRefuse(socket: WebSocket, listener: Listener, message: ClientMessage): Promise<void> {
    const { sockets } = this.#memory;
    try {
      await this.#handleMessage(socket, listener, message);
    } catch (thrown) {
      const { code, message: sentence } = knownError(thrown, this.#memory.current?.state.sessionId);
      const nonce = message.type === "message" ? { nonce: message.nonce } : {};
      sockets.send(socket, { type: "refused", error_code: code, message: sentence, ...nonce });
    }
    this.#writeDue();
  }

  /** Due changes go to D1 without delaying an answer. */
  #writeDue(): void {
    if (this.#record.isWriteDue) this.ctx.waitUntil(this.#record.write());
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#memory.clock.recordHostAttendance();
    this.#memory.sockets.close(socket, closeCode(code), "");
  }
  override webSocketError(socket: WebSocket): void {
    this.#memory.clock.recordHostAttendance();
    this.#memory.sockets.drop(socket);
  }

  async #handleMessage(socket: WebSocket, listener: Listener, message: ClientMessage): Promise<void> {
    if (message.type === "people" && listener.isSpectator) return this.#welcome.sendPeople(socket, listener);
    if (message.type !== "join" && !listener.hasJoined) throw new AppError("FORBIDDEN", NOT_JOINED);
    if (this.#memory.seatOf(listener)?.guestName && !mayGuestSend(message)) throw guestRefused();
    switch (message.type) {
      case "join":
        if (String(message.room) === String(this.#memory.requireCurrent().state.sessionId))
          return this.#entrance.join(socket, listener, message);
        return this.#entrance.refuse(socket);
      case "typing":
        if (writingRefusal(this.#memory.clock.catchUp(), listener, this.#memory.now()) !== null) return;
        this.#memory.presence.recordTyping(listener.username);
        return this.#chat.prepare(listener);
      case "writing":
        return this.#chat.prepare(listener);
      case "people":
        return this.#welcome.sendPeople(socket, listener);
      case "message":
        return this.#say(listener, message.content, message.nonce);
      case "ready":
        return this.#acts.mark({ type: "set-ready", by: listener, isReady: message.is_ready });
      case "hand":
        return this.#acts.mark({ type: "set-hand", by: listener, isUp: message.is_up });
      case "lower":
        return this.#acts.act({ type: "lower-hands", by: listener, username: message.username ?? null });
      case "reactions":
        return this.#acts.act({ type: "switch-reactions", by: listener, isOn: message.is_on });
      case "call":
        return this.#memory.presence.enterCall(socket);
      case "react":
        return this.#reactions.take(listener, message.reaction);
      default:
        return message satisfies never;
    }
  }

  // ------------------------------------------------------------------ the clock

  /** Idempotent, and in order even when late (L-09). The platform calls it again after a throw. */
  override async alarm(): Promise<void> {
    this.#memory.alarm.recordRing();
    try {
      await this.#advance();
    } catch (error) {
      // The session was deleted, and the room has erased itself.
      if (!this.#memory.current) return;
      logRoomError({ event: "room-alarm-failed", session: this.#memory.current.state.sessionId, error });
      throw error;
    }
  }

  async #advance(): Promise<void> {
    const memory = this.#memory;
    if (!memory.current) return;
    const { sessionId } = memory.current.state;
    await this.#record.load(sessionId);
    const { state } = memory.requireCurrent();
    // The plan in D1 is the valid plan until the run begins.
    if (
      state.runBegunAt === null &&
      statusAt(state, memory.now()) !== SESSION_STATUS.waiting &&
      !state.hasEnded
    )
      await this.#record.readIfPossible(sessionId);
    memory.clock.catchUp();
    this.#chat.blocks.returnUnused();
    memory.flush();
    if (this.#record.isWriteDue) await this.#record.write();
  }
}
