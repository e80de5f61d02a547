// The place of a page's live room, outside React: empty until the room's chunk has loaded. The page subscribes once to
// whatever client is in it.
import type { RoomClient, RoomSnapshot } from "./client";

/** The state of the room, and its client. */
type Line = RoomSnapshot & { client: RoomClient };

export class RoomStore {
  #line: Line | null = null;
  #leave = () => {};
  readonly #listeners = new Set<() => void>();

  /** null while no client is mounted. */
  readonly get = (): Line | null => this.#line;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(client: RoomClient | null): void {
    const notifyListeners = () => {
      this.#line = client && { ...client.get(), client };
      for (const listener of this.#listeners) listener();
    };
    this.#leave();
    this.#leave = client?.subscribe(notifyListeners) ?? (() => {});
    notifyListeners();
  }
}
