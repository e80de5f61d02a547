// Goals of users, sessions and activities, their tags, and totals per day. A goal's totals are written with each of
// its logs, so that reading them never reads the history (E-25).
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChecklistItem, GoalTimer, QuickLogButton, Recurrence } from "~/domain/goals/goals";
import type { GoalTarget } from "~/domain/goals/target-changes";
import { users } from "../accounts/accounts";
import { activities } from "../activities/activities";
import {
  distancesColumn,
  fitsRow,
  flagColumn,
  idColumn,
  instantColumn,
  jsonColumn,
  millimetresColumn,
  richTextColumns,
  secondsColumn,
  showsUpload,
  stampColumns,
  thousandthsColumn,
} from "../columns";
import { sessions } from "../sessions/sessions";

/** Triggers (triggers.sql): `log_mark_renamed`, `goal_search_new`, `goal_search_changed`, `goal_search_gone`. */
export const goals = sqliteTable(
  "goals",
  {
    id: idColumn(),
    uuid: text("uuid").notNull().unique("goal_uuid_unique"),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** A session's goal: every participant logs on it. */
    sessionId: integer("session_id").references(() => sessions.id, { onDelete: "cascade" }),
    /** An activity's goal: copied into each of its sessions. */
    activityId: integer("activity_id").references(() => activities.id, { onDelete: "cascade" }),
    partGroupId: text("part_group_id"),
    position: integer("position").notNull().default(0),
    title: text("title").notNull(),
    link: text("link").notNull().default(""),
    ...richTextColumns(),
    action: text("action").notNull().default("Do"),
    unit: text("unit").notNull().default(""),
    amount: thousandthsColumn("amount"),
    distance: millimetresColumn("distance_mm"),
    /** Thousandths of a mile, as the last release reads and writes them (H-07). */
    lastDistance: thousandthsColumn("distance"),
    duration: secondsColumn("duration"),
    actionDuration: secondsColumn("action_duration"),
    sets: integer("sets").notNull().default(1),
    timers: jsonColumn<GoalTimer[]>("timers").notNull().default([]),
    isInterval: flagColumn("is_interval"),
    isList: flagColumn("is_list"),
    items: jsonColumn<ChecklistItem[]>("items").notNull().default([]),
    quickLogButtons: distancesColumn<QuickLogButton[]>("quick_log_buttons").notNull().default([]),
    completionsRequired: integer("completions_required").notNull().default(1),
    isPerParticipant: flagColumn("is_per_participant"),
    mayEditContent: flagColumn("may_edit_content"),
    mayEditSummary: flagColumn("may_edit_summary"),
    startedAt: instantColumn("started_at"),
    endedAt: instantColumn("ended_at"),
    /** 1 open, 2 completed (S-14). */
    status: integer("status").notNull().default(1),
    completedAt: instantColumn("completed_at"),
    /** The original of a copy, and the session that the goal is attached to (E-27). */
    copiedFromUuid: text("copied_from_uuid"),
    attachedSessionId: integer("attached_session_id"),
    recurrence: jsonColumn<Recurrence>("recurrence"),
    /** The reminder's minute of the local day (N-23). */
    remindAt: integer("remind_at"),
    /** For a goal of a session or activity: the first tags of a user's copy. A user's own tags are in goal_tags. */
    sharedTags: jsonColumn<string[]>("shared_tags").notNull().default([]),
    /** The totals of all logs, written with each of them (E-25). */
    amountElapsed: integer("amount_elapsed").notNull().default(0),
    durationElapsed: integer("duration_elapsed").notNull().default(0),
    distanceElapsed: millimetresColumn("distance_elapsed_mm").notNull().default(0),
    lastDistanceElapsed: integer("distance_elapsed").notNull().default(0),
    logsCount: integer("logs_count").notNull().default(0),
    /** The folded words of title, unit, text and tags, for the search. */
    searchText: text("search_text").notNull().default(""),
    ...stampColumns(),
  },
  (t) => [
    index("goals_with_uploads").on(t.id).where(showsUpload("goals")),
    index("goals_by_user")
      .on(t.userId, t.status, sql`id DESC`)
      .where(sql`session_id IS NULL AND activity_id IS NULL`),
    index("goals_tied_by_user")
      .on(t.userId, t.status, sql`id DESC`)
      .where(
        sql`session_id IS NULL AND activity_id IS NULL AND (copied_from_uuid IS NOT NULL OR attached_session_id IS NOT NULL)`,
      ),
    index("goals_recurring")
      .on(t.userId, sql`id DESC`)
      .where(sql`session_id IS NULL AND activity_id IS NULL AND status = 1 AND recurrence IS NOT NULL`),
    index("goals_to_remind").on(t.remindAt).where(sql`remind_at IS NOT NULL AND status = 1`),
    index("goals_by_session").on(t.sessionId, t.position).where(sql`session_id IS NOT NULL`),
    index("goals_by_activity").on(t.activityId, t.position).where(sql`activity_id IS NOT NULL`),
    index("goals_by_attachment")
      .on(t.attachedSessionId, t.userId)
      .where(sql`attached_session_id IS NOT NULL`),
    check("goal_status_known", sql`${t.status} IN (1, 2)`),
    check(
      "goal_progress_not_negative",
      sql`${t.amountElapsed} >= 0 AND ${t.durationElapsed} >= 0 AND ${t.lastDistanceElapsed} >= 0`,
    ),
    check("goal_distance_not_negative", sql`${t.distanceElapsed} >= 0`),
    ...fitsRow([t.content, t.contentHtml, t.summary], {
      items: t.items,
      quick_log_buttons: t.quickLogButtons,
      timers: t.timers,
    }),
  ],
);

/** Triggers (triggers.sql): `goal_tagged`, `goal_untagged`. */
export const goalTags = sqliteTable(
  "goal_tags",
  {
    userId: integer("user_id").notNull(),
    tag: text("tag").notNull(),
    goalId: integer("goal_id")
      .notNull()
      .references(() => goals.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ name: "one_tag_per_goal", columns: [t.userId, t.tag, t.goalId] }),
    index("goal_tags_by_goal").on(t.goalId),
  ],
);

/** The number of a user's goals with a tag. Triggers of goal_tags maintain it; WITHOUT ROWID. */
export const tagCounts = sqliteTable(
  "tag_counts",
  {
    userId: integer("user_id").notNull(),
    tag: text("tag").notNull(),
    goals: integer("goals").notNull(),
  },
  (t) => [
    primaryKey({ name: "one_count_per_tag", columns: [t.userId, t.tag] }),
    index("tags_by_use").on(t.userId, sql`goals DESC`, t.tag),
  ],
);

/** The progress of a goal per day in the user's zone, for heat map, streaks and weekly totals. */
export const goalDays = sqliteTable(
  "goal_days",
  {
    goalId: integer("goal_id")
      .notNull()
      .references(() => goals.id, { onDelete: "cascade" }),
    userId: integer("user_id").notNull(),
    /** The day in the user's zone at the time, such as `2026-11-21`. */
    day: text("day").notNull(),
    amount: integer("amount").notNull().default(0),
    duration: integer("duration").notNull().default(0),
    distance: millimetresColumn("distance_mm").notNull().default(0),
    lastDistance: integer("distance").notNull().default(0),
    logs: integer("logs").notNull().default(0),
    /** Excluded by the user: the day neither breaks nor extends a streak. */
    isSkipped: flagColumn("is_skipped"),
    /** The goal belongs to a session or activity. Days of personal goals are found by the goals of the user. */
    isShared: flagColumn("is_shared"),
  },
  (t) => [
    primaryKey({ name: "one_row_per_day", columns: [t.goalId, t.userId, t.day] }),
    index("goal_days_shared").on(t.userId, t.goalId, t.day).where(sql`is_shared = 1`),
  ],
);

/** The measure of a goal from a day on, until the next row. Only a change writes it; WITHOUT ROWID. */
export const goalMeasures = sqliteTable(
  "goal_measures",
  {
    goalId: integer("goal_id")
      .notNull()
      .references(() => goals.id, { onDelete: "cascade" }),
    day: text("day").notNull(),
    target: distancesColumn<GoalTarget>("target").notNull(),
    recurrence: jsonColumn<Recurrence>("recurrence"),
    unit: text("unit").notNull(),
  },
  (t) => [primaryKey({ name: "one_measure_per_day", columns: [t.goalId, t.day] })],
);
