// View links: people with a link's code see the stage of a session or series that they could not see otherwise (J-10).
import { sql } from "drizzle-orm";
import { check, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { instantColumn } from "../columns";
import { series } from "../series/series";
import { sessions } from "./sessions";

/** At most one link for each session or series; WITHOUT ROWID. */
export const viewLinks = sqliteTable(
  "view_links",
  {
    /** SHA-256 of the code in the link's fragment. */
    codeHash: text("code_hash").primaryKey(),
    sessionId: integer("session_id").references(() => sessions.id, { onDelete: "cascade" }),
    seriesId: integer("series_id").references(() => series.id, { onDelete: "cascade" }),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("one_view_link_per_session").on(t.sessionId).where(sql`session_id IS NOT NULL`),
    uniqueIndex("one_view_link_per_series").on(t.seriesId).where(sql`series_id IS NOT NULL`),
    check("view_link_of_one_thing", sql`(${t.sessionId} IS NULL) <> (${t.seriesId} IS NULL)`),
  ],
);
