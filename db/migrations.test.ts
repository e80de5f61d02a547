// Released migrations never change, drop only what a release stopped reading, and lose no data.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import RELEASED from "./released.json";

const ROWS = 3;

/** The n-th row's value of a column whose CHECKs or meaning need more than a number or a word. */
const VALUES: Record<string, (n: number) => string | number | null> = {
  // Lengths are bounded, the body of a notice is JSON, a post and a view link belong to one thing, and a session ends
  // after it starts.
  duration: (n) => 300 * n,
  difficulty: () => 3,
  "posts.hut_id": () => null,
  "view_links.series_id": () => null,
  "notices.body": () => "{}",
  ended_at: (n) => 1_000_000 + n,
  role: () => 1,
  "deliveries.state": () => "waiting",
  "confirmations.kind": () => "confirm",
  "sanctions.scope": () => "hut",
  "sanctions.kind": () => "mute",
  slow_mode: () => 5,
  is_host: () => 1,
  status: () => 1,
};
/** The pool is one row. */
const ROWS_OF: Record<string, number> = { token_pool: 1 };

const FOLDER = join(import.meta.dirname, "migrations");
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const textOf = (name: string) => readFileSync(join(FOLDER, name), "utf8");

/** Oldest release first, with the hash of each of its migrations. */
const releases = Object.entries(RELEASED as Record<string, Record<string, string>>);
const released = releases.flatMap(([, migrations]) => Object.entries(migrations));

type Column = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number };
type Reference = { table: string; from: string; to: string | null };

/** D1 keeps foreign keys on during a migration, so dropping a table deletes the rows that refer to it. */
function migrate(sqlite: DatabaseSync, names: string[]): void {
  for (const name of names) {
    sqlite.exec("BEGIN");
    sqlite.exec(textOf(name));
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

test("X-15 released migrations are the first ones, with the hashes of their release", () => {
  const hashOf = (name: string) => createHash("sha256").update(textOf(name)).digest("hex");
  expect(files.slice(0, released.length).map((name) => [name, hashOf(name)])).toEqual(released);
});

const NAMED = /^-- Unread since (\d+\.\d+\.\d+): (.+)$/gm;
/**
 * The names that a migration says nobody reads, `table.column` or `table`, with the release that stopped reading them.
 */
const unreadIn = (sql: string) =>
  [...sql.matchAll(NAMED)].flatMap(([, release = "", names = ""]) =>
    names.split(",").map((name) => ({ release, name: name.trim() })),
  );
/** Tables and columns that a migration drops or renames. A table that is made again under its name is none. */
function goneIn(sql: string): string[] {
  const remade = [...sql.matchAll(/RENAME TO [`"]?(\w+)/gi)].filter(([, to]) =>
    new RegExp(`CREATE TABLE [\`"]?__new_${to}\\b`).test(sql),
  );
  const isRemade = (table: string) => remade.some(([, to]) => table === to || table === `__new_${to}`);
  const tables = [
    ...sql.matchAll(/DROP TABLE (?:IF EXISTS )?[`"]?(\w+)/gi),
    ...sql.matchAll(/ALTER TABLE [`"]?(\w+)[`"]? RENAME TO/gi),
  ].flatMap(([, table = ""]) => (isRemade(table) ? [] : [table]));
  const columns = [
    ...sql.matchAll(/ALTER TABLE [`"]?(\w+)[`"]? (?:DROP COLUMN|DROP|RENAME COLUMN) [`"]?(\w+)/gi),
  ].map(([, table, column]) => `${table}.${column}`);
  return [...tables, ...columns];
}
/** Names that the migration drops before a release has stopped reading them. `before`: the releases before it. */
const droppedTooEarly = (sql: string, before: readonly string[]) =>
  goneIn(sql).filter(
    (gone) => !unreadIn(sql).some(({ release, name }) => name === gone && before.includes(release)),
  );

test("X-15 a migration that drops or renames names the release that stopped reading it", () => {
  const drop = "ALTER TABLE `logs` DROP COLUMN `place`;";
  expect(droppedTooEarly(drop, ["0.2.0"])).toEqual(["logs.place"]);
  expect(droppedTooEarly(`-- Unread since 0.2.0: logs.place\n${drop}`, ["0.2.0"])).toEqual([]);
  expect(droppedTooEarly(`-- Unread since 0.3.0: logs.place\n${drop}`, ["0.2.0"])).toEqual(["logs.place"]);
  expect(droppedTooEarly(`-- Unread since 0.2.0: logs.day\n${drop}`, ["0.2.0"])).toEqual(["logs.place"]);
  expect(droppedTooEarly("ALTER TABLE logs RENAME COLUMN day TO date;", [])).toEqual(["logs.day"]);
  expect(droppedTooEarly("ALTER TABLE `logs` RENAME TO `entries`;", [])).toEqual(["logs"]);
  expect(droppedTooEarly("DROP TABLE `logs`;", [])).toEqual(["logs"]);
  const remade =
    "CREATE TABLE `__new_logs` (`id` integer);\nDROP TABLE `logs`;\nALTER TABLE `__new_logs` RENAME TO `logs`;";
  expect(droppedTooEarly(remade, [])).toEqual([]);
  expect(droppedTooEarly("DROP INDEX `logs_open`; DROP TRIGGER `logs_counted`;", [])).toEqual([]);

  const problems = files.flatMap((name, at) => {
    const before = releases
      .filter(([, migrations]) => Object.keys(migrations).every((one) => files.indexOf(one) < at))
      .map(([release]) => release);
    return droppedTooEarly(textOf(name), before).map((gone) => `${name}: ${gone}`);
  });
  expect(problems).toEqual([]);
});

test.each(releases)(
  "X-15 a database of release %s keeps every row, sum and reference through all later migrations",
  (_, migrations) => {
    const at = Math.max(...Object.keys(migrations).map((name) => files.indexOf(name))) + 1;
    const later = files.slice(at);
    const dropped = later.flatMap((name) => unreadIn(textOf(name)).map((one) => one.name));
    const sqlite = new DatabaseSync(":memory:");
    sqlite.exec("PRAGMA foreign_keys = ON");
    migrate(sqlite, files.slice(0, at));
    fill(sqlite);
    const before = booksOf(sqlite);
    expect(Object.keys(before).length).toBeGreaterThan(20);
    for (const [table, { rows }] of Object.entries(before)) expect(rows, table).toBeGreaterThanOrEqual(1);

    migrate(sqlite, later);
    const after = booksOf(sqlite);
    for (const [table, { rows, sums }] of Object.entries(before)) {
      if (dropped.includes(table)) continue;
      expect(after[table]?.rows, table).toBe(rows);
      const kept = Object.entries(sums).filter(([name]) => !dropped.includes(`${table}.${name}`));
      expect(after[table]?.sums, table).toMatchObject(Object.fromEntries(kept));
    }
    const left = dropped.filter((name) => {
      const [table = "", column] = name.split(".");
      return column === undefined ? table in after : column in (after[table]?.sums ?? {});
    });
    expect(left).toEqual([]);
    expect(sqlite.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(sqlite.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  },
);
