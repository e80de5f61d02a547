// Places in lists: every row of a long list carries its number, 1 for the oldest, without a gap. So page 800 is found
// as fast as page 1, and reads the rows it shows. A new row takes the next place; a deleted one moves the newer down.
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** A list inside a table: whose it is, and the column of the places. The index (owner, place) serves it. */
export type PlacedList = { owner: SQLiteColumn; place: SQLiteColumn };

const nameOf = (column: SQLiteColumn) => sql.identifier(column.name);

/** The place of a row that is inserted now; one index seek. */
export const nextPlace = ({ owner, place }: PlacedList, ownerId: number | null): SQL<number> | null =>
  ownerId === null
    ? null
    : sql`(SELECT coalesce(max(${nameOf(place)}), 0) + 1 FROM ${owner.table} WHERE ${nameOf(owner)} = ${ownerId})`;

/** The rows of page `page`, newest first, and one more, so that a next page is known (C-05). Order by place, descending. */
export const onPage = (list: PlacedList, ownerId: number, page: number, perPage: number): SQL => {
  const { owner, place } = list;
  return sql`${owner} = ${ownerId} AND ${place} <= (SELECT max(${nameOf(place)}) FROM ${owner.table} WHERE ${nameOf(owner)} = ${ownerId}) - ${(page - 1) * perPage}`;
};

/** The rows newer than row `id` of its list: those that move down when it goes. */
export const newerThan = ({ owner, place }: PlacedList, id: number): SQL => {
  const ofRow = (column: SQLiteColumn) =>
    sql`(SELECT ${nameOf(column)} FROM ${owner.table} WHERE id = ${id})`;
  return sql`${nameOf(owner)} = ${ofRow(owner)} AND ${nameOf(place)} > ${ofRow(place)}`;
};
