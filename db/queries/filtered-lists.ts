// Selects the pages of filtered lists. Each combination of filters has an index that ends in the sort key, so that a
// page reads only the rows it shows.
import { and, type SQL, sql } from "drizzle-orm";
import type { Viewer } from "#db/queries/visibility";
import { matches, type Scope, type Searched, textHasWords, type Words } from "./search";
import { isPublic, isVisible, type VisibleTable } from "./visibility";

export type PageRequest = {
  page: number;
  perPage: number;
  /** The sort key of the last row of the previous page. */
  after?: string | null | undefined;
};

/** A table with a list: its sort key, and the condition of a listed row. */
export type ListedTable = {
  searched: Searched;
  table: VisibleTable;
  /** The column that the list is sorted by; the full-text index has it as `rowid`. */
  key: string;
  order: "ASC" | "DESC";
  isListed: SQL;
};

/** The conditions that a scope's filters put on a row `t`. */
export const inScope = ({
  isTemplate = false,
  hutId,
  category,
  difficulty,
  activityId,
  seriesId,
}: Scope): SQL[] => [
  sql`t.is_template = ${isTemplate ? 1 : 0}`,
  ...(hutId ? [sql`t.hut_id = ${hutId}`] : []),
  ...(category ? [sql`t.category = ${category}`] : []),
  ...(difficulty ? [sql`t.difficulty = ${difficulty}`] : []),
  ...(activityId ? [sql`t.activity_id = ${activityId}`] : []),
  ...(seriesId ? [sql`t.series_id = ${seriesId}`] : []),
];

/** The condition of rows after the cursor, in this order. */
export const isAfterKey = (key: SQL, { after }: PageRequest, order: "ASC" | "DESC"): SQL[] =>
  after ? [sql`${key} ${sql.raw(order === "ASC" ? ">" : "<")} CAST(${after} AS INTEGER)`] : [];
export const limitToPage = ({ page, perPage, after }: PageRequest): SQL =>
  sql`LIMIT ${perPage + 1} OFFSET ${after ? 0 : (page - 1) * perPage}`;

/**
 * Selects the `(key, id)` rows of a page and one row more (C-05), in order, as a subselect to join. A list of a hut, an
 * activity or a series contains the rows that `viewer` sees, any other list the rows that everybody sees (Q-27).
 */
export function selectKeys(
  list: ListedTable,
  scope: Scope | null,
  words: Words,
  pageRequest: PageRequest,
  viewer: Viewer,
): SQL {
  const order = sql.raw(list.order);
  // `NOT` instead of an equality, which would lead the planner to the index of the list without a hut.
  const isVisibleToViewer = viewer === 0 ? sql`NOT t.is_private` : isVisible(list.table, "t", viewer);
  const isVisibleInList =
    scope?.hutId || scope?.activityId || scope?.seriesId ? isVisibleToViewer : isPublic("t");
  // The full-text index contains nothing of a private hut.
  if (words.length > 0 && !scope?.isPrivateHut) {
    const key = sql.raw(`${list.searched}_words.rowid`);
    const isMatching = matches(list.searched, scope, words);
    const conditions = and(
      isMatching,
      list.isListed,
      isVisibleInList,
      ...isAfterKey(key, pageRequest, list.order),
    );
    return sql`(SELECT ${key} AS key, t.id AS id
      FROM ${sql.raw(`${list.searched}_words`)} CROSS JOIN ${sql.raw(list.table)} t ON t.id = ${sql.raw(`${list.searched}_words.id`)}
      WHERE ${conditions} ORDER BY 1 ${order} ${limitToPage(pageRequest)})`;
  }
  const key = sql.raw(`t.${list.key}`);
  const matchingWords = words.length > 0 ? [textHasWords("t", words)] : [];
  const conditions = and(
    ...(scope ? inScope(scope) : []),
    list.isListed,
    isVisibleInList,
    ...matchingWords,
    ...isAfterKey(key, pageRequest, list.order),
  );
  return sql`(SELECT ${key} AS key, t.id AS id FROM ${sql.raw(list.table)} t WHERE ${conditions} ORDER BY 1 ${order} ${limitToPage(pageRequest)})`;
}
