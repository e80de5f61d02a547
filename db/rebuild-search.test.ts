// The search index made again from its rows, against the schema of all migrations.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { rebuildSearch } from "../workers/local/search-index.mjs";

const FOLDER = join(import.meta.dirname, "migrations");

function migrated(): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
  for (const name of names.sort()) sqlite.exec(readFileSync(join(FOLDER, name), "utf8"));
  return sqlite;
}

type Bound = { sql: string; values: (string | number)[] };
/** As much of D1 as the program uses. */
function asD1(sqlite: DatabaseSync) {
  const prepared = (sql: string, values: Bound["values"] = []) => ({
    sql,
    values,
    bind: (...bound: Bound["values"]) => prepared(sql, bound),
    all: async () => ({ results: sqlite.prepare(sql).all(...values) }),
  });
  return {
    prepare: (sql: string) => prepared(sql),
    batch: async (statements: Bound[]) => {
      for (const { sql, values } of statements) sqlite.prepare(sql).run(...values);
    },
  };
}

const indexOf = (sqlite: DatabaseSync) => ({
  terms: ["activity", "session", "hut"].map((noun) =>
    sqlite.prepare(`SELECT term, doc FROM ${noun}_terms ORDER BY term`).all(),
  ),
  counts: sqlite.prepare("SELECT * FROM activity_counts ORDER BY 1, 2, 3, 4").all(),
});

test("rebuilding the search index finds rows that no trigger saw and pairs that no title has, and a second run changes nothing", async () => {
  const sqlite = migrated();
  sqlite.exec("PRAGMA foreign_keys = OFF");
  const insert = (n: number) =>
    sqlite.exec(`INSERT INTO huts (id, owner_id, slug, title, created_at, updated_at) VALUES (${n}, 1, 'hut-${n}', 'Lamp ${n}', 1, 1);
      INSERT INTO activities (id, owner_id, slug, title, hut_id, difficulty, duration, created_at, updated_at, schedule)
        VALUES (${n}, 1, 'activity-${n}', 'Kettle ${n}', ${n}, 3, 300, 1, 1, '[]');`);
  insert(1);
  insert(2);
  const byTriggers = indexOf(sqlite);
  expect(byTriggers.terms[0]).toContainEqual({ term: "kettle", doc: 2 });
  expect(byTriggers.counts.length).toBeGreaterThan(0);

  sqlite.exec("DELETE FROM activity_words WHERE rowid = 2; DELETE FROM activity_counts;");
  sqlite.exec("INSERT INTO hut_words (hut_words) VALUES ('delete-all')");
  expect(indexOf(sqlite)).not.toEqual(byTriggers);
  expect(await rebuildSearch(asD1(sqlite))).toBe(0);
  expect(indexOf(sqlite)).toEqual(byTriggers);
  // Titles that were written without their pairs.
  sqlite.exec("UPDATE huts SET title = '日本語の読書会' WHERE id = 2");
  expect(await rebuildSearch(asD1(sqlite))).toBe(1);
  const found =
    "SELECT rowid FROM hut_words WHERE hut_words MATCH '読書' UNION ALL SELECT rowid FROM activity_words WHERE activity_words MATCH 'hut : 読書'";
  expect(sqlite.prepare(found).all()).toEqual([{ rowid: 2 }, { rowid: 2 }]);
  const rebuilt = indexOf(sqlite);
  expect(await rebuildSearch(asD1(sqlite))).toBe(0);
  expect(indexOf(sqlite)).toEqual(rebuilt);
});
