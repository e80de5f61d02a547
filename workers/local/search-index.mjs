// Rebuilds the search index and the counts of activities from their rows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { indexedWords, titleWordsOf } from "../../app/domain/search-words.ts";
import { ROOT } from "./processes.mjs";

/** The tables whose titles are searched by `title_pairs`. */
const TITLED_TABLES = ["activities", "sessions", "huts", "items"];
/** The tables of private records, with the columns whose words are indexed. */
const PRIVATE_TABLES = { notes: ["title", "content", "todo", "done"], logs: ["title", "content"] };
const PAGE_ROWS = 1000;
/** The statements that we send in a batch. */
const STATEMENTS_PER_BATCH = 100;

/** Writes `column` in the rows where it differs from `computeValue(row)`. Returns the number of changed rows. */
async function renewColumn(db, { table, key, texts, column, computeValue }) {
  let changed = 0;
  let lastKey = key.map(() => 0);
  const marks = key.map(() => "?").join(", ");
  for (;;) {
    const { results } = await db
      .prepare(
        `SELECT ${[...key, ...texts, column].join(", ")} FROM ${table} WHERE (${key.join(", ")}) > (${marks}) ORDER BY ${key.join(", ")} LIMIT ${PAGE_ROWS}`,
      )
      .bind(...lastKey)
      .all();
    const wrong = results.filter((row) => row[column] !== computeValue(row));
    const condition = key.map((name) => `${name} = ?`).join(" AND ");
    const statements = wrong.map((row) =>
      db
        .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${condition}`)
        .bind(computeValue(row), ...key.map((name) => row[name])),
    );
    for (let start = 0; start < statements.length; start += STATEMENTS_PER_BATCH)
      await db.batch(statements.slice(start, start + STATEMENTS_PER_BATCH));
    changed += wrong.length;
    if (results.length < PAGE_ROWS) return changed;
    lastKey = key.map((name) => results.at(-1)[name]);
  }
}

/** Corrects the pairs of titles and the words of private records. Returns the number of changed rows. */
async function renewWords(db) {
  let changed = 0;
  for (const table of TITLED_TABLES)
    changed += await renewColumn(db, {
      table,
      key: ["id"],
      texts: ["title"],
      column: "title_pairs",
      computeValue: ({ title }) => titleWordsOf(title).join(" "),
    });
  for (const [table, texts] of Object.entries(PRIVATE_TABLES))
    changed += await renewColumn(db, {
      table,
      key: ["user_id", "id"],
      texts,
      column: "search_text",
      computeValue: (row) => indexedWords(...texts.map((name) => row[name])),
    });
  return changed;
}

/** Empties the index and the counts, and fills them again. Returns the number of rows whose words were wrong. */
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
