// Adds statements to the atomic batch of a database's next write.
import type { SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { connect, type Database } from "./connect.server";

/** SQL with its parameters, as D1 takes it. */
export type RawStatement = { sql: string; params: readonly unknown[] };

const dialect = new SQLiteSyncDialect();
export const rawStatement = (query: SQL): RawStatement => dialect.sqlToQuery(query);

type CarriedStatements = {
  /** Statements before and after the write; if one fails, the whole batch fails. */
  before?: readonly RawStatement[];
  after?: readonly RawStatement[];
  /** The statement right after the first insert, where `last_insert_rowid()` is the inserted row. */
  afterInsert?: RawStatement;
  /** The table that these statements write; a write of the caller to this table does not carry them. */
  table?: string;
};
export type Carrier = {
  db: Database;
  /** Whether the first write and the carried statements are committed. */
  hasWritten(): boolean;
};

const WRITES = /^\s*(?:insert|update|delete|replace)\b/i;
const INSERTS = /^\s*(?:insert|replace)\b/i;

/** A copy of `db` whose first write, a batch or a single statement, also runs the carried statements. */
export function carryWithFirstWrite(db: Database, carried: CarriedStatements): Carrier {
  const { before = [], after = [], afterInsert, table } = carried;
  const d1 = db.d1;
  const sqlOf = new WeakMap<D1PreparedStatement, string>();
  const innerOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  let hasWritten = false;
  const bindStatement = ({ sql, params }: RawStatement) => d1.prepare(sql).bind(...params);

  async function run(statements: readonly D1PreparedStatement[]): Promise<D1Result[]> {
    const statementsToSend: D1PreparedStatement[] = before.map(bindStatement);
    const indexes: number[] = [];
    let hasInsert = false;
    for (const statement of statements) {
      indexes.push(statementsToSend.push(innerOf.get(statement) ?? statement) - 1);
      if (hasInsert || !afterInsert || !INSERTS.test(sqlOf.get(statement) ?? "")) continue;
      statementsToSend.push(bindStatement(afterInsert));
      hasInsert = true;
    }
    const results = await d1.batch([...statementsToSend, ...after.map(bindStatement)]);
    hasWritten = true;
    return indexes.map((index) => results[index] as D1Result);
  }
  const runOne = async (statement: D1PreparedStatement) => (await run([statement]))[0] as D1Result;
  const isFirstWrite = (sql: string) =>
    !hasWritten && WRITES.test(sql) && !(table && sql.includes(`"${table}"`));

  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), sql),
      run: () => (isFirstWrite(sql) ? runOne(wrapped) : statement.run()),
      all: () => (isFirstWrite(sql) ? runOne(wrapped) : statement.all()),
      raw: async () =>
        isFirstWrite(sql)
          ? ((await runOne(wrapped)).results as object[]).map((row) => Object.values(row))
          : statement.raw(),
      first: () => statement.first(),
    } as unknown as D1PreparedStatement;
    innerOf.set(wrapped, statement);
    sqlOf.set(wrapped, sql);
    return wrapped;
  };
  const carryingD1 = {
    prepare: (sql: string) => wrap(d1.prepare(sql), sql),
    batch: (statements: D1PreparedStatement[]) =>
      statements.some((statement) => isFirstWrite(sqlOf.get(statement) ?? ""))
        ? run(statements)
        : d1.batch(statements.map((statement) => innerOf.get(statement) ?? statement)),
  } as unknown as D1Database;
  return { db: connect(carryingD1), hasWritten: () => hasWritten };
}
