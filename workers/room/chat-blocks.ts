// The chat blocks of a room (B-13): they are reserved and paid before lines need them, returned when they have no line, and
// settled when their owner leaves or the session ends.

import { asAppError } from "~/domain/errors";
import { hasLineLeft, linesLeft } from "~/domain/room/chat";
import { type Instant, MINUTE, plusMillis } from "~/domain/time";
import { reserveChatBlock, settleChatBlocks } from "~/use-cases/room/chat-blocks.server";
import type { RoomApp } from "../create-room-app";
import type { OpenBlock } from "./block-store";
import { logRoomError } from "./log";
import type { RoomMemory } from "./memory";

/** With this few lines left, the next block is reserved, so that no line waits for D1. */
const MIN_LINES_LEFT = 5;
/** A block that was reserved early is returned when it has no line after this time. Milliseconds. */
const UNUSED_BLOCK_MS = MINUTE;

export class ChatBlocks {
  readonly #memory: RoomMemory;
  readonly #app: () => RoomApp;
  /** The open blocks of each person, oldest first; without one, the next line reserves a block. */
  readonly #blocks = new Map<number, OpenBlock[]>();
  /** When a block was last requested for each person before a line needed it, oldest first. */
  #requestedAtByUser: Map<number, Instant> | null = null;
  /** People for whom no block could be reserved before a line, and when a retry is allowed. */
  readonly #retryAt = new Map<number, Instant>();
  /** Runs the reservations of one person in sequence. */
  readonly #reserving = new Map<number, Promise<unknown>>();
  /** People who left and whose unused lines must still be refunded. */
  readonly #leavers = new Set<number>();

  constructor(memory: RoomMemory, app: () => RoomApp) {
    this.#memory = memory;
    this.#app = app;
    memory.alarm.chatDueAt = () => this.#nextReturnAt();
  }

  /** False while a reservation is under way, and for a minute after an early reservation has failed. */
  canReserveEarly(userId: number): boolean {
    const now = this.#memory.now();
    return (this.#retryAt.get(userId) ?? now) <= now && !this.#reserving.has(userId);
  }
  areFewLinesLeft(userId: number): boolean {
    return this.#countLinesLeft(userId) <= MIN_LINES_LEFT;
  }
  /** Reserves a block before a line needs it. A failure is not reported, because the line itself tries again. */
  async reserveEarly(userId: number): Promise<void> {
    const now = this.#memory.now();
    try {
      await this.reserve(userId, MIN_LINES_LEFT + 1);
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
  findOpenBlock(userId: number): OpenBlock | null {
    return this.#openBlocks(userId).find(hasLineLeft) ?? null;
  }
  #countLinesLeft(userId: number): number {
    return this.#openBlocks(userId).reduce((sum, { size, used }) => sum + linesLeft(size, used), 0);
  }

  /** Reserves blocks until the person has `least` lines. More than one line means that no line needs the block yet. */
  async reserve(userId: number, least = 1): Promise<OpenBlock> {
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
    const openBlock = this.findOpenBlock(userId);
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

const isUnknownError = (error: unknown): boolean => asAppError(error).code === "SERVER_ERROR";
