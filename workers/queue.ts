// The consumer of the queue JOBS: each message has the ids of events and deliveries (N-04).
import { runJobs } from "~/use-cases/deliveries.server";
import { createApp } from "./create-app";
import type { Env } from "./env";

/** A message that fails is repeated by the queue; its claims are free again after their lease. */
export async function runQueue(
  batch: MessageBatch<string[]>,
  env: Env,
  ctx: ExecutionContext,
): Promise<void> {
  for (const message of batch.messages) {
    const { app } = await createApp(env, { defer: (work) => ctx.waitUntil(work) });
    try {
      await runJobs(app, message.body);
      message.ack();
    } catch (error) {
      console.error(
        JSON.stringify({ event: "jobs-failed", tries: message.attempts, error: String(error).slice(0, 200) }),
      );
      message.retry();
    }
  }
}
