// Rate limits, counted exactly across all isolates. A plain write is counted only during a flood, which the platform's
// rate limiter detects (decision 67).
import { AppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import type { Attempts } from "~/use-cases/app.server";
import { countsFromFlood } from "~/use-cases/rate-limits.server";
import type { Env } from "../env";

/** Tests may switch the limits of a local run off; a deployed worker ignores the setting. */
export const limitsApply = (env: Pick<Env, "LOCAL_RUN" | "RATE_LIMITS">): boolean =>
  !(env.LOCAL_RUN === "yes" && env.RATE_LIMITS === "off");

export function createAttempts(env: Env, now: number): Attempts {
  if (!limitsApply(env)) return { take: async () => {}, giveBack: async () => {}, clear: async () => {} };
  const counter = (key: string) => env.COUNTERS.get(env.COUNTERS.idFromName(key));
  /** True when the attempt need not be counted. Without the binding, or when it fails, every attempt is counted. */
  const isCalm = async (key: string): Promise<boolean> => {
    if (!env.FLOODS || !countsFromFlood(key)) return false;
    try {
      return (await env.FLOODS.limit({ key })).success;
    } catch (error) {
      console.error(logLine({ event: "flood-limit-failed", error: String(error).slice(0, 200) }));
      return false;
    }
  };
  return {
    async take(key, limit, windowSeconds, gapSeconds) {
      if (await isCalm(key)) return;
      const wait = await counter(key).take(limit, windowSeconds, now, gapSeconds);
      if (wait > 0) throw new AppError("RATE_LIMITED", undefined, { retryAfter: wait });
    },
    giveBack: (key) => counter(key).giveBack(),
    clear: (key) => counter(key).clear(),
  };
}
