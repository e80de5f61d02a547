// Column types that all tables share, so that units are in one place.
import { type SQL, sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, customType, integer, text } from "drizzle-orm/sqlite-core";
import { readDistances, writeDistances } from "~/domain/distance-json";
import { logLine } from "~/domain/log-line";
import { ROW_BYTES } from "~/domain/row-size";
import { type Instant, isReadable, type Millis, type Seconds } from "~/domain/time";

/**
 * Epoch milliseconds, UTC. A value outside the range of dates is logged and reads as null, so that it breaks no list.
 */
export const instantColumn = (name: string) =>
  customType<{ data: Instant; driverData: number }>({
    dataType: () => "integer",
    fromDriver(value) {
      if (isReadable(value)) return value as Instant;
      console.error(logLine({ event: "unreadable-instant", column: name, value }));
      return null as unknown as Instant;
    },
  })(name);
/** Whole seconds: planned spans. */
export const secondsColumn = (name: string) => integer(name).$type<Seconds>();
/** Milliseconds: measured spans. */
export const millisColumn = (name: string) => integer(name).$type<Millis>();
export const flagColumn = (name: string) => integer(name, { mode: "boolean" }).notNull().default(false);
/** Decimals with three places, stored as whole thousandths so that sums are exact (V-12). */
export const thousandthsColumn = (name: string) => integer(name);
/** Whole millimetres, so that sums are exact (H-07). */
export const millimetresColumn = (name: string) => integer(name);
/** JSON with distances, in the form that the last release reads too (H-07). */
export const distancesColumn = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => "text",
    toDriver: writeDistances,
    fromDriver: (json) => readDistances(json) as T,
  })(name);
export const jsonColumn = <T>(name: string) => text(name, { mode: "json" }).$type<T>();
/** Identifies the seat of a hidden person in requests. It begins with `~` and 16 hexadecimal digits follow. */
export const handleColumn = () => text("handle").$defaultFn(() => sql`'~' || lower(hex(randomblob(8)))`);
/** The person as whom the user has the row; null in a row that the last release inserted. */
export const personColumn = () => integer("person_id");
export const idColumn = () => integer("id").primaryKey({ autoIncrement: true });
/**
 * The id of a row that belongs to a user: the instant in microseconds, or the user's last id + 1. Such a table is
 * keyed by user and id (WITHOUT ROWID), so that the key is also the list of the user's rows.
 */
export const nextOwnId = (table: "logs" | "notes", userId: number, now: Instant): SQL =>
  sql`max(${now} * 1000, coalesce((SELECT max(id) FROM ${sql.raw(table)} WHERE user_id = ${userId}), 0) + 1)`;

/** A status or role in a statement. It is no parameter, so that a partial index with the same condition serves. */
export const literal = (code: number): SQL => sql.raw(String(code));

/** Rich text: the Markdown as typed, its sanitised HTML (rendered on write), and its plain text (D-01). */
export const richTextColumns = () => ({
  content: text("content").notNull().default(""),
  contentHtml: text("content_html").notNull().default(""),
  summary: text("summary").notNull().default(""),
});
/**
 * The CHECKs that bound the bytes of a row's texts. The one that fails names the column with more than half of
 * them, otherwise `content`.
 */
export function fitsRow(texts: readonly AnySQLiteColumn[], others: Record<string, AnySQLiteColumn> = {}) {
  const bytesOf = (column: AnySQLiteColumn) => sql`octet_length(${column})`;
  const rowBytes = sql.join([...texts, ...Object.values(others)].map(bytesOf), sql` + `);
  const fits = sql`${rowBytes} <= ${sql.raw(String(ROW_BYTES))}`;
  const isMoreThanHalf = (column: AnySQLiteColumn) => sql`${bytesOf(column)} * 2 > ${rowBytes}`;
  const isOtherColumnLargest = Object.values(others).map((column) => sql` OR ${isMoreThanHalf(column)}`);
  return [
    check("row_fits_content", sql.join([fits, ...isOtherColumnLargest])),
    ...Object.entries(others).map(([name, column]) =>
      check(`row_fits_${name}`, sql`${fits} OR NOT ${isMoreThanHalf(column)}`),
    ),
  ];
}
/** The overlapping pairs of letters in a title and its folded words (`titleWordsOf`), for the full-text search. */
export const titlePairsColumn = () => text("title_pairs").notNull().default("");

/** The columns that may show an uploaded image; each table has a small index of the rows that do. */
export const UPLOAD_TEXTS = {
  activities: "content || schedule",
  contributions: "content",
  goals: "content || link || items || quick_log_buttons",
  huts: "content",
  items: "content || url",
  logs: "content",
  notes: "content || todo || done",
  paraphrases: "content",
  posts: "content",
  series: "template",
  sessions: "content || prompt || schedule",
} as const;
export const showsUpload = (table: keyof typeof UPLOAD_TEXTS) =>
  sql.raw(`instr(${UPLOAD_TEXTS[table]}, '/uploads/') > 0`);

export const stampColumns = () => ({
  createdAt: instantColumn("created_at").notNull(),
  updatedAt: instantColumn("updated_at").notNull(),
});
