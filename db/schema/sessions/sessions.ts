// Tables of sessions (timed runs of an activity) and their seats. The room holds the live state and mirrors it to these
// rows; status is never stored, because it follows from started_at and ended_at (S-04).
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { SEAT_ROLE, type SeatRole } from "~/domain/roles";
import type { Schedule } from "~/domain/schedule/schedule";
import type { StoredRecap } from "~/domain/sessions/recap";
import { users } from "../accounts/accounts";
import { activities } from "../activities/activities";
import {
  distancesColumn,
  fitsRow,
  flagColumn,
  handleColumn,
  idColumn,
  instantColumn,
  jsonColumn,
  millimetresColumn,
  richTextColumns,
  secondsColumn,
  showsUpload,
  stampColumns,
  titlePairsColumn,
} from "../columns";
import { huts } from "../huts/huts";
import { series } from "../series/series";

/**
 * Triggers (triggers.sql): `log_marks_of_session`, `posts_of_series_moved`, `sanctions_of_session`,
 * `series_day_of_deleted`, `session_private_moved`, `session_private_new`, `session_search_changed`,
 * `session_search_gone`, `session_search_new`.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    id: idColumn(),
    slug: text("slug").notNull(),
    activityId: integer("activity_id").references(() => activities.id, { onDelete: "set null" }),
    hutId: integer("hut_id").references(() => huts.id, { onDelete: "set null" }),
    /** Copied from the hut by triggers. It remains after a private hut is deleted. */
    isPrivate: flagColumn("is_private"),
    ownerId: integer("owner_id")
      .notNull()
      .references(() => users.id),
    title: text("title").notNull(),
    titlePairs: titlePairsColumn(),
    ...richTextColumns(),
    prompt: text("prompt").notNull().default(""),
    /** Copied from the activity, so that lists filter without a join. */
    category: text("category"),
    difficulty: integer("difficulty").notNull().default(4),
    isTemplate: flagColumn("is_template"),
    /**
     * The session that the welcome tour visits (H-02): a template that its activity lists, and no list of templates.
     */
    isExample: flagColumn("is_example"),
    isManuallyStarted: flagColumn("is_manually_started"),
    startedAt: instantColumn("started_at"),
    endedAt: instantColumn("ended_at"),
    duration: secondsColumn("duration").notNull(),
    participantLimit: integer("participant_limit"),
    participantsCount: integer("participants_count").notNull().default(0),
    donationLink: text("donation_link").notNull().default(""),
    /** Where participants meet by video (G-38). */
    meetingLink: text("meeting_link").notNull().default(""),
    joinCode: text("join_code").notNull().default(""),
    isFree: flagColumn("is_free"),
    /** The session ends with refunds if neither host nor admin comes (G-31). */
    needsHost: flagColumn("needs_host"),
    /** How many people may sit in by the link with a name only (H-17); 0: none. */
    guestLimit: integer("guest_limit").notNull().default(0),
    /** Seconds between two chat lines of a person. */
    slowMode: integer("slow_mode").notNull().default(0),
    schedule: jsonColumn<Schedule>("schedule").notNull(),
    /** Rises with every write of the room's mirror: an older version never overwrites a newer one. */
    roomVersion: integer("room_version").notNull().default(0),
    /** The instant at which the room closed the session, with all refunds done and counts settled. */
    closedAt: instantColumn("closed_at"),
    /** Grows by one with each change of start, end, title or cancellation (F-08). */
    sequence: integer("sequence").notNull().default(0),
    /** The instant of the last change of `sequence`. */
    changedAt: instantColumn("changed_at").notNull().default(sql`0`),
    /** The start last announced, while smaller moves since then add up; null: `started_at`. */
    toldStart: instantColumn("told_start"),
    /** The planned start of a cancelled session, for calendars (F-12); null for every other session. */
    cancelledStart: instantColumn("cancelled_start"),
    /** The series that laid the session out, and the day of its rule (G-08). */
    seriesId: integer("series_id").references(() => series.id, { onDelete: "set null" }),
    seriesDay: text("series_day"),
    /** Made when the room closes a session that has run (G-32). */
    recap: distancesColumn<StoredRecap>("recap"),
    /**
     * The unique sort key of lists: the second of the start, then the id. Sessions that wait for their host come
     * last, newest first. Wider than a JavaScript integer, so SQL compares it and code never reads it as a number.
     */
    listKey: integer("list_key").generatedAlwaysAs(
      sql`iif(started_at IS NULL, (4294967295 << 31) + 2147483647 - id, (min(max(started_at / 1000, 0), 4294967294) << 31) + id)`,
      { mode: "virtual" },
    ),
    ...stampColumns(),
  },
  (t) => [
    index("sessions_with_uploads").on(t.id).where(showsUpload("sessions")),
    // An index for each list: its filters, then its sort key. The first also serves the search for sessions that start
    // soon, private ones included.
    index("sessions_listed").on(t.isPrivate, t.isTemplate, t.listKey).where(sql`closed_at IS NULL`),
    index("sessions_listed_by_difficulty")
      .on(t.isPrivate, t.isTemplate, t.difficulty, t.listKey)
      .where(sql`closed_at IS NULL`),
    index("sessions_listed_by_category")
      .on(t.isPrivate, t.isTemplate, t.category, t.listKey)
      .where(sql`closed_at IS NULL AND category IS NOT NULL`),
    index("sessions_listed_by_category_and_difficulty")
      .on(t.isPrivate, t.isTemplate, t.category, t.difficulty, t.listKey)
      .where(sql`closed_at IS NULL AND category IS NOT NULL`),
    index("sessions_by_hut").on(t.hutId, t.closedAt, t.isTemplate, t.listKey).where(sql`hut_id IS NOT NULL`),
    index("sessions_in_hut_by_difficulty")
      .on(t.hutId, t.isTemplate, t.difficulty, t.listKey)
      .where(sql`closed_at IS NULL AND hut_id IS NOT NULL`),
    index("sessions_in_hut_by_category")
      .on(t.hutId, t.isTemplate, t.category, t.listKey)
      .where(sql`closed_at IS NULL AND hut_id IS NOT NULL AND category IS NOT NULL`),
    index("sessions_in_hut_by_category_and_difficulty")
      .on(t.hutId, t.isTemplate, t.category, t.difficulty, t.listKey)
      .where(sql`closed_at IS NULL AND hut_id IS NOT NULL AND category IS NOT NULL`),
    index("sessions_by_activity")
      .on(t.activityId, t.closedAt, t.isTemplate, t.listKey)
      .where(sql`activity_id IS NOT NULL`),
    index("sessions_by_series")
      .on(t.seriesId, t.isTemplate, t.listKey)
      .where(sql`closed_at IS NULL AND series_id IS NOT NULL`),
    uniqueIndex("one_session_per_series_day").on(t.seriesId, t.seriesDay).where(sql`series_id IS NOT NULL`),
    index("sessions_to_close").on(t.endedAt).where(sql`closed_at IS NULL AND ended_at IS NOT NULL`),
    check("slow_mode_known", sql`${t.slowMode} IN (0, 5, 15, 60)`),
    check("session_length", sql`${t.duration} BETWEEN 300 AND 2592000`),
    check(
      "session_not_full",
      sql`${t.participantLimit} IS NULL OR ${t.participantLimit} = 0 OR ${t.participantsCount} <= ${t.participantLimit}`,
    ),
    check("participants_not_negative", sql`${t.participantsCount} >= 0`),
    check(
      "session_ends_after_start",
      sql`${t.endedAt} IS NULL OR ${t.startedAt} IS NULL OR ${t.endedAt} >= ${t.startedAt}`,
    ),
    ...fitsRow([t.content, t.contentHtml, t.summary], { prompt: t.prompt }),
    // Apart from the texts, because a running room's plan grows with its people.
    check("row_fits_schedule", sql`octet_length(${t.schedule}) <= 1000000`),
  ],
);

export const participants = sqliteTable(
  "participants",
  {
    sessionId: integer("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    personId: integer("person_id").notNull(),
    /** The person's name in this session; room and wire identify people by it. */
    username: text("username").notNull(),
    /** 0 participant, 1 admin. */
    role: integer("role").$type<SeatRole>().notNull().default(SEAT_ROLE.participant),
    isHost: flagColumn("is_host"),
    /** The ledger reference of the join, for its refund (B-14). */
    seat: text("seat").notNull(),
    paidBy: integer("paid_by").notNull(),
    joinedAt: instantColumn("joined_at").notNull(),
    completedAt: instantColumn("completed_at"),
    /**
     * Since this instant the holder of a standing seat is asked to confirm it, because the start moved; null otherwise
     * (G-16).
     */
    askedAt: instantColumn("asked_at"),
    /** The session's start at the time of joining; null if it had none, or has lost it since. */
    joinedStart: instantColumn("joined_start"),
    /** A random name of this seat; null in a seat that the last release inserted. */
    handle: handleColumn(),
    /**
     * The answer to "What will you do?", and the person's goal that it is linked to. The id of a deleted goal is
     * never reused, so it needs no foreign key.
     */
    aim: text("aim").notNull().default(""),
    aimGoalId: integer("aim_goal_id"),
    /** The name of a guest as typed, and what it looks like (H-23); empty for an account. */
    guestName: text("guest_name").notNull().default(""),
    guestLook: text("guest_look").notNull().default(""),
  },
  (t) => [
    // An expression, so that SQLite's error names the index.
    uniqueIndex("one_guest_per_name")
      .on(t.sessionId, sql`lower(${t.guestLook})`)
      .where(sql`guest_look <> ''`),
    primaryKey({ name: "one_seat_per_user", columns: [t.userId, t.sessionId] }),
    index("participants_in_order").on(t.sessionId, t.joinedAt, t.userId),
    uniqueIndex("one_host_per_session").on(t.sessionId).where(sql`is_host = 1`),
    check("role_known", sql`${t.role} IN (0, 1)`),
  ],
);

/** Browsers and networks of banned guests, from which a session takes no guest (H-24); WITHOUT ROWID. */
export const guestBans = sqliteTable(
  "guest_bans",
  {
    sessionId: integer("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** SHA-256 of a cookie, or of network and session. */
    hash: text("hash").notNull(),
    until: instantColumn("until").notNull(),
    /** The guest, by whom the ban is lifted; 0 in older rows. No foreign key, because the number stays (H-21). */
    userId: integer("user_id").notNull().default(0),
  },
  (t) => [
    primaryKey({ name: "one_ban_per_guest", columns: [t.sessionId, t.hash] }),
    index("guest_bans_by_end").on(t.until),
    index("guest_bans_by_hash").on(t.hash),
  ],
);

/** Whether a user came to a session that has closed (G-26); WITHOUT ROWID. */
export const attendance = sqliteTable(
  "attendance",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** No foreign key, because the deletion of a session would scan this table. */
    sessionId: integer("session_id").notNull(),
    startedAt: instantColumn("started_at").notNull(),
    seconds: secondsColumn("seconds").notNull(),
    hasCome: flagColumn("has_come"),
  },
  (t) => [primaryKey({ name: "one_attendance_per_session", columns: [t.userId, t.sessionId] })],
);

/** People who wait for a seat in a full session, in order of `since` (G-18); WITHOUT ROWID. */
export const waiters = sqliteTable(
  "waiters",
  {
    sessionId: integer("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    since: instantColumn("since").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    personId: integer("person_id").notNull(),
    /** A seat is reserved for this person until this instant (G-22). */
    offeredUntil: instantColumn("offered_until"),
    /** Since this instant the session has another code, which this person has not given. */
    codeAskedAt: instantColumn("code_asked_at"),
  },
  (t) => [
    primaryKey({ name: "waiters_in_order", columns: [t.sessionId, t.since, t.userId] }),
    uniqueIndex("one_place_per_user").on(t.userId, t.sessionId),
    index("waiters_with_offer").on(t.offeredUntil).where(sql`offered_until IS NOT NULL`),
    index("waiters_without_code").on(t.codeAskedAt).where(sql`code_asked_at IS NOT NULL`),
  ],
);

/** The additions of participants to a session's text; `seq` is the change of the room that added it. */
export const contributions = sqliteTable(
  "contributions",
  {
    id: idColumn(),
    sessionId: integer("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    seq: integer("seq").notNull(),
    /** Null: contributed before authors were stored. */
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    /** The author's name in this session. */
    username: text("username"),
    content: text("content").notNull(),
    contentHtml: text("content_html").notNull(),
    createdAt: instantColumn("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("one_contribution_per_change").on(t.sessionId, t.seq),
    index("contributions_by_user").on(t.userId, t.id).where(sql`user_id IS NOT NULL`),
    index("contributions_with_uploads").on(t.id).where(showsUpload("contributions")),
  ],
);

/** A participant's totals per goal of the session (E-13 task_totals), written with every log. */
export const sessionTotals = sqliteTable(
  "session_totals",
  {
    sessionId: integer("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    userId: integer("user_id").notNull(),
    goalUuid: text("goal_uuid").notNull(),
    action: text("action").notNull().default(""),
    /** Thousandths; the distance in millimetres. */
    amount: integer("amount").notNull().default(0),
    distance: millimetresColumn("distance_mm").notNull().default(0),
    lastDistance: integer("distance").notNull().default(0),
    /** Milliseconds. */
    duration: integer("duration").notNull().default(0),
    listProgress: jsonColumn<string[]>("list_progress"),
  },
  (t) => [primaryKey({ name: "one_total_per_goal", columns: [t.sessionId, t.userId, t.goalUuid] })],
);

/** Rooms that must copy their chat for a backup, from `dueAt` on; 0 is at once. */
export const chatsToCopy = sqliteTable("chats_to_copy", {
  sessionId: integer("session_id")
    .primaryKey()
    .references(() => sessions.id, { onDelete: "cascade" }),
  dueAt: instantColumn("due_at").notNull(),
});

/** Rooms that still hold the chat of a deleted account; WITHOUT ROWID. */
export const chatErasures = sqliteTable(
  "chat_erasures",
  {
    userId: integer("user_id").notNull(),
    sessionId: integer("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ name: "one_erasure_per_room", columns: [t.userId, t.sessionId] })],
);

/**
 * Logs that were changed or deleted since their room read them; WITHOUT ROWID. The triggers of logs and goals
 * write the marks, and `log_marks_of_session` deletes those of a deleted session.
 */
export const logMarks = sqliteTable(
  "log_marks",
  {
    sessionId: integer("session_id").notNull(),
    uuid: text("uuid").notNull(),
    logId: integer("log_id").notNull(),
    /** Random, so that a change while the room reads gets another version. */
    version: integer("version").notNull(),
  },
  (t) => [primaryKey({ name: "one_mark_per_log", columns: [t.sessionId, t.uuid] })],
);
