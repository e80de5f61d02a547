// A D1 around the built worker's own: it delays each call and records its statements.
import { wrappedD1 } from "#tests/support/wrapped-d1";

type Statement = { sql: string; params: unknown[] };
type Worker = { fetch(request: Request, env: { DB: D1Database }, ctx: ExecutionContext): unknown };

const ADDRESS = "/local/measured";
let delay = 0;
let calls: Statement[][] = [];

const pause = () => new Promise((resolve) => setTimeout(resolve, delay));
const textOf = (prepared: D1PreparedStatement): Statement => {
  const { statement, params } = prepared as unknown as { statement: string; params: unknown[] };
  return { sql: statement, params };
};
const around = (d1: D1Database): D1Database =>
  wrappedD1(d1, {
    one: async (statement, _, ask) => {
      calls.push([textOf(statement)]);
      if (delay > 0) await pause();
      return ask();
    },
    batch: async (_, ask, statements) => {
      calls.push(statements.map(textOf));
      if (delay > 0) await pause();
      return ask();
    },
  });

/** The worker, with an address of its own that sets the delay and answers with the calls since the last time. */
export const measured = (worker: Worker) => ({
  ...worker,
  fetch(request: Request, env: { DB: D1Database }, ctx: ExecutionContext): unknown {
    const url = new URL(request.url);
    if (url.pathname !== ADDRESS) return worker.fetch(request, { ...env, DB: around(env.DB) }, ctx);
    delay = Number(url.searchParams.get("delay"));
    const answer = Response.json(calls);
    calls = [];
    return answer;
  },
});
