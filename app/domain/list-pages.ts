// Pages of a list and the cursors between them (C-05); free of zod, for the browser.

/** A page of a list: one row more than `perPage` says that there is a next page (C-05). */
export type Listed<Row> = {
  rows: Row[];
  page: number;
  perPage: number;
  /** The cursor of the next page; null on the last page. */
  after: string | null;
};

/** A page that an address asks for: its number, and where the page before ended. */
export type PageQuery = { page: number; after?: string | undefined };

/** The sort key in `page~key`. A cursor counts for its own page only, so a stale address falls back to the number. */
export const cursorOf = ({ after = "", page }: PageQuery): string | null => {
  const [, ofPage, key] = /^(\d+)~(\d{1,19})$/.exec(after) ?? [];
  return key !== undefined && Number(ofPage) === page ? key : null;
};

/** `rows` as a page, where `keyOf` gives the key they are sorted by. */
export function listed<Row>(
  rows: Row[],
  { page }: PageQuery,
  perPage: number,
  keyOf: (row: Row) => string | number,
): Listed<Row> {
  const last = rows.length > perPage ? rows[perPage - 1] : undefined;
  return { rows, page, perPage, after: last === undefined ? null : `${page + 1}~${keyOf(last)}` };
}

/** What a page says of itself, for rows that are sorted by id. */
export const pagedById = (rows: readonly { id: number }[], at: { page: number; perPage: number }) => {
  const { page, perPage, after } = listed([...rows], at, at.perPage, ({ id }) => id);
  return { page, perPage, after, hasNext: after !== null };
};

/** The rows a page shows. */
export const shownRows = <Row>(rows: Row[], { perPage }: { perPage: number }): Row[] =>
  rows.slice(0, perPage);
