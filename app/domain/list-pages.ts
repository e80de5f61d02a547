// Pages of a list and the cursors between them (C-05). Without zod, because browsers import it.

/** A page of a list. A row beyond `perPage` indicates a next page (C-05). */
export type PageOf<Row> = {
  rows: Row[];
  page: number;
  perPage: number;
  /** The cursor of the next page; null on the last page. */
  after: string | null;
};

/** The requested page of a list: its number, and the cursor of the previous page. */
export type PageQuery = { page: number; after?: string | undefined };

/**
 * The sort key in `page~key`. A cursor is valid only for its own page, so a stale URL falls back to the page number.
 */
export const cursorOf = ({ after = "", page }: PageQuery): string | null => {
  const [, ofPage, key] = /^(\d+)~(\d{1,19})$/.exec(after) ?? [];
  return key !== undefined && Number(ofPage) === page ? key : null;
};

/** The cursor of the first page that begins with this row, in a list sorted by id. */
export const cursorAt = (id: number): string => `1~${id + 1}`;

/** `rows` as a page; `keyOf` returns the sort key of a row. */
export function pageOfList<Row>(
  rows: Row[],
  { page }: PageQuery,
  perPage: number,
  keyOf: (row: Row) => string | number,
): PageOf<Row> {
  const last = rows.length > perPage ? rows[perPage - 1] : undefined;
  return { rows, page, perPage, after: last === undefined ? null : `${page + 1}~${keyOf(last)}` };
}

/** The page fields of rows sorted by id. */
export const pagedById = (rows: readonly { id: number }[], query: { page: number; perPage: number }) => {
  const { page, perPage, after } = pageOfList([...rows], query, query.perPage, ({ id }) => id);
  return { page, perPage, after, hasNext: after !== null };
};

/** The rows of a page, without the extra one. */
export const shownRows = <Row>(rows: Row[], { perPage }: { perPage: number }): Row[] =>
  rows.slice(0, perPage);
