// The Durable Object of a session: its RPC calls, sockets and alarm. app/domain/room-*.ts holds the rules.

import { DurableObject } from "cloudflare:workers";
import type { Hidden } from "~/domain/blocks";
import { NOT_JOINED, refusesWriting } from "~/domain/chat";
import { AppError, asAppError, type ErrorCode, type FieldErrors, invalid } from "~/domain/errors";
import type { AuthoredMessage, RoomActor, RoomChange, RoomView, StateChange } from "~/domain/room";
import { superAdminAct } from "~/domain/room-acts";
import { applyChange, type RoomOutcome } from "~/domain/room-change";
import { statusAt } from "~/domain/session-status";
import type { AuthoredLine } from "~/use-cases/ports.server";
import { logSecurity } from "~/use-cases/security-log.server";
import { recordRoomAct } from "~/use-cases/sessions/room-record.server";
import {
  CLOSE,
  editedOut,
  HISTORY,
  type History,
  messageOut,
  participantOut,
  removedOut,
  roomLogOut,
  SOCKET_PROTOCOL,
  SOCKET_VERSION,
} from "~/wire/room";
import { type ClientMessage, readClientMessage } from "~/wire/room-messages";
import { createRoomApp, type RoomApp } from "../create-room-app";
import type { ObjectsEnv } from "../env";
import { Chat } from "./chat";
import { logRoomError } from "./log";
import { RoomRecord } from "./record";
import { RoomMemory } from "./room-memory";
import { closeCode, ENTRY, type Entry, type Identity, type Join, type Listener } from "./sockets";

export type RoomAnswer<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      code: ErrorCode;
      message: string;
      sentences: string[];
      fields: FieldErrors;
      retryAfter: number | undefined;
    };

type Decided = Extract<RoomOutcome, { ok: true }>;

/** How many messages a page receives; the socket's welcome brings more. */
const SHOWN_MESSAGES = 50;
const WELCOME_LOGS = 20;
/** Characters of a history that shares the welcome's frame. */
const SHORT_HISTORY = 2000;
const JOINED_ALREADY = "This connection has joined already.";
const FLIPPED_TOO_OFTEN = "Please wait a moment before you change your check again.";

export class SessionRoom extends DurableObject<ObjectsEnv> {
  readonly #memory: RoomMemory;
  readonly #chat: Chat;
  readonly #record: RoomRecord;
  readonly #app: () => RoomApp;
  /** The last of the acts that the audit records; the next one follows it. */
  #acting: Promise<unknown> = Promise.resolve();
  /** The tickets for the welcomes of sockets that have not joined; a room that hibernates meanwhile sends none. */
  readonly #tickets = new WeakMap<WebSocket, string>();
  /** The online people of a page of the roster, which all welcomes between two announcements share. */
  #pageOnline: { names: ReadonlySet<string>; of: ReadonlySet<string>; online: string[] } | null = null;

  constructor(ctx: DurableObjectState, env: ObjectsEnv) {
    super(ctx, env);
    this.#memory = new RoomMemory(ctx, env);
    this.#app = () => createRoomApp(env, this.#memory.now());
    this.#chat = new Chat(this.#memory, this.#app);
    this.#record = new RoomRecord(this.#memory, this.#chat, this.#app, (userIds) =>
      this.#welcomeAgain(userIds),
    );
  }

  // ------------------------------------------------------------------ asked by use cases

  /** D1 has changed: reads it again and broadcasts the difference. Idempotent, in any order. */
  refresh(sessionId: number): Promise<RoomAnswer<void>> {
    return this.#answer(() => this.#record.read(sessionId));
  }

  change(sessionId: number, change: RoomChange): Promise<RoomAnswer<RoomView>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      await this.#readBeforeStart(sessionId, change);
      try {
        await this.#take(change);
      } finally {
        this.#memory.flush();
        // The next page load reads D1, except for a line. If this write fails, the alarm retries.
        if (this.#record.isToWrite) await this.#writeAfter(change);
      }
      return this.#view();
    });
  }

  async #writeAfter({ type }: RoomChange): Promise<void> {
    const written = this.#record.write();
    if (type === "say") this.ctx.waitUntil(written);
    else await written;
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

  /** The author's chat lines that still have a text. */
  linesOf(
    sessionId: number,
    page: { userId: number; after: number; limit: number },
  ): Promise<RoomAnswer<AuthoredLine[]>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      this.#memory.flush();
      return this.#memory.store.lines.linesOf(page);
    });
  }

  /** Erases the texts of a deleted account and renames it. */
  eraseAuthor(sessionId: number, author: { userId: number; username: string }): Promise<RoomAnswer<void>> {
    return this.#answer(async () => {
      await this.#record.load(sessionId);
      this.#memory.eraseAuthor(author);
      if (this.#record.isToWrite) await this.#record.write();
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
    return this.#answer(async () => this.#memory.endLogins(loginHashes));
  }

  /** The same. Somebody may not watch any more, and spectators have no name here. */
  async closeSpectators(): Promise<RoomAnswer<void>> {
    return this.#answer(async () => this.#memory.sockets.closeOnlookers(CLOSE.changed, "listen again"));
  }

  /** Until the run begins, the plan in D1 is the valid plan, so the room reads it once more. */
  async #readBeforeStart(sessionId: number, change: RoomChange): Promise<void> {
    const { state } = this.#memory.need();
    if (state.runBegunAt !== null || (change.type !== "start" && change.type !== "end")) return;
    await this.#record.readIfPossible(sessionId);
  }

  async #take(change: RoomChange): Promise<void> {
    switch (change.type) {
      case "say":
        return this.#say(change.by, change.content, change.nonce);
      case "edit-line":
        return this.#chat.edit(change.by, change.line, change.content);
      case "remove-line":
        return this.#chat.remove(change.by, change.line, change.reason);
      case "logged":
        return this.#notifyLog(change);
      case "set-ready":
        return this.#setReady(change);
      case "start":
      case "end":
      case "complete":
      case "control-part":
      case "adjust-part":
      case "replace-schedule":
      case "save-content":
      case "save-prompt":
      case "contribute":
      case "set-summary":
      case "reset":
        return this.#act(change);
      default:
        return change satisfies never;
    }
  }

  async #say(by: RoomActor, content: string, nonce: string): Promise<void> {
    await this.#chat.say(by, content, nonce);
    this.ctx.waitUntil(this.#chat.prepare(by));
  }

  /**
   * The audit row of a super admin's act comes before the change. Such acts wait for each other, so that a repeat
   * finds the change made.
   */
  async #act(change: Exclude<StateChange, { type: "set-ready" }>): Promise<void> {
    const decided = this.#decide(change);
    if (decided.topics.length === 0 || !superAdminAct(this.#memory.need().state, change, this.#memory.now()))
      return this.#commit(decided);
    const acting = this.#acting.then(() => this.#actAudited(change));
    this.#acting = acting.catch(() => undefined);
    return acting;
  }
  async #actAudited(change: StateChange): Promise<void> {
    const { topics } = this.#decide(change);
    const { state } = this.#memory.need();
    const act = superAdminAct(state, change, this.#memory.now());
    if (act && topics.length > 0 && "by" in change)
      await recordRoomAct(this.#app(), { state, act, by: change.by });
    this.#commit(this.#decide(change));
  }

  #notifyLog({ log, userId }: Extract<RoomChange, { type: "logged" }>): void {
    this.#memory.upToDate();
    this.#memory.addLine(userId, (seq) => ({
      line: { kind: "log", seq, log, userId },
      operation: { type: "logs", seq, log: roomLogOut(log) },
    }));
  }

  #setReady(change: Extract<StateChange, { type: "set-ready" }>): void {
    const decided = this.#decide(change);
    // A change without an effect does not count.
    if (decided.topics.length > 0 && !this.#memory.sockets.mayFlip(change.by.userId))
      throw new AppError("RATE_LIMITED", FLIPPED_TOO_OFTEN);
    this.#commit(decided);
  }

  #decide(change: StateChange): Decided {
    const outcome = applyChange(this.#memory.upToDate(), change, this.#memory.now());
    if (outcome.ok) return outcome;
    const { code, sentence, field } = outcome;
    throw field ? invalid(field, sentence) : new AppError(code, sentence);
  }
  #commit({ state, topics }: Decided): void {
    if (topics.length > 0) this.#memory.commit(state, topics, topics);
  }

  #view(): RoomView {
    const state = this.#memory.upToDate();
    this.#memory.flush();
    return {
      now: this.#memory.now(),
      state,
      online: this.#memory.sockets.online(),
      messages: this.#memory.store.lines.listMessages({ limit: SHOWN_MESSAGES }),
    };
  }

  // ------------------------------------------------------------------ sockets

  /** Only the worker can call this, and it sets the identity (open-socket.ts). */
  override async fetch(request: Request): Promise<Response> {
    const entry = JSON.parse(request.headers.get(ENTRY) ?? "null") as Entry | null;
    if (!entry || request.headers.get("Upgrade") !== "websocket") return new Response(null, { status: 401 });
    const { sessionId, identity, network, ticket, isNamed, join } = entry;
    const loaded = await this.#answer(async () => {
      await this.#record.load(sessionId);
      // The notice of a seat taken just now may not have arrived yet.
      if (identity && !this.#memory.seatOf(identity)) await this.#record.read(sessionId);
      // A closed room reads its record no more, but people can still block each other.
      else if (identity && this.#memory.need().state.closedAt !== null)
        await this.#record.readHiding(sessionId);
    });
    if (!loaded.ok) return new Response(null, { status: loaded.code === "NOT_FOUND" ? 404 : 503 });
    const [client, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    if (identity) this.#letIn(server, identity, ticket, join);
    else this.#letWatch(server, network);
    this.#writeDue();
    const headers: HeadersInit = isNamed ? { "Sec-WebSocket-Protocol": SOCKET_PROTOCOL } : {};
    return new Response(null, { status: 101, webSocket: client, headers });
  }

  override async webSocketMessage(socket: WebSocket, raw: string | ArrayBuffer): Promise<void> {
    const { sockets } = this.#memory;
    const listener = sockets.of(socket);
    if (!listener || !sockets.maySpeak(socket)) return;
    const message = readClientMessage(raw);
    // A spectator may ask for the roster alone.
    if (!message || (listener.isOnlooker && message.type !== "people"))
      return sockets.close(socket, CLOSE.badMessage, "not understood");
    await this.#answerTo(socket, listener, message);
  }

  async #answerTo(socket: WebSocket, listener: Listener, message: ClientMessage): Promise<void> {
    const { sockets } = this.#memory;
    try {
      await this.#hear(socket, listener, message);
    } catch (thrown) {
      const { code, message: sentence } = this.#known(thrown);
      const nonce = message.type === "message" ? { nonce: message.nonce } : {};
      sockets.send(socket, { type: "refused", error_code: code, message: sentence, ...nonce });
    }
    this.#writeDue();
  }

  /** Due changes go to D1 without delaying an answer. */
  #writeDue(): void {
    if (this.#record.isToWrite) this.ctx.waitUntil(this.#record.write());
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#memory.noteHost();
    this.#memory.sockets.close(socket, closeCode(code), "");
  }
  override webSocketError(socket: WebSocket): void {
    this.#memory.noteHost();
    this.#memory.sockets.drop(socket);
  }

  async #hear(socket: WebSocket, listener: Listener, message: ClientMessage): Promise<void> {
    if (message.type === "people" && listener.isOnlooker) return this.#sendPeople(socket, listener);
    if (message.type !== "join" && !listener.hasJoined) throw new AppError("FORBIDDEN", NOT_JOINED);
    switch (message.type) {
      case "join":
        if (String(message.room) === String(this.#memory.need().state.sessionId))
          return this.#join(socket, listener, message);
        return this.#refuse(socket);
      case "typing":
        if (refusesWriting(this.#memory.upToDate(), listener, this.#memory.now()) !== null) return;
        this.#memory.sockets.tellTyping(listener.username);
        return this.#chat.prepare(listener);
      case "writing":
        return this.#chat.prepare(listener);
      case "people":
        return this.#sendPeople(socket, listener);
      case "message":
        return this.#say(listener, message.content, message.nonce);
      case "ready":
        return this.#setReady({ type: "set-ready", by: listener, isReady: message.is_ready });
      default:
        return message satisfies never;
    }
  }

  /** The identity comes from the upgrade, never from `join`. */
  #join(socket: WebSocket, listener: Listener, join: Join): void {
    const { sockets } = this.#memory;
    const state = this.#memory.upToDate();
    const seat = this.#memory.seatOf(listener);
    if (!seat || join.username !== seat.username) {
      this.#refuse(socket);
      return;
    }
    if (listener.hasJoined) throw new AppError("CONFLICT", JOINED_ALREADY);
    // The welcome already contains the queued frames.
    this.#memory.flush();
    if (!sockets.join(socket, listener, seat.username)) return;
    this.#memory.noteHost();
    // Rooms that closed long ago do not hear of ended logins.
    const ticket = state.closedAt === null ? this.#tickets.get(socket) : undefined;
    this.#tickets.delete(socket);
    this.#greet(socket, { ...listener, username: seat.username }, join.since, ticket);
  }

  /** A fresh welcome for people whose view of others has changed. */
  #welcomeAgain(userIds: readonly number[]): void {
    const { sockets } = this.#memory;
    for (const [socket, listener] of sockets.joined(userIds)) this.#greet(socket, listener);
  }

  #letIn(socket: WebSocket, identity: Identity, ticket: string | null, join: Join | undefined): void {
    if (this.#memory.accept(socket, identity) && ticket !== null) this.#tickets.set(socket, ticket);
    // Without a seat the socket must close: only the rooms of a login's seats learn that the login ended.
    if (!this.#memory.seatOf(identity)) {
      this.#refuse(socket);
      return;
    }
    const listener = this.#memory.sockets.of(socket);
    if (join && listener) this.#join(socket, listener, join);
  }

  #refuse(socket: WebSocket): void {
    const { sockets } = this.#memory;
    const listener = sockets.of(socket);
    if (listener) {
      const { userId, network } = listener;
      const path = `/sessions/${this.#memory.need().state.sessionId}/socket`;
      const origin = { ip: network, userAgent: "", place: "" };
      logSecurity(
        { now: this.#memory.now(), origin },
        { event: "socket-refused", userId, status: 403, path },
      );
    }
    sockets.send(socket, { type: "refused", error_code: "FORBIDDEN", message: NOT_JOINED });
    sockets.close(socket, CLOSE.notAllowed, "not joined");
  }

  /** Spectators receive timers and presence; chat and logs are for participants. */
  #letWatch(socket: WebSocket, network: string): void {
    const { sockets } = this.#memory;
    this.#memory.upToDate();
    this.#memory.flush();
    if (sockets.acceptOnlooker(socket, network)) this.#greet(socket, null);
  }

  /** Sends the welcome, and to a participant the history: in the same frame, unless it would delay the room's state. */
  #greet(socket: WebSocket, listener: Listener | null, since?: number, ticket?: string): void {
    const { sockets } = this.#memory;
    const welcome = this.#welcome(since, listener, ticket);
    const history = listener === null ? [] : [this.#history(since, listener)];
    const isShort = history.every(({ length }) => length <= SHORT_HISTORY);
    sockets.send(socket, welcome, ...(isShort ? history : []));
    if (!isShort) sockets.send(socket, ...history);
  }

  /** The number after which a viewer lacks changes; -1: the viewer needs everything. */
  #missedSince(since: number | undefined, listener: Listener | null): number {
    const { state, hidingSeq } = this.#memory.need();
    const hasHidden = listener !== null && this.#memory.hiddenFrom(listener.userId) !== null;
    // A client ahead of the room knew it before it lost its storage. Blocks change what was sent before.
    return since === undefined || since > state.seq || since < hidingSeq || hasHidden ? -1 : since;
  }

  /** Serialised. Everybody who joins at the same time shares one snapshot of the room and one page of the roster. */
  #welcome(since: number | undefined, listener: Listener | null, ticket?: string): string {
    const { state, runSeq, textsSeq, people } = this.#memory.need();
    const hidden = listener ? this.#memory.hiddenFrom(listener.userId) : null;
    const from = this.#missedSince(since, listener);
    const words = this.#memory.words(listener === null, hidden);
    const { names } = words;
    const changed = from < 0 ? [] : [...people.values()].filter((stored) => stored.seq > from);
    const head = { type: "welcome", now: this.#memory.now(), seq: state.seq, version: SOCKET_VERSION };
    const tail = {
      is_whole: from < 0 ? 1 : 0,
      is_page: names === null ? 0 : 1,
      count: words.count,
      left: changed.flatMap((stored) => (stored.isGone ? stored.person.username : [])),
      online: this.#onlineOf(names, listener),
      mutes: listener ? this.#memory.mutesFor(listener) : [],
      ticket,
    };
    const own =
      listener && names !== null && !names.has(listener.username) ? this.#memory.seatOf(listener) : null;
    const page = own ? `${words.people.slice(0, -1)},${JSON.stringify(participantOut(own))}]` : words.people;
    const room = from < 0 || Math.max(runSeq, textsSeq) > from ? words.room : "null";
    const participants =
      from < 0
        ? page
        : JSON.stringify(changed.flatMap((stored) => (stored.isGone ? [] : participantOut(stored.person))));
    const open = (value: object) => JSON.stringify(value).slice(1, -1);
    return `{${open(head)},"room":${room},"participants":${participants},${open(tail)}}`;
  }

  /** Serialised. The lines and logs of a participant. */
  #history(since: number | undefined, listener: Listener): string {
    const from = this.#missedSince(since, listener);
    const hidden = this.#memory.hiddenFrom(listener.userId);
    if (hidden) return this.#historyAfter(from, hidden);
    return this.#memory.history(from, () => this.#historyAfter(from, null));
  }
  #historyAfter(from: number, hidden: Hidden | null): string {
    const { store } = this.#memory;
    const seen = hidden ? { hidden } : {};
    const messages = store.lines.listMessages({ since: from, limit: HISTORY + 1, ...seen });
    const changes = from < 0 ? [] : store.lines.listChanges({ since: from, limit: HISTORY + 1 });
    const history: History = {
      type: "history",
      seq: this.#memory.need().state.seq,
      is_whole: from < 0 ? 1 : 0,
      messages: messages.slice(-HISTORY).map(messageOut),
      edited: changes.flatMap((change) => (change.type === "edited" ? editedOut(change) : [])),
      removed: changes.flatMap((change) => (change.type === "removed" ? removedOut(change) : [])),
      is_cut: Math.max(messages.length, changes.length) > HISTORY ? 1 : 0,
      logs: store.lines.listLogs({ since: from, limit: WELCOME_LOGS, ...seen }).map(roomLogOut),
    };
    return JSON.stringify(history);
  }

  /** The online people as this viewer may see them. */
  #online(listener: Listener | null): string[] {
    const { sockets } = this.#memory;
    if (listener === null) return this.#memory.need().state.hasCode ? [] : sockets.online();
    const hidden = this.#memory.hiddenFrom(listener.userId);
    return hidden ? sockets.onlineFor(hidden) : sockets.online();
  }

  /** The same, of a page of the roster and the viewer; null: of everybody. */
  #onlineOf(names: ReadonlySet<string> | null, listener: Listener | null): string[] {
    if (names === null) return this.#online(listener);
    if (listener !== null && this.#memory.hiddenFrom(listener.userId))
      return this.#online(listener).filter((name) => names.has(name) || name === listener.username);
    if (listener === null && this.#memory.need().state.hasCode) return [];
    const { announcedOnline } = this.#memory.sockets;
    let known = this.#pageOnline;
    if (known?.names !== names || known.of !== announcedOnline) {
      known = { names, of: announcedOnline, online: [...names].filter((name) => announcedOnline.has(name)) };
      this.#pageOnline = known;
    }
    const { online } = known;
    return listener === null || online.includes(listener.username) ? online : [...online, listener.username];
  }

  /** The whole roster, for a page that shows more than the welcome brought. */
  #sendPeople(socket: WebSocket, listener: Listener): void {
    const { sockets } = this.#memory;
    if (!sockets.mayAskPeople(socket, listener)) return;
    this.#memory.upToDate();
    // The roster already contains the queued changes.
    this.#memory.flush();
    const viewer = listener.isOnlooker ? null : listener;
    const hidden = viewer ? this.#memory.hiddenFrom(viewer.userId) : null;
    const people = this.#memory.words(viewer === null, hidden).everybody();
    const online = JSON.stringify(this.#online(viewer));
    sockets.send(socket, `{"type":"people","participants":${people},"online":${online}}`);
  }

  // ------------------------------------------------------------------ the clock

  /** Idempotent, and in order even when late (L-09). The platform calls it again after a throw. */
  override async alarm(): Promise<void> {
    this.#memory.rung();
    try {
      await this.#ring();
    } catch (error) {
      // The session was deleted, and the room has erased itself.
      if (!this.#memory.current) return;
      logRoomError({ event: "room-alarm-failed", session: this.#memory.current.state.sessionId, error });
      throw error;
    }
  }

  async #ring(): Promise<void> {
    const memory = this.#memory;
    if (!memory.current) return;
    const { sessionId } = memory.current.state;
    await this.#record.load(sessionId);
    const { state } = memory.need();
    // The plan in D1 is the valid plan until the run begins.
    if (state.runBegunAt === null && statusAt(state, memory.now()) !== 0 && !state.hasEnded)
      await this.#record.readIfPossible(sessionId);
    memory.upToDate();
    this.#chat.returnUnused();
    memory.flush();
    if (this.#record.isToWrite) await this.#record.write();
  }

  // ------------------------------------------------------------------ plumbing

  #known(thrown: unknown): AppError {
    const error = asAppError(thrown);
    if (error.code === "SERVER_ERROR")
      logRoomError({ event: "room-error", session: this.#memory.current?.state.sessionId, error: thrown });
    return error;
  }

  /** Errors cross RPC as values, because a thrown error loses its code. */
  async #answer<T>(work: () => Promise<T>): Promise<RoomAnswer<T>> {
    try {
      return { ok: true, value: await work() };
    } catch (thrown) {
      const { code, message, sentences, fields, retryAfter } = this.#known(thrown);
      return { ok: false, code, message, sentences, fields, retryAfter };
    }
  }
}
