// Cron expression → use cases. Each run is bounded, may be repeated, and says what it did in one line.
import type { Env } from "./env";

export async function runCron(event: ScheduledController, _env: Env, _ctx: ExecutionContext): Promise<void> {
  console.log(JSON.stringify({ event: "cron", cron: event.cron }));
}
