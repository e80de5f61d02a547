// Makes the search index and the counts of activities from their rows, the pairs of titles included.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pairsOf } from "../../app/domain/search-words.ts";
import { ROOT } from "./processes.mjs";

const SEARCHED = ["activities", "sessions", "huts"];
const PAGE_ROWS = 1000;
/** D1's limit of statements that we send in one batch. */
const BATCH = 100;

/** Writes the pairs of titles that lack them. Answers the number of changed rows. */
export async function writeTitlePairs(db) {
  let changed = 0;
  for (const table of SEARCHED) {
    let after = 0;
    for (;;) {
      const { results } = await db
        .prepare(`SELECT id, title, title_pairs FROM ${table} WHERE id > ? ORDER BY id LIMIT ${PAGE_ROWS}`)
        .bind(after)
        .all();
      const wrong = results
        .map(({ id, title, title_pairs: stored }) => ({ id, stored, pairs: pairsOf(title).join(" ") }))
        .filter(({ stored, pairs }) => stored !== pairs);
      const statements = wrong.map(({ id, pairs }) =>
        db.prepare(`UPDATE ${table} SET title_pairs = ? WHERE id = ?`).bind(pairs, id),
      );
      for (let at = 0; at < statements.length; at += BATCH) await db.batch(statements.slice(at, at + BATCH));
      changed += wrong.length;
      if (results.length < PAGE_ROWS) break;
      after = results.at(-1).id;
    }
  }
  return changed;
}

/** Empties the index and the counts, and fills them again. */
export async function rebuildSearch(db) {
  const changed = await writeTitlePairs(db);
  const statements = readFileSync(join(ROOT, "db/rebuild-search.sql"), "utf8")
    .replace(/^--.*$/gm, "")
    .split(/;\s*$/m)
    .map((sql) => sql.trim())
    .filter(Boolean);
  await db.batch(statements.map((sql) => db.prepare(sql)));
  return changed;
}
