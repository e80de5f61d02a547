// The Durable Object that counts the attempts of a key in fixed windows, exactly across all isolates.
import { DurableObject } from "cloudflare:workers";
import type { ObjectsEnv } from "../env";

type Window = { count: number; endsAt: number; lastAt?: number };

export class AttemptCounter extends DurableObject<ObjectsEnv> {
  /**
   * Counts an attempt and returns 0. Above the limit it counts nothing and returns the seconds to wait. With `gapSeconds`,
   * a full window still admits an attempt when the last attempt is at least that old.
   */
  take(limit: number, windowSeconds: number, now: number, gapSeconds?: number): number {
    const storedWindow = this.ctx.storage.kv.get<Window>("window");
    const current =
      storedWindow && storedWindow.endsAt > now
        ? storedWindow
        : { count: 0, endsAt: now + windowSeconds * 1000 };
    if (current.count >= limit) {
      const freeAt =
        gapSeconds === undefined
          ? current.endsAt
          : Math.min(current.endsAt, (current.lastAt ?? 0) + gapSeconds * 1000);
      if (freeAt > now) return Math.ceil((freeAt - now) / 1000);
    }
    this.ctx.storage.kv.put("window", { ...current, count: current.count + 1, lastAt: now });
    if (current.count === 0) void this.ctx.storage.setAlarm(current.endsAt);
    return 0;
  }

  /** Takes an attempt off the count. */
  giveBack(): void {
    const storedWindow = this.ctx.storage.kv.get<Window>("window");
    if (!storedWindow || storedWindow.count === 0) return;
    this.ctx.storage.kv.put("window", { ...storedWindow, count: storedWindow.count - 1 });
  }

  async clear(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
