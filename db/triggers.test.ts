// The triggers of the migrated database are those of db/schema/triggers.sql, and db/schema names each at its table.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const SCHEMA = join(import.meta.dirname, "schema");
const read = (name: string) => readFileSync(join(SCHEMA, name), "utf8");

function migrated(): DatabaseSync {
  const folder = join(import.meta.dirname, "migrations");
  const sqlite = new DatabaseSync(":memory:");
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of names.sort()) sqlite.exec(readFileSync(join(folder, name), "utf8"));
  return sqlite;
}

type Entry = { type: string; name: string; tbl_name: string; sql: string };

/** The statements of a file without its comments, in the words that SQLite stores. */
const statementsOf = (name: string) =>
  read(name)
    .replace(/^--.*$/gm, "")
    .split(/;\n(?=\n*CREATE|\s*$)/)
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .sort();

const stored = (types: string[]) =>
  (migrated().prepare("SELECT type, name, tbl_name, sql FROM sqlite_master").all() as Entry[]).filter(
    ({ type, sql }) =>
      types.includes(type) || (types.includes("virtual") && /^CREATE VIRTUAL/.test(sql ?? "")),
  );

test("the database has the triggers of triggers.sql, and no others", () => {
  const file = statementsOf("triggers.sql");
  expect(file.length).toBeGreaterThan(20);
  expect(
    stored(["trigger"])
      .map(({ sql }) => sql)
      .sort(),
  ).toEqual(file);
});

test("the database has the views and full-text tables of search.sql, and no others", () => {
  expect(
    stored(["view", "virtual"])
      .map(({ sql }) => sql)
      .sort(),
  ).toEqual(statementsOf("search.sql"));
});

test("db/schema names every trigger at the table that has it", () => {
  const sources = readdirSync(SCHEMA, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .map(read)
    .join("\n");
  const missing = stored(["trigger"]).filter(({ name, tbl_name }) => {
    const table = new RegExp(
      `(/\\*\\*(?:(?!\\*/).)*\\*/)\\nexport const \\w+ = sqliteTable\\(\\s*"${tbl_name}",`,
      "s",
    ).exec(sources);
    return !table?.[1]?.includes(`\`${name}\``);
  });
  expect(missing.map(({ name, tbl_name }) => `${tbl_name}: ${name}`)).toEqual([]);
});
