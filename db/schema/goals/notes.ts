// Planning notes. Lists of them are sorted by id, newest first; WITHOUT ROWID.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../accounts/accounts";
import { fitsRow, richTextColumns, showsUpload, stampColumns } from "../columns";
import { goals } from "./goals";

/** Triggers (triggers.sql): `note_search_new`, `note_search_changed`, `note_search_gone`. */
export const notes = sqliteTable(
  "notes",
  {
    id: integer("id").notNull(),
    /** From the client, so that a retry makes no second note. */
    uuid: text("uuid"),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    goalId: integer("goal_id").references(() => goals.id, { onDelete: "cascade" }),
    title: text("title").notNull().default(""),
    ...richTextColumns(),
    todo: text("todo").notNull().default(""),
    done: text("done").notNull().default(""),
    /** The folded words of its texts, for the search. */
    searchText: text("search_text").notNull().default(""),
    ...stampColumns(),
  },
  (t) => [
    primaryKey({ name: "notes_in_order", columns: [t.userId, t.id] }),
    index("notes_with_uploads").on(t.id).where(showsUpload("notes")),
    uniqueIndex("note_uuid_unique").on(t.uuid),
    index("notes_by_goal").on(t.goalId, t.id).where(sql`goal_id IS NOT NULL`),
    ...fitsRow([t.content, t.contentHtml, t.summary], { todo: t.todo, done: t.done }),
  ],
);
