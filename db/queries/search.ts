// Conditions and statements on the full-text indexes (FTS5), which lists with words search. An index's `rowid` is the
// list's sort key, so matches come in order; its column `filters` has a word per filter.
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/connect.server";
import { GOAL_STATUS } from "~/domain/goals/goals";
import { indexedWords, titleWordsOf } from "~/domain/search-words";

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
  /** For sessions, without words. */
  seriesId?: SQL | undefined;
};
/** Each word is a prefix; a word may have several spellings, and a spelling several words. */
export type Words = readonly (readonly string[])[];

/** Starts each filter's word. It is a private-use character, so that no typed word matches a filter. */
const WORD_MARK = "\ue000";
/** A word that is in no row. */
export const NO_WORD = WORD_MARK;

const indexOf = (searched: Searched) => sql.raw(`${searched}_words`);
const quote = (word: string) => `"${word.replaceAll('"', '""')}"`;

const hexOf = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const requireNumber = (id: number | SQL): number => {
  if (typeof id === "number") return id;
  throw new Error("The full-text index needs the id of its hut.");
};
const filterWordsOf = ({ isTemplate = false, hutId, category, difficulty }: Scope): string[] => [
  `${WORD_MARK}t${isTemplate ? 1 : 0}`,
  ...(hutId ? [`${WORD_MARK}h${requireNumber(hutId)}`] : []),
  ...(category ? [`${WORD_MARK}c${hexOf(category)}`] : []),
  ...(difficulty ? [`${WORD_MARK}d${difficulty}`] : []),
];

const prefixQueryOf = (spelling: string): string =>
  spelling
    .split(" ")
    .map((word) => `${quote(word)} *`)
    .join(" AND ");
const wordQueryOf = (words: Words): string =>
  words
    .map((spellings) => `(${spellings.map((spelling) => `(${prefixQueryOf(spelling)})`).join(" OR ")})`)
    .join(" AND ");

/** The condition that a row of the index is in scope and has a word with each prefix. */
export function matches(searched: Searched, scope: Scope | null, words: Words): SQL {
  const inScope = scope ? `filters : (${filterWordsOf(scope).map(quote).join(" AND ")}) AND ` : "";
  return sql`${indexOf(searched)} MATCH ${`${inScope}{title summary hut} : (${wordQueryOf(words)})`}`;
}

/** The condition that a row of the index of books has a word with each prefix in its title. */
export const matchesBook = (words: Words): SQL => sql`book_words MATCH ${wordQueryOf(words)}`;

/** Adds the words of the title to a row or change of a searched table; every statement that writes a title uses it. */
export const withTitlePairs = <Row extends { title?: string }>(row: Row): Row & { titlePairs?: string } =>
  row.title === undefined ? row : { ...row, titlePairs: titleWordsOf(row.title).join(" ") };

/** Title and summary of the row contain all words. It serves rows of private huts, which the index leaves out. */
export const textHasWords = (row: string, words: Words): SQL =>
  sql.join(
    words.map((spellings) => {
      const hasWord = (word: string) =>
        sql`instr(lower(${sql.raw(`${row}.title || ' ' || ${row}.title_pairs || ' ' || ${row}.summary`)}), ${word.toLowerCase()}) > 0`;
      const contains = (spelling: string) => sql`(${sql.join(spelling.split(" ").map(hasWord), sql` AND `)})`;
      return sql`(${sql.join(spellings.map(contains), sql` OR `)})`;
    }),
    sql` AND `,
  );

/** Whether the row with this sort key matches the words; true without words. */
export const hasWords = (searched: Searched, words: Words, key: SQL, row: string): SQL =>
  words.length === 0
    ? sql`TRUE`
    : sql`CASE WHEN ${sql.raw(`${row}.is_private`)} THEN ${textHasWords(row, words)}
      ELSE EXISTS (SELECT 1 FROM ${indexOf(searched)} WHERE ${matches(searched, null, words)} AND ${indexOf(searched)}.rowid = ${key}) END`;

// ---- own things: each word of their indexes begins with its owner's id, so that no search reaches those of others

/** The index of a person's own things. */
type OwnThings = "goal" | "note" | "log";

/**
 * The condition that a row of the index has a word with each prefix, and the word `filter`, such as a goal's status.
 */
export function ownMatches(
  ownTable: OwnThings,
  userId: number,
  words: readonly string[],
  filter?: string,
): SQL {
  const ownWordOf = (word: string) => quote(`${WORD_MARK}${userId}${WORD_MARK}${word}`);
  const indexWords = [
    ...words.map((word) => `${ownWordOf(word)} *`),
    ...(filter === undefined ? [] : [ownWordOf(`${WORD_MARK}${filter}`)]),
  ];
  const table = sql.raw(`${ownTable}_words`);
  return sql`${table} MATCH ${words.length > 0 ? indexWords.join(" AND ") : quote(NO_WORD)}`;
}

/** Selects the ids of the user's notes or logs with all words, newest first, below the id `before`. */
export const listOwnIds = (
  ownTable: "note" | "log",
  userId: number,
  words: readonly string[],
  { before, limit, offset = 0 }: { before?: number | undefined; limit: number; offset?: number },
): SQL => {
  // A row's key is its id or up to 999 more (search.sql).
  const isBehind = before === undefined ? sql`` : sql`AND rowid < ${before} + 999 AND id < ${before}`;
  return sql`SELECT id FROM ${sql.raw(`${ownTable}_words`)} WHERE ${ownMatches(ownTable, userId, words)} ${isBehind} ORDER BY rowid DESC LIMIT ${limit} OFFSET ${offset}`;
};

/** Selects the ids of the user's goals with all words: at most `limit` of each status, newest first. */
export const listOwnGoalIds = (
  userId: number,
  words: readonly string[],
  limit: SQL | number,
  onlyStatus: 1 | 2 | null = null,
): SQL => {
  const selectOfStatus = (status: number) =>
    sql`SELECT id FROM (SELECT rowid AS id FROM goal_words WHERE ${ownMatches("goal", userId, words, `s${status}`)} ORDER BY rowid DESC LIMIT ${limit})`;
  const statuses = onlyStatus === null ? Object.values(GOAL_STATUS) : [onlyStatus];
  return sql.join(statuses.map(selectOfStatus), sql` UNION ALL `);
};

/** The value of the column that the index of notes and logs contains. */
export const searchTextOf = (row: { title: string; content: string; todo?: string; done?: string }): string =>
  indexedWords(row.title, row.content, row.todo ?? "", row.done ?? "");

/** Words of the index with one of these prefixes, each with its number of rows. */
export const listWords = (db: Database, searched: Searched, prefixes: readonly string[], limit: number) =>
  db.select({ word: sql<string>`term`.as("word"), rows: sql<number>`doc`.as("rows") }).from(
    sql`(SELECT term, doc FROM json_each(${JSON.stringify(prefixes)}) begun
      CROSS JOIN ${sql.raw(`${searched}_terms`)} ON term >= begun.value AND term < begun.value || char(1114111)
      LIMIT ${limit})`,
  );
