// The entry of the worker of pages and calls: fetch, scheduled and queue.

import * as build from "virtual:remix/server-build";
import type { Env } from "./env";
import { createHttp } from "./http";
import { createPages } from "./pages";

const http = createHttp(createPages(build));

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
