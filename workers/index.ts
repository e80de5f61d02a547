// The entry of the worker of pages and calls: fetch, scheduled and queue.
import type { Env } from "./env";
import { createHttp, type Pages } from "./http";
import { createPages } from "./pages";

/** The pages load with the first request for one, as the calls do with the first call. */
let pages: Pages | undefined;
const http = createHttp(async (request, context) => {
  // The handler and not its promise, because no request may wait for a promise of another.
  pages ??= createPages(await import("virtual:remix/server-build"), import.meta.env.MODE);
  return pages(request, context);
});

export default {
  fetch: (request, env, ctx) => http.fetch(request, env, ctx),
  scheduled: async (event, env, ctx) => {
    const { runCron } = await import("./cron");
    await runCron(event, env, ctx);
  },
  queue: async (batch, env, ctx) => {
    const { runQueue } = await import("./queue");
    await runQueue(batch, env, ctx);
  },
} satisfies ExportedHandler<Env, string[]>;
