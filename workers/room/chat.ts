// The chat of a room: a nonce adds at most one line, a block pays for each line, and a line is durable before its
// broadcast. The rules are in domain/room/chat.ts, the payments in use-cases/room/chat-blocks.server.ts.

import { AppError, asAppError } from "~/domain/errors";
import {
  type ChatPermission,
  chatPermission,
  editRefusal,
  hasLineLeft,
  LINE_EDIT_MINUTES,
  type LineRefusal,
  linesLeft,
  readLine,
  removalRefusal,
  slowModeSentence,
  slowModeWait,
} from "~/domain/room/chat";
import { GUEST_SENTENCES, GUEST_WRITES } from "~/domain/room/guest-names";
import {
  clearingRefusal,
  hostLinePermission,
  partOfLine,
  readHostLine,
  shownLine,
} from "~/domain/room/host-line";
import type { RoomActor, RoomParticipant } from "~/domain/room/room";
import { type AuthoredMessage, type HostLine, SLOW_MODES } from "~/domain/sessions/chat";
import { type Instant, instant, MINUTE, plusMillis, SECOND } from "~/domain/time";
import { reserveChatBlock, settleChatBlocks } from "~/use-cases/room/chat-blocks.server";
import { recordRemovals } from "~/use-cases/room/record.server";
import { editedOut, messageOut, removedOut } from "~/wire/room/operations";
import type { RoomApp } from "../create-room-app";
import type { OpenBlock } from "./block-store";
import { FREE_BLOCK } from "./line-store";
import { logRoomError } from "./log";
import type { RoomMemory } from "./memory";

/** How many nonces stay in memory: beyond `most`, the oldest are dropped until `kept` are left. */
const NONCES = { kept: 2000, most: 4000 } as const;
/** With this few lines left, the next block is reserved, so that no line waits for D1. */
const MIN_LINES_LEFT = 5;
/** A block that was reserved early is returned when it has no line after this time. Milliseconds. */
const UNUSED_BLOCK_MS = MINUTE;

/** Removed lines of a person whose audit rows one batch writes. */
const REMOVALS_PER_BATCH = 100;

export class Chat {
  readonly #memory: RoomMemory;
  readonly #app: () => RoomApp;
  #nonces: Set<string> | null = null;
  /** When each person last sent or edited a line, as far back as slow mode reaches. */
  #lastSentByUser: Map<number, Instant> | null = null;
  /** The open blocks of each person, oldest first; without one, the next line reserves a block. */
  readonly #blocks = new Map<number, OpenBlock[]>();
  /** When a block was last requested for each person before a line needed it, oldest first. */
  #requestedAtByUser: Map<number, Instant> | null = null;
  /** People for whom no block could be reserved before a line, and when a retry is allowed. */
  readonly #retryAt = new Map<number, Instant>();
  /** Runs the reservations of one person in sequence. */
  readonly #reserving = new Map<number, Promise<unknown>>();
  /** Removals whose audit row is being written, by line: two simultaneous moderators write a single row. */
  readonly #removals = new Map<number, Promise<unknown>>();
  /** People who left and whose unused lines must still be refunded. */
  readonly #leavers = new Set<number>();

  constructor(memory: RoomMemory, app: () => RoomApp) {
    this.#memory = memory;
    this.#app = app;
    memory.alarm.chatDueAt = () => this.#nextReturnAt();
  }

  async say(actor: RoomActor, text: string, nonce: string): Promise<void> {
    const content = readLine(text, nonce);
    const seat = requireSeat(this.#chatPermission(actor));
    const key = `${actor.userId}:${nonce}`;
    if (this.#knownNonces().has(key)) return;
    if (!this.#hasGuestLineLeft(seat)) throw new AppError("FORBIDDEN", GUEST_SENTENCES.written);
    this.#enforceSlowMode(actor);
    const block = this.#findOpenBlock(actor.userId);
    if (block) return this.#add(seat, content, nonce, block);
    const reserved = await this.#reserve(actor.userId);
    // During the D1 call, the session may have ended, the seat may be gone, or the same line may have been
    // added.
    const permission = this.#chatPermission(actor);
    if (!permission.ok) this.release(actor.userId);
    const currentSeat = requireSeat(permission);
    if (this.#knownNonces().has(key)) return;
    this.#enforceSlowMode(actor);
    this.#add(currentSeat, content, nonce, reserved);
  }

  /** Shows a line on all screens (J-12), and adds it to the chat. A repeat adds nothing. */
  showHostLine(actor: RoomActor, text: string, nonce: string): void {
    const content = readHostLine(text, nonce);
    const seat = requireSeat(hostLinePermission(this.#memory.clock.catchUp(), actor, this.#memory.now()));
    const current = this.#memory.clock.catchUp();
    const hostLine = shownLine(current.line, current.schedule);
    const isRepeat = hostLine?.userId === actor.userId && hostLine.content === content;
    if (isRepeat || this.#knownNonces().has(`${actor.userId}:${nonce}`)) return;
    this.#add(seat, content, nonce, null);
    const { state } = this.#memory.requireCurrent();
    const { seq, schedule } = state;
    this.#setHostLine({ seq, userId: actor.userId, content, partId: partOfLine(schedule) });
  }

  /** Idempotent. The line stays in the chat. */
  clearHostLine(actor: RoomActor): void {
    const state = this.#memory.clock.catchUp();
    throwIfRefused(clearingRefusal(state, actor));
    if (state.line) this.#setHostLine(null);
  }
  #setHostLine(line: HostLine | null): void {
    this.#memory.commit({ ...this.#memory.requireCurrent().state, line }, ["line"], []);
  }

  /** Throws RATE_LIMITED while slow mode makes this person wait. */
  #enforceSlowMode(actor: RoomActor): void {
    const now = this.#memory.now();
    const wait = slowModeWait(
      this.#memory.requireCurrent().state,
      actor,
      this.#lastSent().get(actor.userId) ?? null,
      now,
    );
    if (wait > 0) throw new AppError("RATE_LIMITED", slowModeSentence(wait), { retryAfter: wait });
  }
  #lastSent(): Map<number, Instant> {
    this.#lastSentByUser ??= this.#memory.store.lines.lastSentByUser(
      instant(this.#memory.now() - Math.max(...SLOW_MODES) * SECOND),
      LINE_EDIT_MINUTES * MINUTE,
    );
    return this.#lastSentByUser;
  }

  /** Edits a line. NOT_FOUND when no line has this number, RATE_LIMITED during slow mode's wait. */
  edit(actor: RoomActor, line: number, text: string): void {
    const content = readLine(text, "edit");
    const message = this.#findMessage(line);
    const now = this.#memory.now();
    throwIfRefused(editRefusal(this.#memory.clock.catchUp(), actor, message, now));
    if (message.content === content) return;
    // Slow mode limits edits too, because everybody reads the new text.
    this.#enforceSlowMode(actor);
    this.#lastSent().set(actor.userId, now);
    this.#memory.lines.change(message.userId, (seq) => ({
      change: { type: "edited", seq, line, content, at: now },
      operation: { type: "edited", ...editedOut({ seq, line, content, at: now }) },
    }));
    // The number and the instant of the edit distinguish its mentions from those of the original line.
    const { seq } = this.#memory.requireCurrent().state;
    this.#memory.lines.queueMentions({ ...message, seq, content, createdAt: now }, message.content);
  }

  /** Removes a line. Idempotent. The removal of another author's line is audited first. */
  async remove(actor: RoomActor, line: number, reason?: string): Promise<void> {
    const message = this.#findMessage(line);
    throwIfRefused(removalRefusal(this.#memory.clock.catchUp(), actor, message));
    if (message.isRemoved) return;
    if (message.userId !== actor.userId) {
      const { sessionId } = this.#memory.requireCurrent().state;
      const removal =
        this.#removals.get(line) ??
        recordRemovals(this.#app(), { sessionId, userId: message.userId, lines: [line], by: actor, reason });
      this.#removals.set(line, removal);
      await removal.finally(() => this.#removals.delete(line));
      if (this.#findMessage(line).isRemoved) return;
    }
    this.#erase(message.userId, line);
  }

  /** Removes every line of a person. The audit row of each is written first. Idempotent. */
  async removeAllOf(actor: RoomActor, userId: number, reason?: string): Promise<void> {
    const { lines } = this.#memory.store;
    const { sessionId } = this.#memory.requireCurrent().state;
    for (;;) {
      this.#memory.flush();
      const messages = lines.listMessagesOf({ userId, after: -1, limit: REMOVALS_PER_BATCH });
      const [first] = messages;
      if (!first) return;
      throwIfRefused(removalRefusal(this.#memory.clock.catchUp(), actor, first));
      const seqs = messages.map(({ seq }) => seq);
      await recordRemovals(this.#app(), { sessionId, userId, lines: seqs, by: actor, reason });
      for (const line of seqs) if (!this.#findMessage(line).isRemoved) this.#erase(userId, line);
    }
  }

  #erase(userId: number, line: number): void {
    this.#memory.lines.change(userId, (seq) => ({
      change: { type: "removed", seq, line, at: this.#memory.now() },
      operation: { type: "removed", ...removedOut({ seq, line }) },
    }));
  }

  #findMessage(line: number): AuthoredMessage {
    this.#memory.flush();
    const message = this.#memory.store.lines.findMessage(line);
    if (!message) throw new AppError("NOT_FOUND", "There is no such message.");
    return message;
  }

  #chatPermission(actor: RoomActor): ChatPermission {
    return chatPermission(this.#memory.clock.catchUp(), actor, this.#memory.now());
  }

  /** Adds a line. A null `block` means that nobody pays for it. */
  #add(seat: RoomParticipant, content: string, nonce: string, block: OpenBlock | null): void {
    const { userId } = seat;
    const createdAt = this.#memory.now();
    if (block) block.used++;
    this.#addNonce(`${userId}:${nonce}`);
    this.#lastSent().set(userId, createdAt);
    this.#memory.lines.add(userId, (seq) => {
      const { username } = seat;
      const lineState = { editedAt: null, isRemoved: false };
      const message: AuthoredMessage = { seq, userId, username, content, nonce, createdAt, ...lineState };
      return {
        line: { kind: "message", message, block: block?.n ?? FREE_BLOCK },
        operation: { type: "message", seq, message: messageOut(message), nonce },
      };
    });
  }

  /** False for a guest who has used up the only block for lines and logs (H-20). */
  #hasGuestLineLeft({ userId, guestName }: RoomParticipant): boolean {
    if (!guestName) return true;
    this.#memory.flush();
    return this.#memory.store.lines.countWritten(userId, GUEST_WRITES) < GUEST_WRITES;
  }

  #knownNonces(): Set<string> {
    this.#nonces ??= new Set(
      this.#memory.store.lines.recentNonces(NONCES.kept).map(({ userId, nonce }) => `${userId}:${nonce}`),
    );
    return this.#nonces;
  }
  #addNonce(key: string): void {
    const nonces = this.#knownNonces();
    nonces.add(key);
    if (nonces.size <= NONCES.most) return;
    this.#nonces = new Set([...nonces].slice(-NONCES.kept));
  }

  // ------------------------------------------------------------------ blocks

  /**
   * Reserves a block before a line needs it (B-13): the person has opened the message box or types, or few lines are
   * left. A failure is not reported, because the line itself tries again.
   */
  async prepare(actor: RoomActor): Promise<void> {
    const { userId } = actor;
    const now = this.#memory.now();
    if ((this.#retryAt.get(userId) ?? now) > now || this.#reserving.has(userId)) return;
    const permission = this.#chatPermission(actor);
    if (
      !permission.ok ||
      this.#countLinesLeft(userId) > MIN_LINES_LEFT ||
      !this.#hasGuestLineLeft(permission.seat)
    )
      return;
    try {
      await this.#reserve(userId, MIN_LINES_LEFT + 1);
      this.#retryAt.delete(userId);
    } catch (error) {
      this.#retryAt.set(userId, plusMillis(now, UNUSED_BLOCK_MS));
      if (isUnknownError(error))
        logRoomError({ event: "room-error", session: this.#memory.current?.state.sessionId, error });
    }
  }

  /** Closes the blocks that were reserved a minute ago and have no line; the next write to D1 refunds them. */
  returnUnused(): void {
    const now = this.#memory.now();
    const until = plusMillis(now, -UNUSED_BLOCK_MS);
    const blockRequests = this.#blockRequests();
    if ([...blockRequests.values()].every((at) => at > until)) return;
    this.#memory.flush();
    const reservingIds = new Set(this.#reserving.keys());
    for (const userId of this.#memory.store.blocks.closeUnused(until, reservingIds)) {
      this.#blocks.delete(userId);
      this.#leavers.add(userId);
      this.#memory.addPendingWrite("chat");
    }
    for (const [userId, at] of [...blockRequests])
      if (at <= until) {
        blockRequests.delete(userId);
        // A reservation still under way is checked again a minute later.
        if (reservingIds.has(userId)) blockRequests.set(userId, now);
      }
  }
  #nextReturnAt(): Instant | null {
    const [first] = this.#blockRequests().values();
    return first === undefined ? null : plusMillis(first, UNUSED_BLOCK_MS);
  }
  #blockRequests(): Map<number, Instant> {
    // The alarm has already handled every block that was requested before then.
    this.#requestedAtByUser ??= this.#memory.store.blocks.requestedSince(
      plusMillis(this.#memory.now(), -2 * UNUSED_BLOCK_MS),
    );
    return this.#requestedAtByUser;
  }

  #openBlocks(userId: number): OpenBlock[] {
    const openBlocks = this.#blocks.get(userId) ?? this.#memory.store.blocks.openBlocks(userId);
    this.#blocks.set(userId, openBlocks);
    return openBlocks;
  }
  /** The person's first block with a line left. */
  #findOpenBlock(userId: number): OpenBlock | null {
    return this.#openBlocks(userId).find(hasLineLeft) ?? null;
  }
  #countLinesLeft(userId: number): number {
    return this.#openBlocks(userId).reduce((sum, { size, used }) => sum + linesLeft(size, used), 0);
  }

  /** Reserves blocks until the person has `least` lines. More than one line means that no line needs the block yet. */
  async #reserve(userId: number, least = 1): Promise<OpenBlock> {
    const previousReservation = this.#reserving.get(userId) ?? Promise.resolve();
    const reservation = previousReservation.then(
      () => this.#reserveNow(userId, least),
      () => this.#reserveNow(userId, least),
    );
    this.#reserving.set(userId, reservation);
    try {
      return await reservation;
    } finally {
      if (this.#reserving.get(userId) === reservation) this.#reserving.delete(userId);
    }
  }

  /**
   * The block's number is known before D1 is called: after a crash, a retry finds the paid block and pays
   * nothing more.
   */
  async #reserveNow(userId: number, least: number): Promise<OpenBlock> {
    const openBlock = this.#findOpenBlock(userId);
    if (openBlock && this.#countLinesLeft(userId) >= least) return openBlock;
    const { store } = this.#memory;
    const { sessionId } = this.#memory.requireCurrent().state;
    const n = store.blocks.nextBlockNumber(userId);
    const requestedAt = least > 1 ? this.#memory.now() : null;
    if (requestedAt !== null) {
      store.blocks.addRequest({ userId, n, since: this.#memory.requireCurrent().state.seq, at: requestedAt });
      this.#blockRequests().delete(userId);
      this.#blockRequests().set(userId, requestedAt);
      this.#memory.alarm.set();
    }
    const paidBlock = await reserveChatBlock(this.#app(), { sessionId, userId, n }).catch(
      (error: unknown) => {
        // After an unknown failure the block may be paid, so the room keeps the request.
        if (requestedAt !== null && !isUnknownError(error)) store.blocks.dropRequest({ userId, n });
        throw error;
      },
    );
    const block: OpenBlock = { ...paidBlock, since: this.#memory.requireCurrent().state.seq, used: 0 };
    if (paidBlock.n !== n) store.blocks.dropRequest({ userId, n });
    store.blocks.addBlock(block, requestedAt);
    this.#blocks.set(userId, [...this.#openBlocks(userId).filter(hasLineLeft), block]);
    return block;
  }

  /** The person left: the next write to D1 refunds the unused lines. */
  release(userId: number): void {
    this.#memory.flush();
    this.#memory.store.blocks.closeBlocks(userId);
    this.#blocks.delete(userId);
    this.#leavers.add(userId);
    this.#memory.addPendingWrite("chat");
  }

  /**
   * Refunds the unused lines of people who left. Returns true when nothing remains to be refunded; call it again until
   * then.
   */
  async settleLeavers(): Promise<boolean> {
    const leavers = new Set([...this.#leavers, ...this.#memory.store.blocks.usersWithClosedBlocks()]);
    for (const userId of leavers) {
      // A reservation under way has no block in the room yet.
      if (this.#reserving.has(userId)) continue;
      await this.#settle(userId);
      this.#memory.store.blocks.markSettled(userId);
      this.#leavers.delete(userId);
    }
    return this.#leavers.size === 0;
  }

  /** The session is over: refunds the unused lines of all blocks. Call it again until it succeeds. */
  async settleAll(): Promise<void> {
    this.#memory.flush();
    this.#memory.store.blocks.closeAllBlocks();
    this.#blocks.clear();
    await this.#settle();
  }

  async #settle(userId?: number): Promise<void> {
    const { store } = this.#memory;
    const { sessionId } = this.#memory.requireCurrent().state;
    await settleChatBlocks(this.#app(), {
      sessionId,
      userId,
      inUse: store.blocks.blocksInUse(),
      used: store.blocks.usedByBlock(),
    });
  }
}

function throwIfRefused(refusal: LineRefusal | null): void {
  if (refusal) throw new AppError(refusal.code, refusal.sentence);
}

const isUnknownError = (error: unknown): boolean => asAppError(error).code === "SERVER_ERROR";

function requireSeat(permission: ChatPermission): RoomParticipant {
  if (!permission.ok) throw new AppError(permission.code, permission.sentence);
  return permission.seat;
}
