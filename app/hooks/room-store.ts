// The store of a page's live room, outside React. The room client fills it; the page subscribes once, so that each
// event renders once.
import type { RoomKnown } from "./room-client";

/** The known state of the room, and the functions that send messages. */
export type Wire = RoomKnown & {
  sendMessage(content: string): void;
  retry(key: string): void;
  setReady(isReady: boolean): void;
  tellTyping(): void;
  tellWriting(): void;
  /** The page shows the whole roster. */
  askPeople(): void;
};

export class RoomStore {
  #wire: Wire | null = null;
  readonly #listeners = new Set<() => void>();

  /** null while no client is mounted. */
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
