// Wakes the consumer of events and deliveries: through the queue JOBS where it is bound, otherwise in this process.
import type { Jobs } from "~/use-cases/ports.server";
import type { Env } from "../env";

const MAX_IDS_PER_MESSAGE = 50;
/** The limit of the platform for a call to a queue. */
const MAX_MESSAGES_PER_CALL = 100;

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** A message contains only ids. A lost message delays the work until the next minute cron. */
export function createJobs(env: Env, run: (ids: readonly string[]) => Promise<unknown>): Jobs {
  const queue = env.JOBS;
  return {
    async wake(ids) {
      if (!queue) {
        for (const chunk of chunksOf(ids, MAX_IDS_PER_MESSAGE)) await run(chunk);
        return;
      }
      for (const messages of chunksOf(chunksOf(ids, MAX_IDS_PER_MESSAGE), MAX_MESSAGES_PER_CALL))
        await queue.sendBatch(messages.map((body) => ({ body })));
    },
  };
}
