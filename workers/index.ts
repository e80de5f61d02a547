// The entry of the worker of pages and calls: fetch, scheduled and queue.
import { loadOnce } from "~/domain/load-once";
import type { Env } from "./env";
import { createHttp } from "./http";
import { createPages } from "./pages";

/** The pages load with the first request for one, as the calls do with the first call. */
const loadPages = loadOnce(async () =>
  createPages(await import("virtual:remix/server-build"), import.meta.env.MODE),
);
const loadCron = loadOnce(() => import("./cron"));
const loadQueue = loadOnce(() => import("./queue"));
const http = createHttp(async (request, context) => (await loadPages())(request, context));

export default {
  fetch: (request, env, ctx) => http.fetch(request, env, ctx),
  scheduled: async (event, env, ctx) => {
    const { runCron } = await loadCron();
    await runCron(event, env, ctx);
  },
  queue: async (batch, env, ctx) => {
    const { runQueue } = await loadQueue();
    await runQueue(batch, env, ctx);
  },
} satisfies ExportedHandler<Env, string[]>;
