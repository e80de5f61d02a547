// Every foreign key to a hut, session, series or user has its row in the table of endings.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { BATCHED, type Cell, ENDINGS, HAPPENINGS, type Parent, STEPPED } from "~/domain/endings";
import * as schema from "./schema/index";

const PARENTS = Object.keys(HAPPENINGS) as Parent[];

/** The foreign keys to each parent, as `table.column`. */
function foreignKeys(): Record<Parent, string[]> {
  const found: Record<Parent, string[]> = { huts: [], sessions: [], series: [], users: [] };
  for (const table of Object.values(schema)) {
    if (!is(table, SQLiteTable)) continue;
    const { name, foreignKeys: keys } = getTableConfig(table);
    for (const key of keys) {
      const { columns, foreignTable } = key.reference();
      const parent = getTableConfig(foreignTable).name as Parent;
      if (PARENTS.includes(parent)) found[parent].push(`${name}.${columns[0]?.name}`);
    }
  }
  return found;
}

const cells: Cell[] = Object.values(ENDINGS).flatMap((rows) =>
  Object.values(rows).flatMap((row) => Object.values(row) as Cell[]),
);

test.each(PARENTS)(
  "R-87 every foreign key to %s has its row of endings, and no other row exists",
  (parent) => {
    expect(Object.keys(ENDINGS[parent]).sort()).toEqual(foreignKeys()[parent].sort());
  },
);

test.each(PARENTS)("R-87 every row of %s has a cell for everything that can happen", (parent) => {
  for (const row of Object.values(ENDINGS[parent]))
    expect(Object.keys(row).sort()).toEqual([...HAPPENINGS[parent]].sort());
});

test("R-87 every cell without an effect gives its reason", () => {
  const reasons = cells.flatMap((cell) =>
    "stays" in cell ? [cell.stays] : "never" in cell ? [cell.never] : [],
  );
  expect(reasons.filter((reason) => reason.length < 15)).toEqual([]);
});

test("R-87 no statement deletes a series, so its rows need no end by deletion", () => {
  const folder = fileURLToPath(new URL("queries", import.meta.url));
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.ts$/.test(path) && !/\.test\./.test(path))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  expect(texts.length).toBeGreaterThan(50);
  expect(
    texts.filter((text) => /\.delete\((schema\.)?series\)|DELETE FROM [`"]?series\b/.test(text)),
  ).toEqual([]);
});

test("R-87 every effect belongs to a cell", () => {
  const used = new Set<string>(cells.flatMap((cell) => ("does" in cell ? cell.does : [])));
  expect([...BATCHED, ...STEPPED].filter((key) => !used.has(key))).toEqual([]);
});
