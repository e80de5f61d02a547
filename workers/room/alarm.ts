// The one alarm of a room: it rings when the room next changes by itself, when D1 is owed something, when chat or its
// copy needs it, and every two minutes for the pings of open sockets (L-09, R-68).
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { type Instant, plusMillis, SECOND } from "~/domain/time";
import type { RoomMemory } from "./memory";

/** Backoff when D1 does not answer: the first wait and the longest. */
const RETRY = { first: 5 * SECOND, longest: 300 * SECOND } as const;

export class RoomAlarm {
  readonly #memory: RoomMemory;
  readonly #storage: DurableObjectStorage;
  /** When chat needs the alarm: a block that was reserved early must return. */
  chatDueAt: () => Instant | null = () => null;
  /** null: none is set; undefined: unknown, because the room has just woken. */
  #at: number | null | undefined;
  /** The alarm that is set retries a write to D1 or of the copy. */
  #isRetry = false;
  #failures = 0;

  constructor(memory: RoomMemory, storage: DurableObjectStorage, at: null | undefined) {
    this.#memory = memory;
    this.#storage = storage;
    this.#at = at;
  }

  /** D1 did not answer: the wait before the next retry grows. */
  failed(): void {
    this.#failures++;
  }
  succeeded(): void {
    this.#failures = 0;
  }

  /** Right after waking, the alarm that was set is still valid. */
  get isKnown(): boolean {
    return this.#at !== undefined;
  }
  /** The alarm has rung, so none is set any more. */
  rung(): void {
    this.#at = null;
  }

  set(): void {
    const memory = this.#memory;
    const { state, pendingWrites } = memory.requireCurrent();
    const now = memory.now();
    const isToSettle = statusAt(state, now) === SESSION_STATUS.ended && state.closedAt === null;
    const copyAt = memory.copy.dueAt();
    const isOwing = pendingWrites.size > 0 || isToSettle || (copyAt !== null && copyAt <= now);
    const wait = Math.min(RETRY.first * 2 ** Math.max(0, this.#failures - 1), RETRY.longest);
    const [dueAt, chatAt, lookAt] = [memory.dueAt, this.chatDueAt(), memory.presence.lookAt];
    const dates = [
      ...(chatAt === null ? [] : [chatAt]),
      ...(lookAt === null ? [] : [lookAt]),
      ...(isOwing ? [plusMillis(now, wait)] : []),
      ...(copyAt === null || isOwing ? [] : [copyAt]),
      ...(dueAt === null || isToSettle ? [] : [dueAt]),
    ];
    const at = dates.length === 0 ? null : Math.min(...dates);
    if (at === this.#at) return;
    // An earlier retry or look is good enough, unless it would retry what is paid.
    if (at !== null && typeof this.#at === "number" && at !== dueAt && (isOwing || !this.#isRetry))
      if (this.#at > now && this.#at <= at) return;
    this.#at = at;
    this.#isRetry = isOwing;
    if (at === null) void this.#storage.deleteAlarm();
    else void this.#storage.setAlarm(at);
  }

  async forget(): Promise<void> {
    this.#at = null;
    await this.#storage.deleteAlarm();
  }
}
