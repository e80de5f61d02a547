// The calls between a room and a leaf: their queue, with one call at a time, its items in order and at most one call in
// 50 ms, and their answers.
const TICK_MS = 50;
/** A call's items weigh at most this much, in characters; the platform refuses a call above 32 MB. */
const HEAVIEST_CALL = 4_000_000;

/** Milliseconds until a call counts as failed. */
const LONGEST_CALL = 10_000;

/** The answer of a call; null: it failed or took too long, so nobody knows whether it happened. */
export async function answerOf<T>(call: Promise<T>, onFailure: (error: unknown) => void): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), LONGEST_CALL);
  });
  try {
    return await Promise.race([call, late]);
  } catch (error) {
    onFailure(error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

export class Outbox<T> {
  readonly #send: (items: T[]) => Promise<void>;
  readonly #weigh: (item: T) => number;
  readonly #onSent: () => void;
  #items: T[] = [];
  #isSending = false;
  #lastSentAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** `send` never rejects; `onSent` follows each call. */
  constructor(
    send: (items: T[]) => Promise<void>,
    weigh: (item: T) => number,
    onSent: () => void = () => {},
  ) {
    this.#send = send;
    this.#weigh = weigh;
    this.#onSent = onSent;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && !this.#isSending;
  }
  push(item: T): void {
    this.#items.push(item);
    this.#schedule();
  }
  /** Forgets what has not left. */
  clear(): void {
    this.#items = [];
  }

  #schedule(): void {
    if (this.#isSending || this.#timer !== null || this.#items.length === 0) return;
    const wait = this.#lastSentAt + TICK_MS - Date.now();
    // After a clock set back, no call waits for longer than a tick.
    if (wait <= 0 || wait > TICK_MS) void this.#call();
    else this.#timer = setTimeout(() => this.#call(), wait);
  }

  async #call(): Promise<void> {
    this.#timer = null;
    this.#isSending = true;
    this.#lastSentAt = Date.now();
    // The items of one turn leave together.
    await null;
    const items = this.#take();
    if (items.length > 0) await this.#send(items);
    this.#isSending = false;
    this.#onSent();
    this.#schedule();
  }
  #take(): T[] {
    let weight = 0;
    const end = this.#items.findIndex((item, n) => {
      weight += this.#weigh(item);
      return n > 0 && weight > HEAVIEST_CALL;
    });
    return this.#items.splice(0, end === -1 ? this.#items.length : end);
  }
}
