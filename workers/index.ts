// fetch, scheduled, the Durable Objects: nothing else.
import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
// @ts-expect-error: made by the build
import * as build from "../build/server/index.js";
import { runCron } from "./cron";
import type { Env } from "./env";
import { createHttp } from "./http";

export { AttemptCounter } from "./attempts/attempt-counter";
export { SessionRoom } from "./room/session-room";

const handlePage = createRequestHandler(build as unknown as ServerBuild, "production");
const http = createHttp((request, context) => handlePage(request, context));

export default {
  fetch: (request, env, ctx) => http.fetch(request, env, ctx),
  scheduled: async (event, env, ctx) => {
    await runCron(event, env, ctx);
  },
} satisfies ExportedHandler<Env>;
