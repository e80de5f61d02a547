// Paging of lists: by keyset after a cursor where the list is sorted by id, otherwise by offset.
import { lt, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

export type NumberPage = { page: number; perPage: number };
/** `after`: the id of the last row of the previous page, from its cursor (C-05). */
export type IdPage = NumberPage & { after?: string | null | undefined };

/** The condition of rows after the cursor; undefined without a cursor. */
export const isAfterCursor = (id: SQLiteColumn, { after }: IdPage): SQL | undefined =>
  after ? lt(id, Number(after)) : undefined;

/** The rows to skip; zero with a cursor. */
export const offsetOf = ({ page, perPage, after }: IdPage): number => (after ? 0 : (page - 1) * perPage);
