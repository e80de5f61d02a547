// Progress logs. Lists of them are sorted by id, newest first; WITHOUT ROWID.
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { millis } from "~/domain/time";
import { users } from "../accounts/accounts";
import {
  fitsRow,
  flagColumn,
  instantColumn,
  millimetresColumn,
  millisColumn,
  richTextColumns,
  secondsColumn,
  showsUpload,
  stampColumns,
  thousandthsColumn,
} from "../columns";
import { goals } from "./goals";

/**
 * Triggers (triggers.sql): `log_mark_changed`, `log_mark_gone`, `log_search_new`, `log_search_changed`,
 * `log_search_gone`.
 */
export const logs = sqliteTable(
  "logs",
  {
    id: integer("id").notNull(),
    uuid: text("uuid").notNull().unique("log_uuid_unique"),
    goalId: integer("goal_id").references(() => goals.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    username: text("username").notNull(),
    sessionId: integer("session_id"),
    /** The uuid of the session's goal to which the log counts. */
    sessionGoalUuid: text("session_goal_uuid"),
    title: text("title").notNull().default(""),
    ...richTextColumns(),
    action: text("action").notNull().default(""),
    /** 1 active, 2 done, 3 paused or to do, 4 stopped (S-10). */
    status: integer("status").notNull(),
    amount: thousandthsColumn("amount"),
    distance: millimetresColumn("distance_mm"),
    /** Thousandths of a mile, as the last release reads and writes them (H-07). */
    lastDistance: thousandthsColumn("distance"),
    /** Seconds, as planned or typed. */
    duration: secondsColumn("duration"),
    isTimed: flagColumn("is_timed"),
    /** Measured time before the current stretch, which began at `startedAt`. */
    elapsedDuration: millisColumn("elapsed_duration").notNull().default(millis(0)),
    remainingDuration: millisColumn("remaining_duration"),
    startedAt: instantColumn("started_at"),
    endedAt: instantColumn("ended_at"),
    pausedAt: instantColumn("paused_at"),
    qlButtonUuid: text("ql_button_uuid"),
    /** The goal's timer that this log runs. */
    timerUuid: text("timer_uuid"),
    /**
     * Written while the user had no right to write in its session: nobody else ever reads its title and text.
     */
    isWithheld: flagColumn("is_withheld"),
    /** Its timer has intervals, so that it is done after the last set, at `ended_at`. */
    isInterval: flagColumn("is_interval"),
    /** The day that the log counts for, in the user's zone. */
    day: text("day").notNull(),
    /** The folded words of its texts, for the search. */
    searchText: text("search_text").notNull().default(""),
    ...stampColumns(),
  },
  (t) => [
    primaryKey({ name: "logs_in_order", columns: [t.userId, t.id] }),
    index("logs_with_uploads").on(t.id).where(showsUpload("logs")),
    index("logs_by_goal").on(t.goalId, t.id).where(sql`goal_id IS NOT NULL`),
    index("logs_by_session").on(t.sessionId, t.id).where(sql`session_id IS NOT NULL`),
    index("logs_open").on(t.userId, t.status, t.goalId, t.id).where(sql`status IN (1, 3)`),
    index("logs_running_out").on(t.endedAt).where(sql`status = 1 AND is_interval = 1`),
    uniqueIndex("one_running_log").on(t.goalId, t.userId).where(sql`status = 1 AND is_timed = 1`),
    check("log_status_known", sql`${t.status} IN (1, 2, 3, 4)`),
    check("log_elapsed_not_negative", sql`${t.elapsedDuration} >= 0`),
    ...fitsRow([t.content, t.contentHtml, t.summary]),
  ],
);
