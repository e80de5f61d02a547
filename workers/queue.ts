// The consumer of the queue JOBS, whose messages have the ids of events and deliveries (N-04). Messages that failed too
// often arrive again through the dead-letter queue, and cause an alert.
import { logLine } from "~/domain/log-line";
import { instant } from "~/domain/time";
import { runJobs } from "~/use-cases/deliveries.server";
import { sendAlert } from "./alerts";
import { createApp } from "./create-app";
import type { Env } from "./env";

/** The end of the dead-letter queue's name. */
const DEAD_SUFFIX = "-dead";

/** Runs the jobs of a batch. The queue repeats a message that fails; rows that it had claimed are free after their lease. */
export async function runQueue(
  batch: MessageBatch<string[]>,
  env: Env,
  ctx: ExecutionContext,
): Promise<void> {
  if (batch.queue.endsWith(DEAD_SUFFIX)) return takeDeadLetters(batch, env);
  for (const message of batch.messages) {
    const { app } = await createApp(env, { defer: (work) => ctx.waitUntil(work) });
    try {
      await runJobs(app, message.body, () => instant(Date.now()));
      message.ack();
    } catch (error) {
      console.error(
        logLine({ event: "jobs-failed", tries: message.attempts, error: String(error).slice(0, 200) }),
      );
      message.retry();
    }
  }
}

/** Reports the messages. Their work is not lost, because the rows wait in D1 and the minute cron sends their ids again. */
async function takeDeadLetters(batch: MessageBatch<string[]>, env: Env): Promise<void> {
  const ids = batch.messages.flatMap(({ body }) => body);
  console.error(logLine({ event: "dead-letter", messages: batch.messages.length, ids: ids.slice(0, 10) }));
  const details = `${batch.messages.length} messages failed too often. Their rows: ${ids.slice(0, 10).join(", ")}`;
  await sendAlert(env, "Messages of the queue failed", details, Date.now());
  batch.ackAll();
}
