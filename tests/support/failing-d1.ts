// A database that fails at its k-th statement: before it (nothing of its batch happens), or after it (all happened,
// but the answer was lost). For proving that money paths leave all or nothing and that a retry completes them.

export type Failure = { at: number; when: "before" | "after" };

type Counter = { count: number; hasFailed: boolean };
const LOST = "the database failed on purpose";

/** `env.DB` with the failure built in; `counter` tells how many statements ran. */
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

  const inner = new WeakMap<object, D1PreparedStatement>();
  const wrapStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        if (name === "bind") return (...values: unknown[]) => wrapStatement(target.bind(...values));
        if (name === "run" || name === "all" || name === "raw" || name === "first")
          return (...args: unknown[]) => run(1, () => Reflect.apply(value, target, args) as Promise<unknown>);
        return value.bind(target);
      },
    });
    inner.set(wrapped, statement);
    return wrapped;
  };
  const wrap = <D extends D1Database | D1DatabaseSession>(database: D): D =>
    new Proxy(database, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        if (name === "prepare") return (sql: string) => wrapStatement(target.prepare(sql));
        if (name === "batch")
          return (list: D1PreparedStatement[]) =>
            run(list.length, () => target.batch(list.map((statement) => inner.get(statement) ?? statement)));
        if (name === "withSession") return (mark: string) => wrap((target as D1Database).withSession(mark));
        return value.bind(target);
      },
    });
  return { d1: wrap(d1), counter };
}
