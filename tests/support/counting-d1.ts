// A database that counts: round trips and rows read. For proving that a page is one batch and reads what it shows.
export type Counts = { trips: number; rowsRead: number };
type Metered = { meta?: { rows_read?: number } };

export function countingD1(d1: D1Database): { d1: D1Database; counts: Counts } {
  const counts: Counts = { trips: 0, rowsRead: 0 };
  const note = (results: Metered[]) => {
    counts.trips++;
    for (const { meta } of results) counts.rowsRead += meta?.rows_read ?? 0;
  };
  const inner = new WeakMap<object, D1PreparedStatement>();
  const wrapStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        if (name === "bind") return (...values: unknown[]) => wrapStatement(target.bind(...values));
        if (name === "all" || name === "run")
          return async () => {
            const result = await target.all();
            note([result as Metered]);
            return result;
          };
        // `raw` tells no rows: ask for all of them and give their values.
        if (name === "raw")
          return async () => {
            const result = await target.all<Record<string, unknown>>();
            note([result as Metered]);
            return target.raw();
          };
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
          return async (list: D1PreparedStatement[]) => {
            const results = await target.batch(list.map((statement) => inner.get(statement) ?? statement));
            note(results as Metered[]);
            return results;
          };
        if (name === "withSession") return (mark: string) => wrap((target as D1Database).withSession(mark));
        return value.bind(target);
      },
    });
  return { d1: wrap(d1), counts };
}
