// The full-text index (FTS5) of titles and summaries, for lists with words. Its `rowid` is the list's sort key, so
// matches come in order; its column `filters` has a word per filter.
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/connect.server";
import { pairsOf } from "~/domain/search-words";

/** The index to search. */
export type Searched = "activity" | "session" | "hut";
/** A list's filters. null, empty or absent accepts every row. */
export type Scope = {
  isTemplate?: boolean | undefined;
  /** A subselect only in a list without words. */
  hutId?: number | SQL | null | undefined;
  category?: string | null | undefined;
  difficulty?: number | null | undefined;
  /** The hut of `hutId` is private, so the full-text index has nothing of it (Q-27). */
  isPrivateHut?: boolean | undefined;
  /** For sessions. */
  activityId?: number | SQL | null | undefined;
};
/** Each word is a prefix; a word may have several spellings. */
export type Words = readonly (readonly string[])[];

/** Starts each filter's word. It is a private-use character, so that no typed word matches a filter. */
const MARK = "\ue000";
/** A word that is in no row. */
export const NO_WORD = MARK;

const table = (searched: Searched) => sql.raw(`${searched}_words`);
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;

const hexOf = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const asNumber = (id: number | SQL): number => {
  if (typeof id === "number") return id;
  throw new Error("The full-text index needs the id of its hut.");
};
const filterWordsOf = ({ isTemplate = false, hutId, category, difficulty }: Scope): string[] => [
  `${MARK}t${isTemplate ? 1 : 0}`,
  ...(hutId ? [`${MARK}h${asNumber(hutId)}`] : []),
  ...(category ? [`${MARK}c${hexOf(category)}`] : []),
  ...(difficulty ? [`${MARK}d${difficulty}`] : []),
];

/** The condition that a row of the index is in scope and has a word with each prefix. */
export function matches(searched: Searched, scope: Scope | null, words: Words): SQL {
  const typed = words.map((near) => `(${near.map((word) => `${quoted(word)} *`).join(" OR ")})`);
  const inScope = scope ? `filters : (${filterWordsOf(scope).map(quoted).join(" AND ")}) AND ` : "";
  return sql`${table(searched)} MATCH ${`${inScope}{title summary hut} : (${typed.join(" AND ")})`}`;
}

/** A row or change of a searched table with the pairs of its title; every statement that writes a title goes through it. */
export const withTitlePairs = <Row extends { title?: string }>(row: Row): Row & { titlePairs?: string } =>
  row.title === undefined ? row : { ...row, titlePairs: pairsOf(row.title).join(" ") };

/** Title and summary of the row contain all words: for rows of private huts, which the index leaves out. */
export const textHasWords = (row: string, words: Words): SQL =>
  sql.join(
    words.map((near) => {
      const contains = (word: string) =>
        sql`instr(lower(${sql.raw(`${row}.title || ' ' || ${row}.title_pairs || ' ' || ${row}.summary`)}), ${word.toLowerCase()}) > 0`;
      return sql`(${sql.join(near.map(contains), sql` OR `)})`;
    }),
    sql` AND `,
  );

/** Whether the row with this sort key matches the words; true without words. */
export const hasWords = (searched: Searched, words: Words, key: SQL, row: string): SQL =>
  words.length === 0
    ? sql`TRUE`
    : sql`CASE WHEN ${sql.raw(`${row}.is_private`)} THEN ${textHasWords(row, words)}
      ELSE EXISTS (SELECT 1 FROM ${table(searched)} WHERE ${matches(searched, null, words)} AND ${table(searched)}.rowid = ${key}) END`;

/** Words of the index with one of these prefixes, each with its number of rows. */
export const listWords = (db: Database, searched: Searched, beginnings: readonly string[], limit: number) =>
  db.select({ word: sql<string>`term`.as("word"), rows: sql<number>`doc`.as("rows") }).from(
    sql`(SELECT term, doc FROM json_each(${JSON.stringify(beginnings)}) begun
      CROSS JOIN ${sql.raw(`${searched}_terms`)} ON term >= begun.value AND term < begun.value || char(1114111)
      LIMIT ${limit})`,
  );
