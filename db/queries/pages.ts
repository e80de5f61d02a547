// A page of a list that is sorted by id, newest first: a keyset behind `after`, else an offset.
import { lt, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** `after`: the id of the last row of the page before, from its cursor (C-05). */
export type IdPage = { page: number; perPage: number; after?: string | null | undefined };

/** The rows behind the cursor; every row without one. */
export const behind = (id: SQLiteColumn, { after }: IdPage): SQL | undefined =>
  after ? lt(id, Number(after)) : undefined;

/** Rows to pass over: none behind a cursor. */
export const offsetOf = ({ page, perPage, after }: IdPage): number => (after ? 0 : (page - 1) * perPage);
