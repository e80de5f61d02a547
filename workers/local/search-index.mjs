// Makes the search index and the counts of activities from their rows, the pairs of titles included.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { indexedWords, titleWordsOf } from "../../app/domain/search-words.ts";
import { ROOT } from "./processes.mjs";

const NAMED = ["activities", "sessions", "huts"];
/** Own things, and the texts of which their words are made. */
const OWN = { notes: ["title", "content", "todo", "done"], logs: ["title", "content"] };
const PAGE_ROWS = 1000;
/** D1's limit of statements that we send in one batch. */
const BATCH = 100;

/** Writes `column` of the rows where it differs from `made`. Answers the number of changed rows. */
async function renewColumn(db, { table, key, texts, column, made }) {
  let changed = 0;
  let after = key.map(() => 0);
  const marks = key.map(() => "?").join(", ");
  for (;;) {
    const { results } = await db
      .prepare(
        `SELECT ${[...key, ...texts, column].join(", ")} FROM ${table} WHERE (${key.join(", ")}) > (${marks}) ORDER BY ${key.join(", ")} LIMIT ${PAGE_ROWS}`,
      )
      .bind(...after)
      .all();
    const wrong = results.filter((row) => row[column] !== made(row));
    const where = key.map((name) => `${name} = ?`).join(" AND ");
    const statements = wrong.map((row) =>
      db
        .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`)
        .bind(made(row), ...key.map((name) => row[name])),
    );
    for (let at = 0; at < statements.length; at += BATCH) await db.batch(statements.slice(at, at + BATCH));
    changed += wrong.length;
    if (results.length < PAGE_ROWS) return changed;
    after = key.map((name) => results.at(-1)[name]);
  }
}

/** Writes the pairs of titles that lack them, and the words of users' things. Answers the number of changed rows. */
async function renewWords(db) {
  let changed = 0;
  for (const table of NAMED)
    changed += await renewColumn(db, {
      table,
      key: ["id"],
      texts: ["title"],
      column: "title_pairs",
      made: ({ title }) => titleWordsOf(title).join(" "),
    });
  for (const [table, texts] of Object.entries(OWN))
    changed += await renewColumn(db, {
      table,
      key: ["user_id", "id"],
      texts,
      column: "search_text",
      made: (row) => indexedWords(...texts.map((name) => row[name])),
    });
  return changed;
}

/** Empties the index and the counts, and fills them again. */
export async function rebuildSearch(db) {
  const changed = await renewWords(db);
  const statements = readFileSync(join(ROOT, "db/rebuild-search.sql"), "utf8")
    .replace(/^--.*$/gm, "")
    .split(/;\s*$/m)
    .map((sql) => sql.trim())
    .filter(Boolean);
  await db.batch(statements.map((sql) => db.prepare(sql)));
  return changed;
}
