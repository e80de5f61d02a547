// db/rebuild-search.sql against the schema of all migrations.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const FOLDER = join(import.meta.dirname, "migrations");
const rebuild = readFileSync(join(import.meta.dirname, "rebuild-search.sql"), "utf8");

function migrated(): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
  for (const name of names.sort()) sqlite.exec(readFileSync(join(FOLDER, name), "utf8"));
  return sqlite;
}

const indexOf = (sqlite: DatabaseSync) => ({
  terms: ["activity", "session", "hut"].map((noun) =>
    sqlite.prepare(`SELECT term, doc FROM ${noun}_terms ORDER BY term`).all(),
  ),
  counts: sqlite.prepare("SELECT * FROM activity_counts ORDER BY 1, 2, 3, 4").all(),
});

test("rebuilding the search index finds rows that no trigger saw, and a second run changes nothing", () => {
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
  sqlite.exec(rebuild);
  expect(indexOf(sqlite)).toEqual(byTriggers);
  sqlite.exec(rebuild);
  expect(indexOf(sqlite)).toEqual(byTriggers);
});
