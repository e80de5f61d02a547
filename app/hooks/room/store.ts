// The store of a page's live room, outside React. It is empty until the room's chunk has loaded and set its client.
import type { RoomClient, RoomSnapshot } from "./client";

type LiveState = RoomSnapshot & { client: RoomClient };

export class RoomStore {
  #state: LiveState | null = null;
  #unsubscribe = () => {};
  readonly #listeners = new Set<() => void>();

  /** null while no client is mounted. */
  readonly get = (): LiveState | null => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(client: RoomClient | null): void {
    const notifyListeners = () => {
      this.#state = client && { ...client.get(), client };
      for (const listener of this.#listeners) listener();
    };
    this.#unsubscribe();
    this.#unsubscribe = client?.subscribe(notifyListeners) ?? (() => {});
    notifyListeners();
  }
}
