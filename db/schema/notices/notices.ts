// The spine of notices: causes as events, in-app notices, deliveries to other channels, and settings (section N). All
// tables are WITHOUT ROWID, which the migration adds by hand.
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Day } from "~/domain/days";
import type { EventKind, Other } from "~/domain/notices/events";
import type { Channel, NoticeKind, SentChannel } from "~/domain/notices/notices";
import { users } from "../accounts/accounts";
import { instantColumn, jsonColumn } from "../columns";

/** A cause, written in its own batch and deleted by the last stretch of its fan-out (N-01, N-03). */
export const events = sqliteTable("events", {
  /** Grows with time. */
  id: text("id").primaryKey(),
  kind: text("kind").$type<EventKind>().notNull(),
  subject: text("subject").notNull(),
  actorId: integer("actor_id"),
  body: jsonColumn<object>("body").notNull(),
  /** The highest user id that the fan-out has served. */
  mark: integer("mark").notNull().default(0),
  at: instantColumn("at").notNull(),
});

export const notices = sqliteTable(
  "notices",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The event's id, so that a user gets one notice of it. It grows with time, so it also orders the list. */
    id: text("id").notNull(),
    kind: text("kind").$type<EventKind>().notNull(),
    subject: text("subject").notNull(),
    body: jsonColumn<object>("body").notNull(),
    /** Further events that merged into this notice, and the other people in them (N-11). */
    merged: integer("merged").notNull().default(0),
    others: jsonColumn<Other[]>("others").notNull(),
    at: instantColumn("at").notNull(),
    readAt: instantColumn("read_at"),
  },
  (t) => [
    primaryKey({ name: "one_notice_per_event", columns: [t.userId, t.id] }),
    // By this index a trigger finds the notices of a removed post.
    index("notices_by_post").on(sql`body ->> '$.post'`).where(sql`body ->> '$.post' IS NOT NULL`),
  ],
);

/** A message to a channel outside Bothy, sent at least once under its key. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    /**
     * `{user}:{kind}:{subject}:{instant}:{channel}` (N-02). It begins with the user, so that their rows are a range.
     */
    key: text("key").primaryKey(),
    /** No foreign key, because the deletion of a user would scan this table. */
    userId: integer("user_id").notNull(),
    /** `digest` holds the texts of several events (N-17). */
    kind: text("kind").$type<EventKind | "digest">().notNull(),
    subject: text("subject").notNull(),
    channel: text("channel").$type<SentChannel>().notNull(),
    actorId: integer("actor_id"),
    body: jsonColumn<object>("body").notNull(),
    dueAt: instantColumn("due_at").notNull(),
    state: text("state", { enum: ["waiting", "sent", "dropped", "failed"] }).notNull(),
    tries: integer("tries").notNull().default(0),
    /** The instant at which a claim ends. No index has this column, so that a claim writes a single row. */
    leaseUntil: instantColumn("lease_until"),
    /** The reason of a dropped delivery, or the last error. */
    reason: text("reason").notNull().default(""),
    at: instantColumn("at").notNull(),
  },
  (t) => [
    index("deliveries_waiting").on(t.dueAt).where(sql`state = 'waiting'`),
    index("deliveries_failed").on(t.at).where(sql`state = 'failed'`),
    check("delivery_state", sql`${t.state} IN ('waiting', 'sent', 'dropped', 'failed')`),
  ],
);

/** The number of deliveries decided on each UTC day, stored each night because deliveries are deleted after a week. */
export const deliveryDays = sqliteTable(
  "delivery_days",
  {
    day: text("day").$type<Day>().notNull(),
    state: text("state", { enum: ["sent", "dropped"] }).notNull(),
    deliveries: integer("deliveries").notNull(),
  },
  (t) => [primaryKey({ name: "one_count_per_day_and_state", columns: [t.day, t.state] })],
);

/** Settings that differ from the defaults (N-13). */
export const noticeSettings = sqliteTable(
  "notice_settings",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").$type<NoticeKind>().notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    /** 0 off, 1 on; a reminder's lead in minutes; the minute of the day plus 1 for "still open". */
    value: integer("value").notNull(),
  },
  (t) => [
    primaryKey({ name: "one_value_per_channel", columns: [t.userId, t.kind, t.channel] }),
    index("notice_settings_by_minute").on(t.value).where(sql`kind = 'still-open' AND value > 0`),
  ],
);
