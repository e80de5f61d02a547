// Planning notes. As logs, each carries its place in the lists it stands in.
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";
import { idColumn, richTextColumns, stampColumns } from "./columns";
import { goals } from "./goals";

export const notes = sqliteTable(
  "notes",
  {
    id: idColumn(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    goalId: integer("goal_id").references(() => goals.id, { onDelete: "cascade" }),
    title: text("title").notNull().default(""),
    ...richTextColumns(),
    todo: text("todo").notNull().default(""),
    done: text("done").notNull().default(""),
    userPlace: integer("user_place").notNull().default(0),
    goalPlace: integer("goal_place"),
    ...stampColumns(),
  },
  (t) => [index("notes_by_user").on(t.userId, t.userPlace), index("notes_by_goal").on(t.goalId, t.goalPlace)],
);
