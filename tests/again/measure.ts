// Measures the changes of a request: the rows and totals of every table.
import { env } from "cloudflare:workers";
import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { schema } from "#db/connect.server";

/** Written after the answer, or of the repeat itself. */
const LATER = new Set([
  "repeated_requests",
  "activity_counts",
  "events",
  "deliveries",
  "notices",
  "mailbox",
  "cron_marks",
]);
/** A write that changes nothing else moves these. */
const COUNTS_WRITES = /^(unread_notices|updated_at|room_version)$/;
const TABLES = (Object.values(schema) as unknown[])
  .filter((one): one is SQLiteTable => is(one, SQLiteTable) && !LATER.has(getTableName(one)))
  .map((table) => ({
    name: getTableName(table),
    columns: getTableConfig(table)
      .columns.map(({ name }) => name)
      .filter((name) => !COUNTS_WRITES.test(name)),
  }));

/** Totals that one request changes as its rows. */
const IS_TOTAL = /(_count|_elapsed|remaining|granted|amount)$/;
/** Rows that several requests share. */
const SHARED = new Set(["goal_days", "session_totals"]);

export type Measures = Record<string, number>;
/** The number of rows of every table, and of its columns what `sum` says, by `table` and `table.column`. */
async function read(sum: (column: string) => string | null): Promise<Measures> {
  const answers = await env.DB.batch<Measures>(
    TABLES.map(({ name, columns }) => {
      const sums = columns.flatMap((column) => (sum(column) ? [`${sum(column)} AS "${column}"`] : []));
      return env.DB.prepare(`SELECT ${["count(*) AS n", ...sums].join(", ")} FROM "${name}"`);
    }),
  );
  return Object.fromEntries(
    answers.flatMap(({ results: [row] }, at) =>
      Object.entries(row ?? {}).map(([column, value]) => {
        const table = TABLES[at]?.name ?? "";
        return [column === "n" ? table : `${table}.${column}`, value];
      }),
    ),
  );
}

/** Of each column the sum of its values and of their lengths. */
export const measure = (): Promise<Measures> =>
  read((column) => `total("${column}") + total(length("${column}"))`);

/** All that grows with each request: the rows, and the totals of some columns. A plan is one JSON value. */
export async function totals(): Promise<Measures> {
  const all = await read((column) =>
    column === "schedule"
      ? `total(length("${column}"))`
      : IS_TOTAL.test(column)
        ? `total("${column}")`
        : null,
  );
  for (const name of SHARED) delete all[name];
  return all;
}

/** The names of all that differs. */
export const differences = (before: Measures, after: Measures): string[] =>
  Object.keys(after).filter((name) => after[name] !== before[name]);

export const growth = (before: Measures, after: Measures): Measures =>
  Object.fromEntries(
    differences(before, after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
  );
