// The migrated schema as one migration: all migrations run once in Node, and each test file creates their result.
import { DatabaseSync } from "node:sqlite";

type Migration = { name: string; queries: string[] };
type Entry = { type: string; name: string; sql: string };

const quoted = (name: string): string => `\`${name}\``;
const literal = (value: unknown): string =>
  value === null
    ? "NULL"
    : typeof value === "number"
      ? String(value)
      : `'${String(value).replaceAll("'", "''")}'`;

export function wholeSchema(migrations: readonly Migration[]): Migration[] {
  const db = new DatabaseSync(":memory:");
  for (const { queries } of migrations) for (const query of queries) db.exec(query);
  const entries = db
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all() as Entry[];
  const virtual = entries.filter(({ sql }) => /^CREATE VIRTUAL TABLE/i.test(sql)).map(({ name }) => name);
  // A virtual table creates its shadow tables.
  const isShadow = ({ name }: Entry) => virtual.some((table) => name.startsWith(`${table}_`));
  const made = entries.filter((entry) => !isShadow(entry));
  const plain = made.filter(({ type, name }) => type === "table" && !virtual.includes(name));
  const rows = plain.flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM ${quoted(name)}`)
      .all()
      .map(
        (row) =>
          `INSERT INTO ${quoted(name)} (${Object.keys(row).map(quoted)}) VALUES (${Object.values(row).map(literal)})`,
      ),
  );
  const ofType = (...types: string[]) =>
    made.filter(({ type }) => types.includes(type)).map(({ sql }) => sql);
  db.close();
  return [
    {
      name: "whole",
      queries: [[...ofType("table"), ...rows, ...ofType("index", "view", "trigger")].join(";\n")],
    },
  ];
}
