// The jobs of the clock between two acts of a test: every cron expression of the worker, at once.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { runCron } from "#workers/cron";
import { DAY, HOUR, type Instant, instant, MINUTE } from "~/domain/time";

/** As in wrangler.toml. */
const EXPRESSIONS = ["* * * * *", "*/5 * * * *", "17 3 * * *"] as const;
const NIGHT = 3 * HOUR + 17 * MINUTE;

/** Runs all jobs at `at`, twice, because a platform may repeat any of them. No job may fail. */
async function runJobs(at: Instant): Promise<void> {
  // Their log lines say nothing that a failing test needs.
  const quiet = vi.spyOn(console, "log").mockImplementation(() => {});
  for (const cron of [...EXPRESSIONS, ...EXPRESSIONS]) {
    const context = createExecutionContext();
    const lines = await runCron({ cron, scheduledTime: at }, env, context);
    await waitOnExecutionContext(context);
    expect(lines.filter(({ ok }) => !ok)).toEqual([]);
  }
  quiet.mockRestore();
}

/** Sets the clock of the test to the next night at 03:17 UTC and runs its jobs; returns that instant. */
export async function passNight(now: Instant): Promise<Instant> {
  const night = instant(Math.floor((now - NIGHT) / DAY + 1) * DAY + NIGHT);
  vi.setSystemTime(night);
  await runJobs(night);
  return night;
}

/** As many nights, one after the other. */
export async function passNights(now: Instant, count: number): Promise<Instant> {
  let at = now;
  for (let night = 0; night < count; night++) at = await passNight(at);
  return at;
}
