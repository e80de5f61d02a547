// A D1 that fails before its k-th statement (the batch has no effect) or after it (the answer is lost). It proves
// that money paths are atomic and that a retry completes them.
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { wrappedD1 } from "./wrapped-d1";

export type Failure = { at: number; when: "before" | "after" };

type Counter = { count: number; hasFailed: boolean };
const LOST = "the database failed on purpose";

/** `env.DB` with the failure; `counter` counts the statements that ran. */
export function failingD1(d1: D1Database, failure: Failure): { d1: D1Database; counter: Counter } {
  const counter: Counter = { count: 0, hasFailed: false };

  async function run<T>(statements: number, work: () => Promise<T>): Promise<T> {
    const first = counter.count + 1;
    counter.count += statements;
    const isHit = !counter.hasFailed && failure.at >= first && failure.at <= counter.count;
    if (isHit) counter.hasFailed = true;
    if (isHit && failure.when === "before") throw new Error(LOST);
    const answer = await work();
    if (isHit) throw new Error(LOST);
    return answer;
  }

  const failing = wrappedD1(d1, {
    one: (_statement, _asked, ask) => run(1, ask),
    batch: (statements, ask) => run(statements, ask),
  });
  return { d1: failing, counter };
}

/** Every call of D1 after the first `answered` fails, by whatever App or room, until the spy is restored. */
export function breakD1(answered = 0) {
  const proto = Object.getPrototypeOf(env.DB) as D1Database;
  const { withSession } = proto;
  let calls = 0;
  return vi.spyOn(proto, "withSession").mockImplementation(function (this: D1Database, mark) {
    if (++calls > answered) throw new Error("D1 does not answer");
    return withSession.call(this, mark as string);
  });
}
