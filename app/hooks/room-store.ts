// The store of a page's live room, outside React. The room's client fills it, and the page reads it with one
// subscription, so that an event renders once.
import type { RoomKnown } from "./room-client";

/** The room as it is known, and the messages it takes. */
export type Wire = RoomKnown & {
  sendMessage(content: string): void;
  retry(key: string): void;
  setReady(isReady: boolean): void;
  tellTyping(): void;
};

export class RoomStore {
  #wire: Wire | null = null;
  readonly #listeners = new Set<() => void>();

  /** null while no client is there. */
  readonly get = (): Wire | null => this.#wire;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(wire: Wire | null): void {
    this.#wire = wire;
    for (const listener of this.#listeners) listener();
  }
}
