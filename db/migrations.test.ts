// Every released schema, filled with rows in each table, goes through all later migrations without losing data.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

/** The last migration of each release. A release adds its line. */
const RELEASES = { "0.1.0": "0017_tables-in-their-own-key" };
const ROWS = 3;

/** The n-th row's value of a column whose CHECKs or meaning need more than a number or a word. */
const VALUES: Record<string, (n: number) => string | number | null> = {
  // Lengths are bounded, a post belongs to a session or a hut, and a session ends after it starts.
  duration: (n) => 300 * n,
  difficulty: () => 3,
  "posts.hut_id": () => null,
  ended_at: (n) => 1_000_000 + n,
  role: () => 1,
  is_host: () => 1,
  status: () => 1,
};
/** Columns and tables that a later migration drops on purpose, because their data is elsewhere or useless. */
const DROPPED = [
  // Lists are ordered by id.
  "logs.goal_place",
  "logs.user_place",
  "logs.session_place",
  "posts.place",
  "notes.goal_place",
  "notes.user_place",
];
/** The pool is one row. */
const ROWS_OF: Record<string, number> = { token_pool: 1 };

const FOLDER = join(import.meta.dirname, "migrations");
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();

type Column = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number };
type Reference = { table: string; from: string; to: string | null };

/** D1 keeps foreign keys on during a migration, so dropping a table deletes the rows that refer to it. */
function migrate(sqlite: DatabaseSync, names: string[]): void {
  for (const name of names) {
    sqlite.exec("BEGIN");
    sqlite.exec(readFileSync(join(FOLDER, name), "utf8"));
    sqlite.exec("COMMIT");
  }
}

/** Ordinary tables, without those of the search index and of SQLite itself. */
function tablesOf(sqlite: DatabaseSync): string[] {
  const rows = sqlite
    .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' ORDER BY name")
    .all() as { name: string }[];
  return rows.map(({ name }) => name).filter((name) => !name.startsWith("sqlite_"));
}
const columnsOf = (sqlite: DatabaseSync, table: string) =>
  sqlite.prepare(`SELECT * FROM pragma_table_info('${table}')`).all() as Column[];
const referencesOf = (sqlite: DatabaseSync, table: string) =>
  sqlite
    .prepare(`SELECT "table", "from", "to" FROM pragma_foreign_key_list('${table}')`)
    .all() as Reference[];

/** Rows in every table, parents first. */
function fill(sqlite: DatabaseSync): void {
  const open = tablesOf(sqlite);
  const filled = new Set<string>();
  while (open.length > 0) {
    const next = open.findIndex((table) =>
      referencesOf(sqlite, table).every((to) => to.table === table || filled.has(to.table)),
    );
    const [table = ""] = open.splice(Math.max(0, next), 1);
    for (let n = 1; n <= (ROWS_OF[table] ?? ROWS); n++) insertRow(sqlite, table, n, filled);
    filled.add(table);
  }
}

function insertRow(sqlite: DatabaseSync, table: string, n: number, filled: Set<string>): void {
  const references = new Map(referencesOf(sqlite, table).map((to) => [to.from, to]));
  const row = columnsOf(sqlite, table).map(({ name, type, notnull }) => {
    const known = VALUES[`${table}.${name}`] ?? VALUES[name];
    if (known) return [name, known(n)] as const;
    const to = references.get(name);
    if (to && !filled.has(to.table)) return [name, notnull ? n : null] as const;
    if (to) {
      const parent = sqlite
        .prepare(`SELECT "${to.to ?? "id"}" AS value FROM "${to.table}" LIMIT 1 OFFSET ${n - 1}`)
        .get() as { value: string | number };
      return [name, parent.value] as const;
    }
    return [name, type.toLowerCase() === "text" ? `${name} ${n}` : n] as const;
  });
  const names = row.map(([name]) => `"${name}"`).join(", ");
  try {
    sqlite
      .prepare(`INSERT INTO "${table}" (${names}) VALUES (${row.map(() => "?").join(", ")})`)
      .run(...row.map(([, value]) => value));
  } catch (error) {
    throw new Error(`${table}: ${String(error)}; give the column a value in VALUES`, { cause: error });
  }
}

type Books = Record<string, { rows: number; sums: Record<string, number> }>;
/** The row count of each table, and for each column the sum of its numbers and the length of its texts. */
function booksOf(sqlite: DatabaseSync): Books {
  return Object.fromEntries(
    tablesOf(sqlite).map((table) => {
      const names = columnsOf(sqlite, table).map(({ name }) => name);
      const sums = names.map(
        (name) =>
          `coalesce(sum(CASE typeof("${name}") WHEN 'text' THEN length("${name}") ELSE "${name}" END), 0) AS "${name}"`,
      );
      const row = sqlite
        .prepare(`SELECT count(*) AS "#", ${sums.join(", ")} FROM "${table}"`)
        .get() as Record<string, number>;
      const { "#": rows = 0, ...rest } = row;
      return [table, { rows, sums: rest }];
    }),
  );
}

for (const [release, last] of Object.entries(RELEASES)) {
  test(`X-15 a database of release ${release} keeps every row, sum and reference through all later migrations`, () => {
    const at = files.indexOf(`${last}.sql`);
    expect(at).toBeGreaterThanOrEqual(0);
    const sqlite = new DatabaseSync(":memory:");
    sqlite.exec("PRAGMA foreign_keys = ON");
    migrate(sqlite, files.slice(0, at + 1));
    fill(sqlite);
    const before = booksOf(sqlite);
    expect(Object.keys(before).length).toBeGreaterThan(20);
    for (const [table, { rows }] of Object.entries(before)) expect(rows, table).toBeGreaterThanOrEqual(1);

    migrate(sqlite, files.slice(at + 1));
    const after = booksOf(sqlite);
    for (const [table, { rows, sums }] of Object.entries(before)) {
      if (DROPPED.includes(table)) continue;
      expect(after[table]?.rows, table).toBe(rows);
      const kept = Object.entries(sums).filter(([name]) => !DROPPED.includes(`${table}.${name}`));
      expect(after[table]?.sums, table).toMatchObject(Object.fromEntries(kept));
    }
    const left = DROPPED.filter((name) => {
      const [table = "", column] = name.split(".");
      return column === undefined ? table in after : column in (after[table]?.sums ?? {});
    });
    expect(left).toEqual([]);
    expect(sqlite.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(sqlite.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  });
}
