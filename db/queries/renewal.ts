// Reads stored texts page by page, and writes them again where they change. Each write may be repeated.
import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Database, type Statement, schema } from "#db/connect.server";
import { withTitlePairs, searchTextOf as wordsOfTexts } from "#db/queries/search";

export type Row = Record<string, unknown>;

const {
  users,
  persons,
  passkeys,
  activities,
  goals,
  goalTags,
  huts,
  items,
  paraphrases,
  logs,
  notes,
  posts,
} = schema;
const { series, sessions, sessionTotals, contributions } = schema;

/** The one-line columns of a table, and its JSON with titles within. `needed`: never empty. */
type Lines = {
  table: SQLiteTable;
  lines: readonly string[];
  needed?: readonly string[];
  json?: readonly string[];
};
export const LINES: readonly Lines[] = [
  { table: users, lines: ["firstName", "lastName"] },
  { table: persons, lines: ["title"] },
  { table: passkeys, lines: ["name"], needed: ["name"] },
  { table: activities, lines: ["title"], needed: ["title"], json: ["schedule"] },
  {
    table: goals,
    lines: ["title", "link", "action", "unit"],
    needed: ["title"],
    json: ["timers", "items", "quickLogButtons", "sharedTags"],
  },
  { table: goalTags, lines: ["tag"] },
  { table: huts, lines: ["title"], needed: ["title"] },
  { table: items, lines: ["title", "url", "type"], needed: ["title"] },
  { table: paraphrases, lines: ["title"] },
  { table: logs, lines: ["title", "action"] },
  { table: notes, lines: ["title"] },
  { table: posts, lines: ["title"] },
  { table: series, lines: ["title"], needed: ["title"], json: ["template"] },
  {
    table: sessions,
    lines: ["title", "donationLink", "meetingLink", "joinCode"],
    needed: ["title"],
    json: ["schedule"],
  },
  { table: sessionTotals, lines: ["action"] },
];

/** The tables with rendered Markdown. */
export const TEXTS: readonly SQLiteTable[] = [
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

export const WITH_OWN_SUMMARY: SQLiteTable = sessions;
export const GOALS: SQLiteTable = goals;
/** Own things whose texts are searched, beside goals. */
export const OWN = [
  { table: notes, texts: ["title", "content", "todo", "done"] },
  { table: logs, texts: ["title", "content"] },
] as const satisfies readonly { table: SQLiteTable; texts: readonly string[] }[];

export const searchTextOf = (row: Row): string => wordsOfTexts(row as Parameters<typeof wordsOfTexts>[0]);

/** The primary key, as names of properties. */
export function keyOf(table: SQLiteTable): string[] {
  const columns = Object.entries(getTableColumns(table));
  const composed = getTableConfig(table).primaryKeys.flatMap((key) => key.columns);
  const inKey = (column: SQLiteColumn) => column.primary || composed.some(({ name }) => name === column.name);
  const key = columns.filter(([, column]) => inKey(column as SQLiteColumn));
  const order = composed.map(({ name }) => name);
  return key.sort(([, a], [, b]) => order.indexOf(a.name) - order.indexOf(b.name)).map(([name]) => name);
}

const columnOf = (table: SQLiteTable, name: string): SQLiteColumn => {
  const column = (getTableColumns(table) as Record<string, SQLiteColumn>)[name];
  if (!column) throw new Error(`There is no column ${name}.`);
  return column;
};

/** The next rows behind the key `after`, in the order of the key. */
export function listRows(
  db: Database,
  table: SQLiteTable,
  names: readonly string[],
  after: readonly unknown[] | null,
  limit: number,
) {
  const key = keyOf(table);
  const columns = Object.fromEntries([...key, ...names].map((name) => [name, columnOf(table, name)]));
  const keys = sql.join(
    key.map((name) => sql`${columnOf(table, name)}`),
    sql`, `,
  );
  const values = sql.join(
    (after ?? []).map((value) => sql`${value}`),
    sql`, `,
  );
  return db
    .select(columns)
    .from(table)
    .where(after ? sql`(${keys}) > (${values})` : undefined)
    .orderBy(...key.map((name) => asc(columnOf(table, name))))
    .limit(limit);
}

/**
 * Writes `changed` into the row, unless somebody has written these columns since it was read. The pairs of a title that
 * is searched follow it. A row whose key changes gives way to one that exists.
 */
export function renewRow(db: Database, table: SQLiteTable, row: Row, changed: Row): Statement[] {
  const key = keyOf(table);
  const isSame = [...key, ...Object.keys(changed)].map((name) => eq(columnOf(table, name), row[name]));
  const where = and(...isSame);
  if (table === goalTags)
    return [
      ...(changed.tag === ""
        ? []
        : [
            db
              .insert(goalTags)
              .values({ ...row, ...changed } as never)
              .onConflictDoNothing(),
          ]),
      db.delete(goalTags).where(where),
    ];
  const isSearched = "titlePairs" in getTableColumns(table);
  const set = isSearched ? withTitlePairs(changed as { title?: string }) : changed;
  return [
    db
      .update(table)
      .set(set as never)
      .where(where),
  ];
}

export const listTags = (db: Database, goalIds: readonly number[]) =>
  db
    .select({ goalId: goalTags.goalId, tag: goalTags.tag })
    .from(goalTags)
    .where(sql`${goalTags.goalId} IN (SELECT value FROM json_each(${JSON.stringify(goalIds)}))`);
