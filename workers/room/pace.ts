// A rate limit in memory, counted per key, such as a person or a network.
type Window = { since: number; count: number };

/** Above this many windows, those that are over are deleted. */
const MAX_WINDOWS = 5000;

export class Pace {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #windows = new Map<string | number, Window>();

  /** At most `limit` in `windowMs` milliseconds. */
  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts one attempt; false when it exceeds the limit. */
  take(key: string | number, now: number): boolean {
    const window = this.#windows.get(key);
    if (window && now >= window.since && now - window.since < this.#windowMs)
      return ++window.count <= this.#limit;
    if (this.#windows.size >= MAX_WINDOWS) this.#deletePast(now);
    this.#windows.set(key, { since: now, count: 1 });
    return true;
  }

  #deletePast(now: number): void {
    for (const [key, { since }] of this.#windows)
      if (now < since || now - since >= this.#windowMs) this.#windows.delete(key);
  }
}
