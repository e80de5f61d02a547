// Forum posts of sessions and huts.
import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "../accounts/accounts";
import { fitsRow, idColumn, instantColumn, richTextColumns, showsUpload, stampColumns } from "../columns";
import { huts } from "../huts/huts";
import { series } from "../series/series";
import { sessions } from "./sessions";

/** Triggers (triggers.sql): `post_notices_removed`, `post_notices_gone`, `post_of_series_new`. */
export const posts = sqliteTable(
  "posts",
  {
    id: idColumn(),
    sessionId: integer("session_id").references(() => sessions.id, { onDelete: "cascade" }),
    hutId: integer("hut_id").references(() => huts.id, { onDelete: "cascade" }),
    /** The series of its session, copied by triggers, so that the thread of a series is one list (H-12). */
    seriesId: integer("series_id").references(() => series.id, { onDelete: "set null" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    username: text("username").notNull(),
    /** The post that this reply answers. */
    parentId: integer("parent_id"),
    title: text("title").notNull().default(""),
    ...richTextColumns(),
    /** The author's last edit, within 15 minutes of posting. */
    editedAt: instantColumn("edited_at"),
    /** The instant of its removal, after which the row holds no text. */
    removedAt: instantColumn("removed_at"),
    ...stampColumns(),
  },
  (t) => [
    index("posts_with_uploads").on(t.id).where(showsUpload("posts")),
    index("posts_by_session").on(t.sessionId, t.parentId, t.id).where(sql`session_id IS NOT NULL`),
    index("posts_by_hut").on(t.hutId, t.parentId, t.id).where(sql`hut_id IS NOT NULL`),
    index("posts_by_series").on(t.seriesId, t.id).where(sql`series_id IS NOT NULL AND parent_id IS NULL`),
    index("posts_by_user").on(t.userId, t.id),
    index("posts_by_parent").on(t.parentId, t.id).where(sql`parent_id IS NOT NULL`),
    check("post_has_one_place", sql`(${t.sessionId} IS NULL) <> (${t.hutId} IS NULL)`),
    ...fitsRow([t.content, t.contentHtml, t.summary]),
  ],
);
