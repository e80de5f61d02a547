// Statements on calendar addresses and the sessions of a feed; use cases run them.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { suspensionOf } from "#db/queries/safety/sanctions";
import { isListedFor, isPublic, isVisible, type Viewer } from "#db/queries/visibility";
import type { Instant } from "~/domain/time";

const { calendarFeeds, participants, sessions, huts, activities } = schema;

export const findFeedOf = (db: Database, userId: number) =>
  db
    .select({ createdAt: calendarFeeds.createdAt })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.userId, userId));

/** The feed of a secret, with the suspension of its user, during which the feed is refused. */
export const findFeed = (db: Database, secretHash: string, now: Instant) =>
  db
    .select({
      userId: calendarFeeds.userId,
      suspension: suspensionOf(sql`${calendarFeeds.userId}`, now),
    })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.secretHash, secretHash));

/** The columns of a calendar entry, with the address of its series if the viewer sees the series (H-13). */
export const entryColumnsFor = (viewer: Viewer) => ({
  id: sessions.id,
  title: sessions.title,
  /** Longer than a description, because cleaning shortens it. */
  summary: sql<string>`substr(${sessions.summary}, 1, 1000)`.as("summary"),
  startedAt: sessions.startedAt,
  endedAt: sessions.endedAt,
  duration: sessions.duration,
  closedAt: sessions.closedAt,
  cancelledStart: sessions.cancelledStart,
  sequence: sessions.sequence,
  changedAt: sessions.changedAt,
  isTemplate: sessions.isTemplate,
  series: sql<
    string | null
  >`(SELECT '/series/' || coalesce(r.slug, r.id) FROM series r WHERE r.id = ${sessions.seriesId} AND ${isVisible("series", "r", viewer)})`.as(
    "series_address",
  ),
  needsCode: sql<boolean>`${sessions.joinCode} <> ''`.mapWith(Boolean).as("needs_code"),
});

/** All sessions with a seat of the feed's user, in no order: sorting would read each row once more. */
export const listFeedSessions = (db: Database, secretHash: string) =>
  db
    .select(entryColumnsFor(sql`${calendarFeeds.userId}`))
    .from(calendarFeeds)
    .innerJoin(participants, eq(participants.userId, calendarFeeds.userId))
    .innerJoin(sessions, eq(sessions.id, participants.sessionId))
    .where(
      and(eq(calendarFeeds.secretHash, secretHash), isListedFor("sessions", sql`${calendarFeeds.userId}`)),
    );

/** Inserts nothing when the user has an address. */
export const createFeed = (db: Database, feed: { userId: number; secretHash: string; now: Instant }) =>
  db
    .insert(calendarFeeds)
    .values({ secretHash: feed.secretHash, userId: feed.userId, createdAt: feed.now })
    .onConflictDoNothing()
    .returning({ userId: calendarFeeds.userId });

/** The old secret stops working with this statement. No row without an address. */
export const renewFeed = (db: Database, feed: { userId: number; secretHash: string; now: Instant }) =>
  db
    .update(calendarFeeds)
    .set({ secretHash: feed.secretHash, createdAt: feed.now })
    .where(eq(calendarFeeds.userId, feed.userId))
    .returning({ userId: calendarFeeds.userId });

export const deleteFeed = (db: Database, userId: number) =>
  db.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId));

// ---- public feeds

/** The dated open sessions that meet the condition, e.g. of a hut, and that everybody sees. */
export const listUpcoming = (db: Database, condition: SQL, now: Instant, limit: number) =>
  db
    .select(entryColumnsFor(0))
    .from(sessions)
    .where(
      sql`${condition} AND ${sessions.closedAt} IS NULL AND ${sessions.isTemplate} = 0 AND ${isPublic("sessions")}
        AND ${sessions.startedAt} IS NOT NULL AND (${sessions.endedAt} IS NULL OR ${sessions.endedAt} > ${now})`,
    )
    .limit(limit);

/** Two statements: the public hut, and its upcoming sessions. */
export const readHutFeed = (db: Database, slug: string, now: Instant, limit: number) => {
  const publicHut = sql`FROM huts h WHERE h.slug = ${slug} AND ${isPublic("h")}`;
  return [
    db
      .select({ title: huts.title })
      .from(huts)
      .where(sql`${huts.slug} = ${slug} AND ${isPublic("huts")}`),
    listUpcoming(db, sql`${sessions.hutId} = (SELECT h.id ${publicHut})`, now, limit),
  ] as const;
};

/** Two statements: the public activity, and its upcoming sessions. */
export const readActivityFeed = (db: Database, slug: string, now: Instant, limit: number) => {
  const publicActivity = sql`FROM activities a WHERE a.slug = ${slug} AND ${isPublic("a")}`;
  return [
    db
      .select({ title: activities.title })
      .from(activities)
      .where(sql`${activities.slug} = ${slug} AND ${isPublic("activities")}`),
    listUpcoming(db, sql`${sessions.activityId} = (SELECT a.id ${publicActivity})`, now, limit),
  ] as const;
};
