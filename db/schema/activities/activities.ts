// Activities (reusable definitions), their followers, and the slugs they share with sessions.
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Schedule } from "~/domain/schedule/schedule";
import { users } from "../accounts/accounts";
import {
  fitsRow,
  flagColumn,
  idColumn,
  instantColumn,
  jsonColumn,
  personColumn,
  richTextColumns,
  secondsColumn,
  showsUpload,
  stampColumns,
  titlePairsColumn,
} from "../columns";
import { huts } from "../huts/huts";

/** The slugs of activities and sessions, unique across both; the only index of a session's slug. */
export const slugs = sqliteTable("slugs", {
  slug: text("slug").primaryKey(),
  kind: text("kind", { enum: ["activity", "session"] }).notNull(),
  targetId: integer("target_id").notNull(),
});

export const categories = sqliteTable("categories", {
  slug: text("slug").primaryKey(),
  title: text("title").notNull(),
});

/**
 * Triggers (triggers.sql): `activity_count_gone`, `activity_count_moved`, `activity_counted`,
 * `activity_private_moved`, `activity_private_new`, `activity_search_changed`, `activity_search_gone`,
 * `activity_search_new`.
 */
export const activities = sqliteTable(
  "activities",
  {
    id: idColumn(),
    slug: text("slug").notNull().unique("activity_slug_unique"),
    title: text("title").notNull(),
    titlePairs: titlePairsColumn(),
    ...richTextColumns(),
    ownerId: integer("owner_id")
      .notNull()
      .references(() => users.id),
    personId: personColumn(),
    hutId: integer("hut_id").references(() => huts.id, { onDelete: "set null" }),
    /** Copied from the hut by triggers. It remains after a private hut is deleted. */
    isPrivate: flagColumn("is_private"),
    category: text("category").references(() => categories.slug),
    difficulty: integer("difficulty").notNull().default(4),
    isTemplate: flagColumn("is_template"),
    isManuallyStarted: flagColumn("is_manually_started"),
    duration: secondsColumn("duration").notNull(),
    /** The limit of followers; null: no limit. */
    participantLimit: integer("participant_limit"),
    followersCount: integer("followers_count").notNull().default(0),
    /** Sessions not yet closed by their room. */
    openSessionsCount: integer("open_sessions_count").notNull().default(0),
    schedule: jsonColumn<Schedule>("schedule").notNull(),
    ...stampColumns(),
  },
  (t) => [
    index("activities_with_uploads").on(t.id).where(showsUpload("activities")),
    // An index for each list: its filters, then its sort key.
    index("activities_listed").on(t.isTemplate, t.id).where(sql`is_private = 0`),
    index("activities_listed_by_difficulty").on(t.isTemplate, t.difficulty, t.id).where(sql`is_private = 0`),
    index("activities_listed_by_category")
      .on(t.isTemplate, t.category, t.id)
      .where(sql`is_private = 0 AND category IS NOT NULL`),
    index("activities_listed_by_category_and_difficulty")
      .on(t.isTemplate, t.category, t.difficulty, t.id)
      .where(sql`is_private = 0 AND category IS NOT NULL`),
    index("activities_in_hut").on(t.hutId, t.isTemplate, t.id).where(sql`hut_id IS NOT NULL`),
    index("activities_in_hut_by_difficulty")
      .on(t.hutId, t.isTemplate, t.difficulty, t.id)
      .where(sql`hut_id IS NOT NULL`),
    index("activities_in_hut_by_category")
      .on(t.hutId, t.isTemplate, t.category, t.id)
      .where(sql`hut_id IS NOT NULL AND category IS NOT NULL`),
    index("activities_in_hut_by_category_and_difficulty")
      .on(t.hutId, t.isTemplate, t.category, t.difficulty, t.id)
      .where(sql`hut_id IS NOT NULL AND category IS NOT NULL`),
    index("activities_by_owner").on(t.ownerId, t.id),
    check(
      "activity_not_full",
      sql`${t.participantLimit} IS NULL OR ${t.participantLimit} = 0 OR ${t.followersCount} <= ${t.participantLimit}`,
    ),
    check("followers_not_negative", sql`${t.followersCount} >= 0`),
    check("difficulty_known", sql`${t.difficulty} IN (3, 4, 6)`),
    ...fitsRow([t.content, t.contentHtml, t.summary], { schedule: t.schedule }),
  ],
);

/** The number of activities of each kind, in total (`hutId` 0) and per hut. Triggers maintain it; WITHOUT ROWID. */
export const activityCounts = sqliteTable(
  "activity_counts",
  {
    hutId: integer("hut_id").notNull(),
    isTemplate: flagColumn("is_template"),
    /** Empty: no category. */
    category: text("category").notNull(),
    difficulty: integer("difficulty").notNull(),
    count: integer("count").notNull(),
  },
  (t) => [
    primaryKey({ name: "one_count_per_kind", columns: [t.hutId, t.isTemplate, t.category, t.difficulty] }),
  ],
);

export const followers = sqliteTable(
  "followers",
  {
    activityId: integer("activity_id")
      .notNull()
      .references(() => activities.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    followedAt: instantColumn("followed_at").notNull(),
  },
  (t) => [
    primaryKey({ name: "one_follow_per_user", columns: [t.activityId, t.userId] }),
    index("followers_by_user").on(t.userId, t.activityId),
  ],
);

/**
 * The records that the library has created (H-05). It never creates a deleted record again, nor changes an edited one.
 */
export const library = sqliteTable("library", {
  /** The record's id in db/seed/library. */
  uuid: text("uuid").primaryKey(),
  kind: text("kind", { enum: ["activity", "session", "book"] }).notNull(),
  /** The id of the activity, session or item. */
  thing: integer("thing"),
  installedAt: instantColumn("installed_at").notNull(),
  removedAt: instantColumn("removed_at"),
});
