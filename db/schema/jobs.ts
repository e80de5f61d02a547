// Tables of background jobs: the marks of their progress, and the rows that failed.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instantColumn } from "./columns";

/** Marks by name, such as how far a cron job that takes several runs has come. */
export const cronMarks = sqliteTable("cron_marks", {
  job: text("job").primaryKey(),
  mark: text("mark").notNull(),
});

/** Rows of jobs that failed, by job and row, for super admins. The migration makes it WITHOUT ROWID by hand. */
export const failedRows = sqliteTable(
  "failed_rows",
  {
    job: text("job").notNull(),
    row: text("row").notNull(),
    tries: integer("tries").notNull().default(1),
    reason: text("reason").notNull(),
    at: instantColumn("at").notNull(),
  },
  (t) => [
    primaryKey({ name: "one_failure_per_row", columns: [t.job, t.row] }),
    index("failed_rows_newest").on(t.at),
  ],
);
