// Statements that read stored Markdown page by page and write the HTML rendered from it; use cases run them, and
// each write is idempotent.
import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Database, schema } from "#db/connect.server";

export type Row = Record<string, unknown>;

const { activities, contributions, goals, goalTags, huts, items, logs, notes } = schema;
const { paraphrases, posts, sessions } = schema;

/** The tables with rendered Markdown. */
export const TABLES_WITH_TEXTS: readonly SQLiteTable[] = [
  activities,
  contributions,
  goals,
  huts,
  items,
  logs,
  notes,
  paraphrases,
  posts,
  sessions,
];

/** True where the renderer writes the summary. People write the summary of a session (C-65). */
export const hasRenderedSummary = (table: SQLiteTable): boolean =>
  "summary" in getTableColumns(table) && table !== sessions;

/** Goals are searched by their summary. */
export const isSearchedBySummary = (table: SQLiteTable): boolean => table === goals;

const columnOf = (table: SQLiteTable, name: string): SQLiteColumn => {
  const column = (getTableColumns(table) as Record<string, SQLiteColumn>)[name];
  if (!column) throw new Error(`There is no column ${name}.`);
  return column;
};

/** The primary key, as names of properties. */
function keyNamesOf(table: SQLiteTable): string[] {
  const names = new Map(Object.entries(getTableColumns(table)).map(([name, column]) => [column, name]));
  const [composed] = getTableConfig(table).primaryKeys;
  const columns = composed?.columns ?? getTableConfig(table).columns.filter(({ primary }) => primary);
  return columns.map((column) => names.get(column) ?? column.name);
}
export const keyValuesOf = (table: SQLiteTable, row: Row): unknown[] =>
  keyNamesOf(table).map((name) => row[name]);

/** The next rows after the key `after`, in the order of the key. */
export function listTexts(db: Database, table: SQLiteTable, after: readonly unknown[], limit: number) {
  const key = keyNamesOf(table);
  const names = [
    ...key,
    "content",
    "contentHtml",
    ...(hasRenderedSummary(table) ? ["summary"] : []),
    ...(isSearchedBySummary(table) ? ["title", "unit"] : []),
  ];
  const keys = sql.join(
    key.map((name) => sql`${columnOf(table, name)}`),
    sql`, `,
  );
  const values = sql.join(
    after.map((value) => sql`${value}`),
    sql`, `,
  );
  return db
    .select(Object.fromEntries(names.map((name) => [name, columnOf(table, name)])))
    .from(table)
    .where(after.length > 0 ? sql`(${keys}) > (${values})` : undefined)
    .orderBy(...key.map((name) => asc(columnOf(table, name))))
    .limit(limit);
}

/** Writes `rendered` into the row, unless somebody has written its text since it was read. */
export const replaceRendered = (db: Database, table: SQLiteTable, row: Row, rendered: Row) =>
  db
    .update(table)
    .set(rendered)
    .where(
      and(
        ...[...keyNamesOf(table), "content", "contentHtml"].map((name) =>
          eq(columnOf(table, name), row[name]),
        ),
      ),
    );

export const listTags = (db: Database, goalId: number) =>
  db.select({ tag: goalTags.tag }).from(goalTags).where(eq(goalTags.goalId, goalId));
