// Chat: who may speak, once per nonce, each line paid from a block of a hundred that D1 reserved (R-16, B-13). A line is
// durable before anybody hears it.
import { connect, type Database, runBatch } from "#db/connect.server";
import {
  closeChatBlock,
  countChatBlocks,
  findChatBlock,
  listOpenChatBlocks,
  reserveChatBlock,
} from "#db/queries/chat-blocks";
import { AppError, brokenConstraint, invalid } from "~/domain/errors";
import {
  CHAT_LENGTH,
  type RoomActor,
  type RoomMessage,
  type RoomParticipant,
  roomStatus,
} from "~/domain/room";
import { CHAT_CLOSED, NOT_JOINED, seatOf } from "~/domain/room-change";
import { messageOut } from "~/wire/room";
import type { Env } from "../env";
import type { Keeper } from "./keeper";
import type { Block } from "./room-store";

/** How far back a line that is said again is known. */
const NONCES = { kept: 2000, most: 4000 } as const;
/** Blocks settled in one batch. */
const SETTLED_AT_ONCE = 20;

type OpenBlock = Block & { used: number };

export class Chat {
  readonly #keeper: Keeper;
  readonly #env: Env;
  #nonces: Set<string> | null = null;
  /** null: asked for and not there, so that the next line reserves one. */
  readonly #blocks = new Map<number, OpenBlock | null>();
  /** A person's reservations come one after the other. */
  readonly #reserving = new Map<number, Promise<unknown>>();

  constructor(keeper: Keeper, env: Env) {
    this.#keeper = keeper;
    this.#env = env;
  }

  async say(by: RoomActor, text: string, nonce: string): Promise<void> {
    const content = text.trim();
    if (content === "") throw invalid("content", "Please write a message.");
    if (content.length > CHAT_LENGTH)
      throw invalid("content", `Please keep a message under ${CHAT_LENGTH} characters.`);
    if (nonce === "" || nonce.length > 100) throw invalid("nonce", "Please send a nonce.");
    const seat = this.#mayChat(by);
    const key = `${by.userId}:${nonce}`;
    if (this.#known().has(key)) return;
    const block = this.#open(by.userId);
    if (block) return this.#add(seat, content, nonce, block);
    const reserved = await this.#reserve(by.userId);
    // Something may have happened while we asked: the session ended, the seat is gone, the line was said again.
    const stillSeated = await this.#mayStillChat(by);
    if (this.#known().has(key)) return;
    this.#add(stillSeated, content, nonce, reserved);
  }

  #add(seat: RoomParticipant, content: string, nonce: string, block: OpenBlock): void {
    const { userId } = seat;
    const createdAt = this.#keeper.now();
    block.used++;
    this.#remember(`${userId}:${nonce}`);
    this.#keeper.addLine((seq) => {
      const message: RoomMessage = { seq, username: seat.username, content, nonce, createdAt };
      return {
        line: { kind: "message", message, userId, block: block.n },
        operation: { type: "message", seq, message: messageOut(message), nonce },
      };
    });
  }

  /** Participants, while the session is in progress. */
  #mayChat(by: RoomActor): RoomParticipant {
    const state = this.#keeper.upToDate();
    const seat = seatOf(state, by);
    if (!seat) throw new AppError("FORBIDDEN", NOT_JOINED);
    if (roomStatus(state, this.#keeper.now()) !== 1) throw new AppError("CONFLICT", CHAT_CLOSED);
    return seat;
  }

  async #mayStillChat(by: RoomActor): Promise<RoomParticipant> {
    try {
      return this.#mayChat(by);
    } catch (error) {
      await this.settle(by.userId).catch(() => {});
      throw error;
    }
  }

  #known(): Set<string> {
    this.#nonces ??= new Set(
      this.#keeper.store.recentNonces(NONCES.kept).map(({ userId, nonce }) => `${userId}:${nonce}`),
    );
    return this.#nonces;
  }
  #remember(key: string): void {
    const known = this.#known();
    known.add(key);
    if (known.size <= NONCES.most) return;
    this.#nonces = new Set([...known].slice(-NONCES.kept));
  }

  // ------------------------------------------------------------------ blocks

  /** The person's block with a message left. */
  #open(userId: number): OpenBlock | null {
    let block = this.#blocks.get(userId);
    if (block === undefined) {
      const last = this.#keeper.store.lastBlock(userId);
      block = last && !last.isClosed ? last : null;
      this.#blocks.set(userId, block);
    }
    return block && block.used < block.size ? block : null;
  }

  async #reserve(userId: number): Promise<OpenBlock> {
    const before = this.#reserving.get(userId) ?? Promise.resolve();
    const mine = before.then(
      () => this.#reserveNow(userId),
      () => this.#reserveNow(userId),
    );
    this.#reserving.set(userId, mine);
    try {
      return await mine;
    } finally {
      if (this.#reserving.get(userId) === mine) this.#reserving.delete(userId);
    }
  }

  /** Under a name known beforehand: a repeat after a crash finds the block that was paid for, and pays nothing again. */
  async #reserveNow(userId: number): Promise<OpenBlock> {
    const open = this.#open(userId);
    if (open) return open;
    const { sessionId } = this.#keeper.need().state;
    const db = this.#db();
    let n = (this.#keeper.store.lastBlock(userId)?.n ?? -1) + 1;
    let kept = await this.#reserveNth(db, sessionId, userId, n);
    if (kept?.isSettled) {
      // The room lost its memory of blocks that are settled already.
      const [blocks] = await countChatBlocks(db, sessionId, userId);
      n = blocks?.count ?? 0;
      kept = await this.#reserveNth(db, sessionId, userId, n);
    }
    if (!kept || kept.isSettled) throw new AppError("CONFLICT", CHAT_CLOSED);
    const block: OpenBlock = { userId, n, size: kept.size, since: this.#keeper.need().state.seq, used: 0 };
    this.#keeper.store.addBlock(block);
    this.#blocks.set(userId, block);
    return block;
  }
  /** The block, paid now or by a run that died before it wrote it down. */
  async #reserveNth(db: Database, sessionId: number, userId: number, n: number) {
    const block = { sessionId, userId, n };
    try {
      const results: unknown[] = await runBatch(db, [
        ...reserveChatBlock(db, block, this.#keeper.now()),
        findChatBlock(db, block),
      ]);
      const [paid] = results.at(-1) as Awaited<ReturnType<typeof findChatBlock>>;
      return paid;
    } catch (error) {
      if (brokenConstraint(error) !== "entry_written_once") throw error;
      const [earlier] = await findChatBlock(db, block);
      return earlier;
    }
  }

  /** The person left: what is unused returns. What fails now is settled at the end of the session. */
  async settle(userId: number): Promise<void> {
    this.#keeper.flush();
    this.#keeper.store.closeBlocks(userId);
    this.#blocks.delete(userId);
    await this.#settleOpen(userId);
  }
  /** The session is over: everybody's returns. To be repeated until it goes well. */
  async settleAll(): Promise<void> {
    this.#keeper.flush();
    this.#keeper.store.closeBlocks();
    this.#blocks.clear();
    await this.#settleOpen();
  }

  /** The record knows which blocks are open, also those the room lost in a crash. */
  async #settleOpen(userId?: number): Promise<void> {
    const db = this.#db();
    const { sessionId } = this.#keeper.need().state;
    const open = await listOpenChatBlocks(db, sessionId, userId);
    if (open.length === 0) return;
    const used = this.#keeper.store.usedByBlock();
    const now = this.#keeper.now();
    for (let i = 0; i < open.length; i += SETTLED_AT_ONCE)
      await runBatch(
        db,
        open.slice(i, i + SETTLED_AT_ONCE).flatMap(({ reference, size }) => {
          const count = used.get(reference.split(":").slice(2).join(":")) ?? 0;
          return closeChatBlock(db, reference, size, Math.min(count, size), now);
        }),
      );
  }

  #db(): Database {
    return connect(this.#env.DB.withSession("first-primary"));
  }
}
