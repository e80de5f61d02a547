// The database as use cases see it: Drizzle over a D1 session, so that a request reads its own writes.
import { Column, is, Param, Placeholder, SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "./schema";

export { schema };

/** `batch` is D1's only transaction. */
export type Database = ReturnType<typeof connect>;
export type Statement = BatchItem<"sqlite">;

/** `d1` may be the binding or one of its sessions (`env.DB.withSession(bookmark)`). */
export const connect = (d1: D1Database | D1DatabaseSession) => {
  // Without the schema: only relational queries need it, and each request would parse it.
  const db = drizzle(d1 as D1Database);
  const batch = db.batch.bind(db) as (items: Statement[]) => Promise<unknown>;
  return Object.assign(db, {
    d1: d1 as D1Database,
    batch: ((items: Statement[]) => batch(items.map(withOwnNames))) as typeof db.batch,
  });
};

type Decoder = { mapFromDriverValue(value: unknown): unknown };
type Field = { path: string[]; field: unknown };
type Prepared = {
  fields?: Field[];
  customResultMapper?: unknown;
  stmt: D1PreparedStatement;
  getQuery(): { sql: string; params: unknown[] };
  mapResult(answer: D1Result, isFromBatch: true): unknown;
  mapAllResult(answer: { results: Record<string, unknown>[] }, isFromBatch: true): unknown;
};

/**
 * D1 keys the rows of a batch by column name: two columns of one name (`users.id`, `persons.id`) collapse and shift
 * all later fields. Such a select throws here instead.
 */
function withOwnNames(item: Statement): Statement {
  const prepare = (item as unknown as { _prepare(): Prepared })._prepare.bind(item);
  return {
    _prepare() {
      const prepared = prepare();
      const names = new Set<string>();
      for (const { field } of prepared.fields ?? []) {
        const name = is(field, SQL.Aliased) ? field.fieldAlias : is(field, Column) ? field.name : null;
        if (name !== null && names.has(name))
          throw new Error(
            `Two columns of a batched select are called "${name}": give one a name, sql\`\${table.column}\`.as("other_name").`,
          );
        if (name !== null) names.add(name);
      }
      prepared.fields = prepared.fields?.map((each) =>
        is(each.field, SQL.Aliased) ? { ...each, field: each.field.sql } : each,
      );
      const read = prepared.customResultMapper ? null : flatReader(prepared.fields);
      if (read) prepared.mapAllResult = ({ results }) => results.map(read(results));
      return prepared;
    },
  } as unknown as Statement;
}

/** The decoder of a field; null for one that this file does not know. */
const decoderOf = (field: unknown): Decoder | null =>
  is(field, Column) ? field : is(field, SQL) ? (field as unknown as { decoder: Decoder }).decoder : null;

/**
 * Reads the rows of a flat select. Drizzle looks for each decoder in chains of classes for each value of each row, and
 * the reader here once for a statement.
 */
function flatReader(fields: Field[] | undefined) {
  const columns = fields?.map(({ path, field }) => ({ path, decoder: decoderOf(field) }));
  if (!columns?.every(({ path, decoder }) => path.length === 1 && decoder !== null)) return null;
  return (results: readonly Record<string, unknown>[]) => {
    const keys = Object.keys(results[0] ?? {});
    return (row: Record<string, unknown>) => {
      const read: Record<string, unknown> = {};
      for (let at = 0; at < columns.length; at++) {
        const { path, decoder } = columns[at] as { path: [string]; decoder: Decoder };
        const value = row[keys[at] as string];
        read[path[0]] = value === null ? null : decoder.mapFromDriverValue(value);
      }
      return read;
    };
  };
}

/** A statement for a batch of D1 that others build, and the reader of its result. */
export function forBatch<R>(item: Statement & PromiseLike<R>) {
  const prepared = (withOwnNames(item) as unknown as { _prepare(): Prepared })._prepare();
  return {
    statement: prepared.stmt.bind(...prepared.getQuery().params),
    read: (result: D1Result) => prepared.mapResult(result, true) as R,
  };
}

type Values = Record<string, unknown>;
type Remembered = {
  text: string;
  params: ((values: Values) => unknown)[];
  mapResult: Prepared["mapResult"];
};

/** Shapes remembered for a query function; a full memory is cleared, because searched words are part of a shape. */
const MOST_SHAPES = 200;

/**
 * A query function whose select is built once for each shape, and after that in a batch only bound (decision 82).
 * `variable` names what differs between calls: places of arguments, or fields of the first argument, with the values
 * within SQL. `build` puts these values into the statement as they are, and asks at most whether they are falsy: a falsy
 * value is part of the shape, like all other arguments.
 */
export function remembered<A extends unknown[], S extends Statement & PromiseLike<unknown>>(
  variable: readonly (number | string)[],
  build: (db: Database, ...args: A) => S,
): (db: Database, ...args: A) => S {
  const known = new Map<string, Remembered>();
  const withMarks = (args: A, mark: (name: string, value: unknown) => unknown): A => {
    const marked = [...args] as unknown[];
    const fields = typeof variable[0] === "string" ? { ...(args[0] as Values) } : null;
    const holder = fields ?? (marked as unknown as Values);
    for (const [name, value] of Object.entries(fields ?? {}))
      if (is(value, SQL)) holder[name] = withMarkedChunks(value, name, mark);
    for (const name of variable) if (holder[name]) holder[name] = mark(String(name), holder[name]);
    if (fields) marked[0] = fields;
    return marked as A;
  };
  const learn = (db: Database, args: A): Remembered => {
    const marked = withMarks(args, (name) => sql.placeholder(name));
    const prepared = (withOwnNames(build(db, ...marked)) as unknown as { _prepare(): Prepared })._prepare();
    const { sql: text, params } = prepared.getQuery();
    // It belongs to the request that builds it.
    Object.assign(prepared, { stmt: null });
    return { text, params: params.map(readerOf), mapResult: prepared.mapResult.bind(prepared) };
  };
  return (db, ...args) => {
    const values: Values = {};
    const key = JSON.stringify(
      withMarks(args, (name, value) => {
        values[name] = value;
        return 1;
      }),
    );
    const prepare = () => {
      let found = known.get(key);
      if (!found) {
        if (known.size >= MOST_SHAPES) known.clear();
        found = learn(db, args);
        known.set(key, found);
      }
      const { text, params, mapResult } = found;
      const bound = params.map((value) => value(values));
      return { stmt: db.d1.prepare(text), getQuery: () => ({ sql: text, params: bound }), mapResult };
    };
    const alone = () => build(db, ...args) as S & { run(): unknown; toSQL(): unknown };
    return {
      _prepare: prepare,
      // Drizzle reads the rows of a single statement in another form.
      then: (...settled: Parameters<S["then"]>) => alone().then(...settled),
      run: () => alone().run(),
      toSQL: () => alone().toSQL(),
    } as unknown as S;
  };
}

/** SQL in a filter, such as the subselect of an id by its slug. */
const withMarkedChunks = (
  fragment: SQL,
  name: string,
  mark: (name: string, value: unknown) => unknown,
): SQL =>
  new SQL(
    fragment.queryChunks.map((chunk, at) =>
      typeof chunk === "object" ? chunk : (mark(`${name} ${at}`, chunk) as typeof chunk),
    ),
  );

/** How a parameter of a remembered statement gets its value. */
function readerOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { encoder, value } = param;
    return (values) => encoder.mapToDriverValue(values[(value as Placeholder).name]);
  }
  if (Number.isNaN(param) || String(param).includes("[object Object]"))
    throw new Error("A remembered query computes with a value that it declares variable.");
  return () => param;
}

/** Runs a list of statements, built at run time, in one atomic round trip. */
export async function runBatch<S extends Statement>(
  db: Database,
  statements: S[],
): Promise<BatchResponse<[S, ...S[]]> | []> {
  const [first, ...rest] = statements;
  return first ? db.batch([first, ...rest]) : [];
}
