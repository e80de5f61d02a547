// The index every list is found in (migration 0008). A row of it carries its words and the names of the lists it stands
// in; its `rowid` is its place in their order: newest first for activities and huts, soonest first for open sessions. So a
// list with any filter, with or without words, is one look at the index, and reads the rows it shows.
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/connect.server";

/** Which index. */
export type Searched = "activity" | "session" | "hut";
/** Which list of it. */
export type Scope = {
  isTemplate?: boolean;
  hutId?: number | null | undefined;
  category?: string | null | undefined;
  difficulty?: number | null | undefined;
  /** Of sessions. */
  activityId?: number | null | undefined;
};
/** Each of these words as the beginning of one; a word may stand for several that are near to it. */
export type Words = readonly (readonly string[])[];
export type PageOf = {
  page: number;
  perPage: number;
  /** The place of the row before, which makes any page the next one. */
  after?: string | null | undefined;
  /** How many rows of the index stand before the list's first: they are counted with what a jump passes over. */
  passed?: SQL;
};

/** Begins every name of a list, and no word: no letter anybody types. */
const MARK = "\ue000";
/** A word that no row has. */
export const NO_WORD = MARK;

/** A list's name as the migration writes it: with and without hut, category and difficulty. */
function namesOf({ isTemplate = false, hutId, category, difficulty, activityId }: Scope): string[] {
  const all = `${MARK}t${isTemplate ? 1 : 0}`;
  const narrowed = [
    hutId ? `${MARK}h${hutId}` : "",
    category ? `${MARK}c${hexOf(category)}` : "",
    difficulty ? `${MARK}d${difficulty}` : "",
  ].join("");
  const ofActivity = activityId ? [`${all}${MARK}a${activityId}`] : [];
  return narrowed === "" && ofActivity.length > 0 ? ofActivity : [`${all}${narrowed}`, ...ofActivity];
}
const hexOf = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;

/** What FTS5 looks for. */
function matchOf(names: readonly string[], words: Words): string {
  const lists = `lists : (${names.map(quoted).join(" AND ")})`;
  if (words.length === 0) return lists;
  const each = words.map((near) => `(${near.map((word) => `${quoted(word)} *`).join(" OR ")})`);
  return `${lists} AND {title summary hut} : (${each.join(" AND ")})`;
}

/** Up to here walking over rows costs less than counting blocks. */
const WALKED = 96;
/** A block of the finer kind is a stretch of places, 64 of them make one of the coarser kind. */
const FINE_BITS: Record<Searched, number> = { activity: 6, hut: 6, session: 44 };

const tableOf = (searched: Searched) => sql.raw(`${searched}_search`);
const place = (searched: Searched) => sql.raw(`${searched}_search.rowid`);
const idOf = (searched: Searched) => sql.raw(`${searched}_search.id`);

/**
 * `(place, id)` of the rows of a page and one more, in order, to be joined as `FROM`. Words without `after` walk over the
 * matches before the page: nobody can count ahead what will be typed.
 */
export function selectPlaces(searched: Searched, scope: Scope, words: Words, at: PageOf): SQL {
  const names = namesOf(scope);
  const offset = (at.page - 1) * at.perPage;
  const found = sql`${tableOf(searched)} MATCH ${matchOf(names, words)}`;
  const rows = sql`SELECT ${place(searched)} AS place, ${idOf(searched)} AS id FROM ${tableOf(searched)} WHERE ${found}`;
  const upTo = sql`ORDER BY ${place(searched)} LIMIT ${at.perPage + 1}`;
  if (at.after) return sql`(${rows} AND ${place(searched)} > CAST(${at.after} AS INTEGER) ${upTo})`;
  const [name] = names;
  if (offset <= WALKED || words.length > 0 || names.length > 1 || name === undefined)
    return sql`(${rows} ${upTo} OFFSET ${offset})`;
  const bits = sql.raw(String(FINE_BITS[searched]));
  const ahead = sql`(SELECT n FROM ahead)`;
  return sql`(WITH ahead AS MATERIALIZED (SELECT ${offset} + ${at.passed ?? sql`0`} AS n), ${countBlocks(searched, name, ahead)}
    ${rows} AND ${place(searched)} >= (SELECT block << ${bits} FROM fine)
    ${upTo} OFFSET coalesce(${ahead} - (SELECT before FROM fine), 0))`;
}

/** `fine`: the block row number `ahead` lies in, and how many rows lie before that block. */
function countBlocks(searched: Searched, name: string, ahead: SQL): SQL {
  const terms = sql.raw(`${searched}_terms`);
  const within = (from: SQL, to: SQL, before: SQL) => sql`
    SELECT CAST(substr(term, -8) AS INTEGER) AS block, upto - doc AS before FROM (
      SELECT term, doc, ${before} + sum(doc) OVER (ORDER BY term ROWS UNBOUNDED PRECEDING) AS upto
      FROM ${terms} WHERE term >= ${from} AND term < ${to})
    WHERE upto > ${ahead} LIMIT 1`;
  const fineFrom = (step: number) =>
    sql`${`${name}y`} || printf('%08d', (SELECT block FROM coarse) * 64 + ${sql.raw(String(step))})`;
  return sql`coarse AS MATERIALIZED (${within(sql`${`${name}x`}`, sql`${`${name}y`}`, sql`0`)}),
    fine AS MATERIALIZED (${within(fineFrom(0), fineFrom(64), sql`(SELECT before FROM coarse)`)})`;
}

/** Whether the row at this place stands in a list and has the words; for going through what is one's own. */
export const isListed = (searched: Searched, scope: Scope, words: Words, at: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${tableOf(searched)} WHERE ${tableOf(searched)} MATCH ${matchOf(namesOf(scope), words)} AND ${place(searched)} = ${at})`;

/** The list itself, for a statement that walks it and leaves rows out on its way. */
export const walkPlaces = (searched: Searched, scope: Scope, words: Words, after?: string | null): SQL => {
  const found = sql`${tableOf(searched)} MATCH ${matchOf(namesOf(scope), words)}`;
  return after ? sql`${found} AND ${place(searched)} > CAST(${after} AS INTEGER)` : found;
};

/** How many rows a list has; one row is read. */
export const countList = (db: Database, searched: Searched, scope: Scope) => {
  const [name = ""] = namesOf(scope);
  return db
    .select({ count: sql<number>`sum(doc)`.as("count") })
    .from(
      sql`(SELECT 0 AS doc UNION ALL SELECT doc FROM ${sql.raw(`${searched}_terms`)} WHERE term = ${name})`,
    );
};

/** Words with one of these beginnings, and how many rows have each. */
export const listWords = (db: Database, searched: Searched, beginnings: readonly string[], limit: number) =>
  db.select({ word: sql<string>`term`.as("word"), rows: sql<number>`doc`.as("rows") }).from(
    sql`(SELECT term, doc FROM json_each(${JSON.stringify(beginnings)}) begun
      CROSS JOIN ${sql.raw(`${searched}_terms`)} ON term >= begun.value AND term < begun.value || char(1114111)
      LIMIT ${limit})`,
  );
