// The room of one session: I/O only. app/domain/room-change.ts decides, room-store.ts keeps, sockets.ts tells.
// Every entry ends in `commit`: save synchronously, broadcast, set the one alarm; nothing is awaited between read and save.
import { DurableObject } from "cloudflare:workers";
import { connect, type Database, runBatch, type Statement } from "#db/connect.server";
import { closeChatBlock, findChatBlock, reserveChatBlock } from "#db/queries/chat-blocks";
import { countClosed, findRoomSession, listRoomParticipants, mirrorRoom } from "#db/queries/rooms";
import { AppError, asAppError, type ErrorCode } from "~/domain/errors";
import type { RoomActor, RoomChange, RoomMessage, RoomParticipant, RoomState, RoomView } from "~/domain/room";
import {
  advanceRoom,
  applyChange,
  CHAT_CLOSED,
  NOT_JOINED,
  nextDueAt,
  type RoomTopic,
  roomStatus,
  rosterOf,
  seatOf,
} from "~/domain/room-change";
import { rosterChanged } from "~/domain/schedule-run";
import { type Instant, instant } from "~/domain/time";
import {
  CHAT_LENGTH,
  CLOSE,
  type ClientMessage,
  MESSAGE_LIMIT,
  messageOut,
  type Operation,
  participantOut,
  roomLogOut,
  SOCKET_VERSION,
  snapshotOut,
} from "~/wire/room";
import { scheduleOut } from "~/wire/schedule";
import type { Env } from "../env";
import { type Credit, type Kept, RoomStore } from "./room-store";
import { type Listener, Sockets } from "./sockets";

export type RoomAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; code: ErrorCode; message: string; sentences: string[] };

const RETRY_MS = 5000;
const HISTORY = 200;

export class SessionRoom extends DurableObject<Env> {
  readonly #store: RoomStore;
  readonly #sockets: Sockets;
  #kept: Kept | null = null;
  #work: Promise<unknown> = Promise.resolve();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new RoomStore(ctx.storage);
    this.#sockets = new Sockets(ctx);
    this.#kept = this.#store.read();
  }

  // ------------------------------------------------------------------ asked by use cases

  /** What stands in D1 has changed: read it again, tell everybody. May be repeated and come in any order. */
  refresh(sessionId: number): Promise<RoomAnswer<void>> {
    return this.#answer(() => this.#inOrder(() => this.#readRecord(sessionId)));
  }

  change(sessionId: number, change: RoomChange): Promise<RoomAnswer<RoomView>> {
    return this.#answer(async () => {
      await this.#load(sessionId);
      if (change.type === "say") await this.#say(change.by, change.content, change.nonce);
      else this.#apply(change);
      // The next page anybody loads shows it; if D1 does not answer now, the alarm tries again.
      await this.#mirror().catch(() => {});
      return this.#view();
    });
  }

  view(sessionId: number): Promise<RoomAnswer<RoomView>> {
    return this.#answer(async () => {
      await this.#load(sessionId);
      return this.#view();
    });
  }

  messages(sessionId: number, page: { before?: number; limit: number }): Promise<RoomAnswer<RoomMessage[]>> {
    return this.#answer(async () => {
      await this.#load(sessionId);
      return this.#store.listMessages(page);
    });
  }

  // ------------------------------------------------------------------ sockets

  override async fetch(request: Request): Promise<Response> {
    const identity = JSON.parse(request.headers.get("X-Bothy-User") ?? "null") as RoomActor | null;
    const sessionId = Number(request.headers.get("X-Bothy-Session"));
    const answer = await this.#answer(() => this.#load(sessionId));
    if (!identity || !answer.ok) return new Response(null, { status: answer.ok ? 401 : 404 });
    const [client, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    this.#sockets.accept(server, identity);
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, raw: string | ArrayBuffer): Promise<void> {
    const listener = this.#sockets.of(socket);
    if (!listener) return;
    if (!this.#sockets.maySpeak(socket, listener, Date.now())) return;
    const message = readMessage(raw);
    if (!message) return this.#sockets.close(socket, CLOSE.badMessage, "not understood");
    try {
      await this.#hear(socket, this.#sockets.of(socket) ?? listener, message);
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === "SERVER_ERROR")
        console.error(JSON.stringify({ event: "room-error", error: String(thrown) }));
      const nonce = "nonce" in message ? { nonce: String(message.nonce) } : {};
      this.#sockets.send(socket, [
        { type: "refused", error_code: error.code, message: error.message, ...nonce },
      ]);
    }
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // 1005 and 1006 only say that no code came.
    this.#sockets.close(socket, code === 1005 || code === 1006 ? 1000 : code, "");
    this.#tellOnline();
  }
  override webSocketError(): void {
    this.#tellOnline();
  }

  async #hear(socket: WebSocket, listener: Listener, message: ClientMessage): Promise<void> {
    if (message.type === "join") return this.#join(socket, listener, message);
    if (!listener.hasJoined) throw new AppError("FORBIDDEN", NOT_JOINED);
    if (message.type === "typing")
      return this.#sockets.shed(`typing:${listener.username}`, {
        type: "typing",
        username: listener.username,
      });
    if (message.type === "message") await this.#say(listener, message.content, message.nonce);
    else this.#apply({ type: "set-ready", by: listener, isReady: message.is_ready });
  }

  /** The fields are checked, never believed: who one is was settled at the upgrade. */
  #join(socket: WebSocket, listener: Listener, message: Extract<ClientMessage, { type: "join" }>): void {
    const { state } = this.#upToDate();
    const seat = seatOf(state, listener);
    const isOurs = String(message.room) === String(state.sessionId);
    if (!seat || !isOurs || message.username !== seat.username) {
      this.#sockets.send(socket, [{ type: "refused", error_code: "FORBIDDEN", message: NOT_JOINED }]);
      this.#sockets.close(socket, CLOSE.notAllowed, "not joined");
      return;
    }
    this.#sockets.save(socket, { ...listener, username: seat.username, hasJoined: true });
    const now = this.#now();
    const since = typeof message.since === "number" ? message.since : -1;
    const welcome: Operation = {
      type: "welcome",
      now,
      seq: state.seq,
      version: SOCKET_VERSION,
      room: snapshotOut(state, now),
      messages: this.#store.listMessages({ since, limit: HISTORY }).map(messageOut),
      online: this.#sockets.online(),
    };
    this.#sockets.send(socket, [welcome]);
    this.#tellOnline();
  }

  #tellOnline(): void {
    this.#sockets.shed("online", { type: "online", online: this.#sockets.online() });
  }

  // ------------------------------------------------------------------ the clock

  /** Late or twice, it catches up in order and changes nothing more (L-09). */
  override async alarm(): Promise<void> {
    if (!this.#kept) return;
    this.#upToDate();
    await this.#mirror().catch(() => {});
    this.#setAlarm();
  }

  #now(): Instant {
    return instant(Date.now());
  }

  /** The state at this instant; what happened meanwhile is committed first. */
  #upToDate(): Kept {
    const kept = this.#need();
    const { state, topics } = advanceRoom(kept.state, this.#now());
    if (topics.length > 0) this.#commit(state, topics);
    return this.#need();
  }

  #setAlarm(): void {
    const { state, isMirrored } = this.#need();
    const now = Date.now();
    const due = nextDueAt(state, instant(now));
    const dates = [...(due === null ? [] : [due as number]), ...(isMirrored ? [] : [now + RETRY_MS])];
    // An end that could not be settled is tried again later, not at once.
    if (roomStatus(state, instant(now)) === 2 && state.closedAt === null)
      dates.splice(0, dates.length, now + RETRY_MS);
    if (dates.length === 0) void this.ctx.storage.deleteAlarm();
    else void this.ctx.storage.setAlarm(Math.max(now, Math.min(...dates)));
  }

  // ------------------------------------------------------------------ changes

  #apply(change: RoomChange): void {
    const { state } = this.#upToDate();
    if (change.type === "logged") {
      this.#tellLog(change.log);
      return;
    }
    const outcome = applyChange(state, change, this.#now());
    if (!outcome.ok) throw new AppError(outcome.code, outcome.sentence);
    if (outcome.topics.length > 0) this.#commit(outcome.state, outcome.topics);
  }

  #tellLog(log: Extract<RoomChange, { type: "logged" }>["log"]): void {
    const kept = this.#need();
    const state = { ...kept.state, seq: kept.state.seq + 1 };
    this.#keep({ ...kept, state });
    this.#sockets.broadcast([{ type: "logs", seq: state.seq, log: roomLogOut(log) }]);
  }

  #commit(changed: RoomState, topics: RoomTopic[]): void {
    const state = { ...changed, seq: changed.seq + 1 };
    this.#keep({ state, isMirrored: false });
    this.#sockets.broadcast(topics.map((topic) => operationOf(topic, state, this.#now())));
    this.#setAlarm();
  }

  #keep(kept: Kept): void {
    this.#store.write(kept);
    this.#kept = kept;
  }
  #need(): Kept {
    if (!this.#kept) throw new AppError("NOT_FOUND", "There is no such session.");
    return this.#kept;
  }

  // ------------------------------------------------------------------ chat

  async #say(by: RoomActor, text: string, nonce: string): Promise<void> {
    const content = String(text ?? "").trim();
    if (content === "")
      throw new AppError("INVALID", "Please write a message.", {
        fields: { content: ["Please write a message."] },
      });
    if (content.length > CHAT_LENGTH) {
      const tooLong = `Please keep a message under ${CHAT_LENGTH} characters.`;
      throw new AppError("INVALID", tooLong, { fields: { content: [tooLong] } });
    }
    const seat = this.#mayChat(by);
    if (this.#store.findMessage(seat.username, nonce)) return;
    const credit = await this.#creditOf(by.userId);
    // Something may have happened while we asked for credit.
    this.#mayChat(by);
    if (this.#store.findMessage(seat.username, nonce)) return;
    const kept = this.#need();
    const state = { ...kept.state, seq: kept.state.seq + 1 };
    const message: RoomMessage = {
      seq: state.seq,
      username: seat.username,
      content,
      nonce: nonce.slice(0, 100),
      createdAt: this.#now(),
    };
    this.#store.transaction(() => {
      this.#store.addMessage(message);
      this.#store.useCredit(credit.reference);
      this.#store.write({ ...kept, state });
    });
    this.#kept = { ...kept, state };
    this.#sockets.broadcast([
      { type: "message", seq: message.seq, message: messageOut(message), nonce: message.nonce },
    ]);
  }

  /** Participants, while the session is in progress. */
  #mayChat(by: RoomActor): RoomParticipant {
    const { state } = this.#upToDate();
    const seat = seatOf(state, by);
    if (!seat) throw new AppError("FORBIDDEN", NOT_JOINED);
    if (roomStatus(state, this.#now()) !== 1) throw new AppError("CONFLICT", CHAT_CLOSED);
    return seat;
  }

  /** A block with a message left; a new one is reserved in D1 under a name that a crash cannot double (B-13). */
  async #creditOf(userId: number): Promise<Credit> {
    const open = this.#store.openCredit(userId).credit;
    if (open) return open;
    return this.#inOrder(async () => {
      const { credit, count } = this.#store.openCredit(userId);
      if (credit) return credit;
      const { sessionId } = this.#need().state;
      const reference = `chat:${sessionId}:${userId}:${count}`;
      const db = this.#db();
      await runBatch(db, reserveChatBlock(db, { reference, sessionId, userId }, this.#now()));
      const [block] = await findChatBlock(db, reference);
      if (!block) throw new AppError("INSUFFICIENT_TOKENS");
      const made: Credit = { reference, userId, size: block.size, used: 0 };
      this.#store.addCredit(made);
      return made;
    });
  }

  /** What is unused returns (B-13). */
  async #settleCredit(userId?: number): Promise<void> {
    const db = this.#db();
    for (const { reference, size, used } of this.#store.unsettledCredit(userId)) {
      this.#store.closeCredit(reference);
      try {
        await runBatch(db, closeChatBlock(db, reference, size, used, this.#now()));
      } catch (error) {
        this.#store.reopenCredit(reference);
        throw error;
      }
    }
  }

  // ------------------------------------------------------------------ the record in D1

  #db(): Database {
    return connect(this.env.DB.withSession("first-primary"));
  }

  async #load(sessionId: number): Promise<void> {
    if (this.#kept) return;
    await this.#inOrder(async () => {
      if (!this.#kept) await this.#readRecord(sessionId);
    });
  }

  /** Plan and texts count from D1 until the run begins; the roster always does. */
  async #readRecord(sessionId: number): Promise<void> {
    const db = this.#db();
    const [[session], seats] = await db.batch([
      findRoomSession(db, sessionId),
      listRoomParticipants(db, sessionId),
    ]);
    if (!session) {
      // Deleted: nothing rings any more.
      if (this.#kept) await this.#settleCredit();
      await this.ctx.storage.deleteAlarm();
      throw new AppError("NOT_FOUND", "There is no such session.");
    }
    const before = this.#kept?.state ?? null;
    const isRunning = before !== null && before.runBegunAt !== null;
    const participants = seats.map((seat): RoomParticipant => {
      const known = before?.participants.find(
        (person) => person.userId === seat.userId && person.joinedAt === seat.joinedAt,
      );
      return {
        userId: seat.userId,
        username: seat.username,
        role: seat.role === 1 ? 1 : 0,
        isHost: seat.isHost,
        joinedAt: seat.joinedAt,
        isReady: known?.isReady ?? false,
        completedAt: known ? known.completedAt : seat.completedAt,
      };
    });
    const record: RoomState = {
      sessionId,
      seq: before?.seq ?? session.roomVersion,
      title: session.title,
      content: session.content,
      contentHtml: session.contentHtml,
      summary: session.summary,
      prompt: session.prompt,
      isManuallyStarted: session.isManuallyStarted,
      startedAt: session.startedAt,
      endedAt: session.endedAt,
      // A room that lost its storage takes the run from the mirror.
      runBegunAt: before
        ? before.runBegunAt
        : session.roomVersion > 0 && session.startedAt !== null && session.startedAt <= session.updatedAt
          ? session.startedAt
          : null,
      hasEnded: before?.hasEnded ?? session.closedAt !== null,
      duration: session.duration,
      closedAt: session.closedAt,
      schedule: session.schedule,
      participants,
    };
    let state = isRunning && before ? { ...before, participants } : record;
    const gone =
      before?.participants.filter((person) => !participants.some((one) => one.userId === person.userId)) ??
      [];
    const isRosterNew =
      before === null || JSON.stringify(before.participants) !== JSON.stringify(participants);
    if (isRunning && isRosterNew && roomStatus(state, this.#now()) === 1)
      state = {
        ...state,
        schedule: rosterChanged(state.schedule, { now: this.#now(), roster: rosterOf(state) }),
      };
    if (before === null) this.#keep({ state, isMirrored: true });
    else if (JSON.stringify(before) !== JSON.stringify(state))
      this.#commit(state, ["participants", "status", "parts", "content"]);
    if (before !== null && !isRunning) this.#keep({ ...this.#need(), isMirrored: true });
    this.#upToDate();
    this.#setAlarm();
    for (const person of gone) {
      this.#sockets.closeUser(person.userId, CLOSE.notAllowed, "left");
      await this.#settleCredit(person.userId);
    }
    await this.#mirror();
  }

  /** Writes the run to D1 when it does not have it yet, and settles a session that is over, once. */
  async #mirror(): Promise<void> {
    const kept = this.#upToDate();
    const now = this.#now();
    const isOver = roomStatus(kept.state, now) === 2;
    if (kept.isMirrored && !(isOver && kept.state.closedAt === null)) return;
    if (kept.state.runBegunAt === null && !isOver && kept.isMirrored) return;
    const db = this.#db();
    if (isOver && kept.state.closedAt === null) {
      await this.#settleCredit();
      const closed = { ...this.#need().state, closedAt: now, seq: this.#need().state.seq + 1 };
      await runBatch(db, [countClosed(db, closed.sessionId), ...mirrorRoom(db, closed, now)]);
      this.#keep({
        state: { ...this.#need().state, closedAt: now, seq: Math.max(closed.seq, this.#need().state.seq) },
        isMirrored: true,
      });
      this.#setAlarm();
      return;
    }
    const statements: Statement[] = mirrorRoom(db, kept.state, now);
    await runBatch(db, statements);
    if (this.#need().state.seq === kept.state.seq) this.#keep({ ...this.#need(), isMirrored: true });
    this.#setAlarm();
  }

  // ------------------------------------------------------------------ plumbing

  #view(): RoomView {
    const { state } = this.#upToDate();
    return {
      now: this.#now(),
      state,
      online: this.#sockets.online(),
      messages: this.#store.listMessages({ limit: 50 }),
    };
  }

  /** One after another, for what must await D1. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#work.then(work, work);
    this.#work = next.catch(() => {});
    return next;
  }

  /** Errors cross RPC as values: their code would be lost. */
  async #answer<T>(work: () => Promise<T>): Promise<RoomAnswer<T>> {
    try {
      return { ok: true, value: await work() };
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === "SERVER_ERROR")
        console.error(JSON.stringify({ event: "room-error", error: String(thrown) }));
      return { ok: false, code: error.code, message: error.message, sentences: error.sentences };
    }
  }
}

function operationOf(topic: RoomTopic, state: RoomState, now: Instant): Operation {
  const { seq } = state;
  const iso = (at: Instant | null) => (at === null ? null : new Date(at).toISOString());
  switch (topic) {
    case "participants":
      return { type: "participants", seq, participants: state.participants.map(participantOut) };
    case "status":
      return {
        type: "status",
        seq,
        status: roomStatus(state, now),
        started_at: iso(state.startedAt),
        ended_at: iso(state.endedAt),
      };
    case "parts":
      return { type: "parts", seq, parts: scheduleOut(state.schedule, now) };
    case "content":
      return {
        type: "content",
        seq,
        title: state.title,
        content: state.content,
        content_html: state.contentHtml,
        prompt: state.prompt,
      };
    case "summary":
      return { type: "summary", seq, summary: state.summary };
  }
}

function readMessage(raw: string | ArrayBuffer): ClientMessage | null {
  if (typeof raw !== "string" || raw.length > MESSAGE_LIMIT) return null;
  let message: Record<string, unknown>;
  try {
    message = JSON.parse(raw) as Record<string, unknown>;
  } catch {
    return null;
  }
  if (typeof message !== "object" || message === null) return null;
  const { type } = message;
  if (type === "join" && typeof message.username === "string") return message as ClientMessage;
  if (type === "message" && typeof message.content === "string" && typeof message.nonce === "string")
    return message as ClientMessage;
  if (type === "ready" && typeof message.is_ready === "boolean") return message as ClientMessage;
  return type === "typing" ? { type } : null;
}
