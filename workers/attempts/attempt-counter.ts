// The attempts of one key, counted exactly over all isolates: one Durable Object per key, in fixed windows.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env";

type Window = { count: number; endsAt: number; lastAt?: number };

export class AttemptCounter extends DurableObject<Env> {
  /**
   * Counts one attempt. Answers 0, or the seconds to wait when it is one too many; such an attempt is not counted. With
   * `gapSeconds` a full window lets an attempt through whenever the last one is so long ago.
   */
  take(limit: number, windowSeconds: number, now: number, gapSeconds?: number): number {
    const stored = this.ctx.storage.kv.get<Window>("window");
    const current = stored && stored.endsAt > now ? stored : { count: 0, endsAt: now + windowSeconds * 1000 };
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

  /** Takes one attempt out of the count again. */
  giveBack(): void {
    const stored = this.ctx.storage.kv.get<Window>("window");
    if (!stored || stored.count === 0) return;
    this.ctx.storage.kv.put("window", { ...stored, count: stored.count - 1 });
  }

  async clear(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
