// A list with pages: its search, its rows or the empty state, and the links to other pages (C-05, U-27).
import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import type { DrawingName } from "~/components/pictures/drawing";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { type PageOf, shownRows } from "~/domain/list-pages";
import { isFiltered } from "./is-filtered";

type Props<Row> = {
  /** Without `after` its pages have numbers only. */
  list: Pick<PageOf<Row>, "rows" | "page" | "perPage"> & Partial<PageOf<Row>>;
  /** The form above the rows; a short list has none. */
  search?: ReactNode;
  /** The parameters of the address that leave rows out. */
  filters?: readonly string[];
  drawing: DrawingName;
  /** The sentence if the filters leave no row. */
  noMatch?: string;
  /** The sentences of an empty list, and what to do; null shows nothing. */
  empty: { text: ReactNode; action?: ReactNode } | null;
  children: (rows: Row[]) => ReactNode;
};

const MIN_ROWS_FOR_SEARCH = 4;

export function PagedList<Row>(props: Props<Row>) {
  const { list, search, filters = ["q"], drawing, noMatch, empty, children } = props;
  const [query] = useSearchParams();
  const rows = shownRows(list.rows, list);
  const hasFilter = isFiltered(query, ...filters);
  const emptyState = hasFilter && noMatch ? { text: <p>{noMatch}</p>, action: null } : empty;
  return (
    <>
      {(rows.length >= MIN_ROWS_FOR_SEARCH || list.page > 1 || hasFilter) && search}
      {rows.length > 0
        ? children(rows)
        : emptyState && (
            <EmptyState drawing={drawing} action={emptyState.action}>
              {emptyState.text}
            </EmptyState>
          )}
      <Pagination page={list.page} hasNext={list.rows.length > list.perPage} after={list.after ?? null} />
    </>
  );
}
