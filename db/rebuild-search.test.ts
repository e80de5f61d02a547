// The search index made again from its rows, against the schema of all migrations.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { rebuildSearch } from "../workers/local/search-index.mjs";

const FOLDER = join(import.meta.dirname, "migrations");

const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();

function migrated(): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  for (const name of NAMES) sqlite.exec(readFileSync(join(FOLDER, name), "utf8"));
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

/** The ids of a user's own things with this word. */
const idsOf = (sqlite: DatabaseSync, of: "goal" | "note" | "log", userId: number, word: string) =>
  sqlite
    .prepare(
      `SELECT ${of === "goal" ? "rowid" : "id"} AS id FROM ${of}_words WHERE ${of}_words MATCH ? ORDER BY rowid`,
    )
    .all(`"\ue000${userId}\ue000${word}" *`)
    .map(({ id }) => id);
const addOwn = (sqlite: DatabaseSync, userId: number, id: number, title: string) =>
  sqlite.exec(`INSERT INTO goals (uuid, user_id, title, search_text, created_at, updated_at) VALUES ('g-${userId}-${id}', ${userId}, '${title}', lower('${title}'), 1, 1);
    INSERT INTO notes (id, user_id, title, todo, created_at, updated_at) VALUES (${id}, ${userId}, '${title}', 'Two
      lines', 1, 1);
    INSERT INTO logs (id, uuid, user_id, username, title, status, day, created_at, updated_at) VALUES (${id}, 'l-${userId}-${id}', ${userId}, 'u', '${title}', 2, '2026-11-21', 1, 1);`);

test("R-80 the index has the words of goals, notes and logs, each for its owner, and loses them with the row", async () => {
  const sqlite = migrated();
  sqlite.exec("PRAGMA foreign_keys = OFF");
  // Ids of notes and logs are unique only for their owner.
  for (const userId of [1, 12])
    for (const id of [5000, 5001]) addOwn(sqlite, userId, id, `Don’t “Straße” ${id}`);
  await rebuildSearch(asD1(sqlite));
  for (const userId of [1, 12])
    for (const of of ["note", "log"] as const) {
      expect(idsOf(sqlite, of, userId, "dont")).toEqual([5000, 5001]);
      expect(idsOf(sqlite, of, userId, "strasse")).toEqual([5000, 5001]);
      expect(idsOf(sqlite, of, userId, "5001")).toEqual([5001]);
    }
  expect(idsOf(sqlite, "note", 12, "lines")).toEqual([5000, 5001]);
  expect(idsOf(sqlite, "goal", 12, "5000")).toHaveLength(1);
  expect(sqlite.prepare("SELECT count(*) AS n FROM log_marks").get()).toEqual({ n: 0 });
  sqlite.exec("DELETE FROM notes WHERE user_id = 1 AND id = 5000; DELETE FROM goals WHERE user_id = 12");
  expect(idsOf(sqlite, "note", 1, "dont")).toEqual([5001]);
  expect(idsOf(sqlite, "note", 12, "dont")).toEqual([5000, 5001]);
  expect(idsOf(sqlite, "goal", 12, "5000")).toEqual([]);
  expect(idsOf(sqlite, "goal", 1, "5000")).toHaveLength(1);
});

test("R-80 rebuilding writes the words of notes and logs by the rule of the application", async () => {
  const sqlite = migrated();
  sqlite.exec("PRAGMA foreign_keys = OFF");
  for (const userId of [1, 12]) addOwn(sqlite, userId, 5000, "日本語の読書会 – Łódź");
  expect(idsOf(sqlite, "note", 1, "lodz")).toEqual([]);
  expect(await rebuildSearch(asD1(sqlite))).toBe(4);
  for (const userId of [1, 12])
    for (const of of ["note", "log"] as const)
      for (const word of ["lodz", "読書"]) expect(idsOf(sqlite, of, userId, word)).toEqual([5000]);
  expect(await rebuildSearch(asD1(sqlite))).toBe(0);
});
