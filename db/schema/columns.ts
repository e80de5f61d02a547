// The column kinds every table shares, so that units are in one place.
import { integer, text } from "drizzle-orm/sqlite-core";
import type { Instant, Millis, Seconds } from "~/domain/time";

/** Epoch milliseconds, UTC. */
export const instantColumn = (name: string) => integer(name).$type<Instant>();
/** Whole seconds: planned spans. */
export const secondsColumn = (name: string) => integer(name).$type<Seconds>();
/** Milliseconds: measured spans. */
export const millisColumn = (name: string) => integer(name).$type<Millis>();
export const flagColumn = (name: string) => integer(name, { mode: "boolean" }).notNull().default(false);
/** Decimals with three places, kept as whole thousandths so that sums are exact (V-12). */
export const thousandthsColumn = (name: string) => integer(name);
export const jsonColumn = <T>(name: string) => text(name, { mode: "json" }).$type<T>();
export const idColumn = () => integer("id").primaryKey({ autoIncrement: true });

/** Rich text: Markdown as written, HTML sanitised once on write, and plain text (D-01). */
export const richTextColumns = () => ({
  content: text("content").notNull().default(""),
  contentHtml: text("content_html").notNull().default(""),
  summary: text("summary").notNull().default(""),
});
export const stampColumns = () => ({
  createdAt: instantColumn("created_at").notNull(),
  updatedAt: instantColumn("updated_at").notNull(),
});
