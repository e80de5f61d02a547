// The one way to insert the rows of a SELECT: by the names of the columns.
import { getTableColumns, is, type Param, SQL, sql } from "drizzle-orm";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/connect.server";

/**
 * Inserts a row for each row of `from`, which begins with FROM or WHERE. The type asks for each column without a
 * default; a column that is left out gets its default, or NULL.
 */
export const insertFrom = <Table extends SQLiteTable>(
  db: Database,
  table: Table,
  row: SQLiteInsertValue<Table>,
  from: SQL,
) => db.insert(table).select(sql`SELECT ${sql.join(valuesOf(table, row), sql`, `)} ${from}`);

/** The values in the table's order, in which Drizzle names the columns of an `INSERT … SELECT`. */
function valuesOf<Table extends SQLiteTable>(table: Table, row: SQLiteInsertValue<Table>): (SQL | Param)[] {
  return Object.entries(getTableColumns(table))
    .filter(([, column]) => column.generated === undefined)
    .map(([name, column]) => {
      const rowValue: unknown = row[name as keyof typeof row];
      const value = rowValue === undefined ? (column.default ?? column.defaultFn?.() ?? null) : rowValue;
      return is(value, SQL) ? value : value === null ? sql`NULL` : sql.param(value, column);
    });
}
