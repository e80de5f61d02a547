// The chat of a room: a nonce adds at most one line, a block pays for each line, and a line is durable before its
// broadcast. The rules are in domain/room/chat.ts.

import { AppError } from "~/domain/errors";
import {
  type ChatPermission,
  chatPermission,
  editRefusal,
  LINE_EDIT_MINUTES,
  type LineRefusal,
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
import { type Instant, instant, MINUTE, SECOND } from "~/domain/time";
import { recordRemovals } from "~/use-cases/room/record.server";
import { editedOut, messageOut, removedOut } from "~/wire/room/operations";
import type { RoomApp } from "../create-room-app";
import type { OpenBlock } from "./block-store";
import { ChatBlocks } from "./chat-blocks";
import { FREE_BLOCK } from "./line-store";
import type { RoomMemory } from "./memory";

/** How many nonces stay in memory: beyond `most`, the oldest are dropped until `kept` are left. */
const NONCES = { kept: 2000, most: 4000 } as const;
/** Removed lines of a person whose audit rows one batch writes. */
const REMOVALS_PER_BATCH = 100;

export class Chat {
  readonly blocks: ChatBlocks;
  readonly #memory: RoomMemory;
  readonly #app: () => RoomApp;
  #nonces: Set<string> | null = null;
  /** When each person last sent or edited a line, as far back as slow mode reaches. */
  #lastSentByUser: Map<number, Instant> | null = null;
  /** Removals whose audit row is being written, by line: two simultaneous moderators write a single row. */
  readonly #removals = new Map<number, Promise<unknown>>();

  constructor(memory: RoomMemory, app: () => RoomApp) {
    this.#memory = memory;
    this.#app = app;
    this.blocks = new ChatBlocks(memory, app);
  }

  /** Adds a line, for which a block pays. A repeat with the same nonce adds nothing. */
  async say(actor: RoomActor, text: string, nonce: string): Promise<void> {
    const content = readLine(text, nonce);
    const seat = requireSeat(this.#chatPermission(actor));
    const key = `${actor.userId}:${nonce}`;
    if (this.#knownNonces().has(key)) return;
    if (!this.#hasGuestLineLeft(seat)) throw new AppError("FORBIDDEN", GUEST_SENTENCES.written);
    this.#enforceSlowMode(actor);
    const block = this.blocks.findOpenBlock(actor.userId);
    if (block) return this.#add(seat, content, nonce, block);
    const reserved = await this.blocks.reserve(actor.userId);
    // During the D1 call, the session may have ended, the seat may be gone, or the same line may have been
    // added.
    const permission = this.#chatPermission(actor);
    if (!permission.ok) this.blocks.release(actor.userId);
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

  /**
   * Reserves a block before a line needs it (B-13): the person has opened the message box or types, or few lines are
   * left.
   */
  async prepare(actor: RoomActor): Promise<void> {
    if (!this.blocks.canReserveEarly(actor.userId)) return;
    const permission = this.#chatPermission(actor);
    if (!permission.ok || !this.blocks.areFewLinesLeft(actor.userId)) return;
    if (this.#hasGuestLineLeft(permission.seat)) await this.blocks.reserveEarly(actor.userId);
  }
}

function throwIfRefused(refusal: LineRefusal | null): void {
  if (refusal) throw new AppError(refusal.code, refusal.sentence);
}

function requireSeat(permission: ChatPermission): RoomParticipant {
  if (!permission.ok) throw new AppError(permission.code, permission.sentence);
  return permission.seat;
}
