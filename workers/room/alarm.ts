// The only alarm of a room. It rings when the room next changes by itself, when D1 or the copy of the chat lacks
// something, when a chat block must return, and every two minutes for the pings of open sockets (L-09, R-68).
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type Instant, plusMillis, SECOND } from "~/domain/time";
import type { RoomMemory } from "./memory";

/** Backoff when D1 does not answer: the first wait and the longest. */
const RETRY = { first: 5 * SECOND, longest: 300 * SECOND } as const;

export class RoomAlarm {
  readonly #memory: RoomMemory;
  readonly #storage: DurableObjectStorage;
  /** When a chat block that was reserved early must return; `ChatBlocks` replaces this function. */
  chatDueAt: () => Instant | null = () => null;
  /** When the alarm rings. null: none is set; undefined: unknown, because the room has just woken. */
  #ringsAt: number | null | undefined;
  /** True when the alarm that is set retries a write to D1 or of the copy. */
  #isRetry = false;
  #failures = 0;

  constructor(memory: RoomMemory, storage: DurableObjectStorage, ringsAt: null | undefined) {
    this.#memory = memory;
    this.#storage = storage;
    this.#ringsAt = ringsAt;
  }

  /** D1 did not answer: the wait before the next retry grows. */
  failed(): void {
    this.#failures++;
  }
  succeeded(): void {
    this.#failures = 0;
  }

  /** False right after waking: the alarm that was set before is then still valid. */
  get isKnown(): boolean {
    return this.#ringsAt !== undefined;
  }
  /** The alarm has rung, so none is set any more. */
  recordRing(): void {
    this.#ringsAt = null;
  }

  /** Sets the alarm for the next instant at which the room has work, or deletes it. */
  set(): void {
    const memory = this.#memory;
    const { state, pendingWrites } = memory.requireCurrent();
    const now = memory.now();
    const mustSettle = statusAt(state, now) === SESSION_STATUS.ended && state.closedAt === null;
    const copyAt = memory.copy.dueAt();
    const isWriteDue = pendingWrites.size > 0 || mustSettle || (copyAt !== null && copyAt <= now);
    const wait = Math.min(RETRY.first * 2 ** Math.max(0, this.#failures - 1), RETRY.longest);
    const [dueAt, chatAt, pingCheckAt] = [
      memory.clock.dueAt,
      this.chatDueAt(),
      memory.presence.nextPingCheckAt,
    ];
    const instants = [
      ...(chatAt === null ? [] : [chatAt]),
      ...(pingCheckAt === null ? [] : [pingCheckAt]),
      ...(isWriteDue ? [plusMillis(now, wait)] : []),
      ...(copyAt === null || isWriteDue ? [] : [copyAt]),
      ...(dueAt === null || mustSettle ? [] : [dueAt]),
    ];
    const ringsAt = instants.length === 0 ? null : Math.min(...instants);
    if (ringsAt === this.#ringsAt) return;
    // An earlier alarm stays, because it sets the next one. A retry does not, once nothing is left to write.
    if (
      ringsAt !== null &&
      typeof this.#ringsAt === "number" &&
      ringsAt !== dueAt &&
      (isWriteDue || !this.#isRetry)
    )
      if (this.#ringsAt > now && this.#ringsAt <= ringsAt) return;
    this.#ringsAt = ringsAt;
    this.#isRetry = isWriteDue;
    if (ringsAt === null) void this.#storage.deleteAlarm();
    else void this.#storage.setAlarm(ringsAt);
  }

  async forget(): Promise<void> {
    this.#ringsAt = null;
    await this.#storage.deleteAlarm();
  }
}
