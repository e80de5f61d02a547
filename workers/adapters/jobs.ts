// Wakes the consumer of events and deliveries: through the queue JOBS where it is bound, otherwise in this process.
import type { Jobs } from "~/use-cases/ports.server";
import type { Env } from "../env";

/** Ids of a message, and messages of a call to the queue. */
const MAX_IDS_A_MESSAGE = 50;
const MAX_MESSAGES_A_CALL = 100;

const splitIds = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** A message has ids and nothing else; a lost message costs at most a minute, until the minute cron. */
export function createJobs(env: Env, run: (ids: readonly string[]) => Promise<unknown>): Jobs {
  const queue = env.JOBS;
  return {
    async wake(ids) {
      if (!queue) {
        for (const stretch of splitIds(ids, MAX_IDS_A_MESSAGE)) await run(stretch);
        return;
      }
      for (const messages of splitIds(splitIds(ids, MAX_IDS_A_MESSAGE), MAX_MESSAGES_A_CALL))
        await queue.sendBatch(messages.map((body) => ({ body })));
    },
  };
}
