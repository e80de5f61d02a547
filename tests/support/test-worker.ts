// The worker of the workerd tests: the whole app, with pages built from the sources.
import { createHttp } from "#workers/http";
import { builtPages } from "./built-pages";

export { AttemptCounter } from "#workers/attempts/attempt-counter";
export { SessionLeaf } from "#workers/room/session-leaf";
export { SessionRoom } from "#workers/room/session-room";

const http = createHttp(builtPages);
// Tests run the consumer themselves, so that no work of one test runs during another.
export default { fetch: http.fetch, queue: (batch) => batch.ackAll() } satisfies ExportedHandler<
  import("#workers/env").Env,
  string[]
>;
