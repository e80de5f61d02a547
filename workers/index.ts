// The worker's entry: fetch, scheduled and the Durable Objects.

import * as build from "virtual:remix/server-build";
import type { Env } from "./env";
import { createHttp } from "./http";
import { createPages } from "./pages";

export { AttemptCounter } from "./attempts/attempt-counter";
export { SessionLeaf } from "./room/session-leaf";
export { SessionRoom } from "./room/session-room";

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
