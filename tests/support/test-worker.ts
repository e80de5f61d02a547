// The worker of the workerd tests: everything but the built pages.
import { createHttp } from "#workers/http";

export { AttemptCounter } from "#workers/attempts/attempt-counter";
export { SessionRoom } from "#workers/room/session-room";

const http = createHttp(async () => new Response("A page", { headers: { "Content-Type": "text/html" } }));
export default { fetch: http.fetch } satisfies ExportedHandler<import("#workers/env").Env>;
