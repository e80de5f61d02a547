// A D1 that forwards everything, and calls a test's function at each round trip.

type StatementMethod = "all" | "run" | "raw" | "first";
export type Between = {
  /** A single statement; `ask` runs it unchanged. */
  one(statement: D1PreparedStatement, method: StatementMethod, ask: () => Promise<unknown>): Promise<unknown>;
  batch(
    count: number,
    ask: () => Promise<D1Result[]>,
    statements: readonly D1PreparedStatement[],
  ): Promise<D1Result[]>;
};

export function wrappedD1(d1: D1Database, between: Between): D1Database {
  const inner = new WeakMap<object, D1PreparedStatement>();
  const wrapStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        if (name === "bind") return (...values: unknown[]) => wrapStatement(target.bind(...values));
        if (name === "all" || name === "run" || name === "raw" || name === "first")
          return (...args: unknown[]) =>
            between.one(target, name, () => Reflect.apply(value, target, args) as Promise<unknown>);
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
          return (list: D1PreparedStatement[]) => {
            const statements = list.map((statement) => inner.get(statement) ?? statement);
            return between.batch(list.length, () => target.batch(statements), statements);
          };
        if (name === "withSession") return (mark: string) => wrap((target as D1Database).withSession(mark));
        return value.bind(target);
      },
    });
  return wrap(d1);
}
