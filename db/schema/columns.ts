// Column types that all tables share, so that units are in one place.
import { type SQL, sql } from "drizzle-orm";
import { customType, integer, text } from "drizzle-orm/sqlite-core";
import { type Instant, isReadable, type Millis, type Seconds } from "~/domain/time";

/**
 * Epoch milliseconds, UTC. A value outside the range of dates is logged and reads as null, so that it breaks no list.
 */
export const instantColumn = (name: string) =>
  customType<{ data: Instant; driverData: number }>({
    dataType: () => "integer",
    fromDriver(value) {
      if (isReadable(value)) return value as Instant;
      console.error(JSON.stringify({ event: "unreadable-instant", column: name, value }));
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
export const jsonColumn = <T>(name: string) => text(name, { mode: "json" }).$type<T>();
export const idColumn = () => integer("id").primaryKey({ autoIncrement: true });
/** The first ledger entry that paid for a row. After the row's deletion that entry refuses its uuid. */
export const entryColumn = () => integer("entry_id");
/** The id of the entry that this batch writes next for the user. */
export const nextEntryId = (userId: number): SQL =>
  sql`(SELECT coalesce(max(id), 0) + 1 FROM token_entries WHERE user_id = ${userId})`;
/**
 * The id of a row that belongs to a user: the instant in microseconds, or the user's last id + 1. Such a table is
 * keyed by user and id (WITHOUT ROWID), so that the key is also the list of the user's rows.
 */
export const nextOwnId = (table: "logs" | "notes", userId: number, now: Instant): SQL =>
  sql`max(${now} * 1000, coalesce((SELECT max(id) FROM ${sql.raw(table)} WHERE user_id = ${userId}), 0) + 1)`;

/** Rich text: the Markdown as typed, its sanitised HTML (rendered on write), and its plain text (D-01). */
export const richTextColumns = () => ({
  content: text("content").notNull().default(""),
  contentHtml: text("content_html").notNull().default(""),
  summary: text("summary").notNull().default(""),
});
/** The columns that may show an uploaded image; each table has a small index of the rows that do. */
export const UPLOAD_TEXTS = {
  activities: "content || schedule",
  contributions: "content",
  goals: "content || link",
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
