// Counts attempts of one key exactly, over all isolates: one Durable Object per key. Fixed windows; nothing ticks.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env";

type Window = { count: number; endsAt: number };

export class AttemptCounter extends DurableObject<Env> {
  /** Counts one attempt; answers seconds to wait when it is one too many, else 0. */
  take(limit: number, windowSeconds: number, now: number): number {
    const stored = this.ctx.storage.kv.get<Window>("window");
    const current = stored && stored.endsAt > now ? stored : { count: 0, endsAt: now + windowSeconds * 1000 };
    if (current.count >= limit) return Math.ceil((current.endsAt - now) / 1000);
    this.ctx.storage.kv.put("window", { ...current, count: current.count + 1 });
    if (current.count === 0) void this.ctx.storage.setAlarm(current.endsAt);
    return 0;
  }

  async clear(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
