// Statements that list open sessions: running sessions, then scheduled ones by start, then sessions that wait for their
// host; use cases run them. They leave out an ended session even before its room closes it.
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import {
  inScope,
  isAfterKey,
  type ListedTable,
  limitToPage,
  type PageRequest,
  selectKeys,
} from "#db/queries/filtered-lists";
import { hasWords, type Scope, type Words } from "#db/queries/search";
import { isListedFor, isVisible, type Viewer } from "#db/queries/visibility";
import { TOUR_IDS } from "~/domain/library";
import type { Instant } from "~/domain/time";

const { sessions, participants, activities, huts, categories } = schema;

export type CardFilter = Scope &
  PageRequest & {
    now: Instant;
    /** 0 for a visitor. */
    userId: Viewer;
    /** Only sessions in which this user has a seat. */
    isJoined?: boolean;
    isTemplates?: boolean;
    /** Whether the example of the tour is listed, as in the list of its activity (H-02). */
    hasExample?: boolean;
    words?: Words;
  };

/** Sessions that are not over at `now`. */
export const openSessionList = (now: Instant): ListedTable => ({
  searched: "session",
  table: "sessions",
  key: "list_key",
  order: "ASC",
  isListed: sql`t.closed_at IS NULL AND (t.ended_at IS NULL OR t.ended_at > ${now})`,
});

/** Seats that are offered to other people (G-22). */
export const selectHeldSeats = (viewer: Viewer, now: Instant) =>
  sql<number>`(SELECT count(*) FROM waiters w WHERE w.session_id = ${sessions.id} AND w.offered_until IS NOT NULL
    AND NOT (w.user_id = ${viewer} AND w.offered_until > ${now}))`.as("held_seats");

/** At most `perPage` + 1 rows (C-05). */
export const selectSessionCards = (db: Database, filter: CardFilter) =>
  db
    .select({
      id: sessions.id,
      slug: sessions.slug,
      title: sessions.title,
      summary: sessions.summary,
      startedAt: sessions.startedAt,
      endedAt: sessions.endedAt,
      duration: sessions.duration,
      isManuallyStarted: sessions.isManuallyStarted,
      isTemplate: sql<boolean>`${sessions.isTemplate} AND NOT ${sessions.isExample}`
        .mapWith(Boolean)
        .as("is_template"),
      isExample: sessions.isExample,
      participantLimit: sessions.participantLimit,
      participantsCount: sessions.participantsCount,
      heldSeats: selectHeldSeats(filter.userId, filter.now),
      isFree: sessions.isFree,
      needsCode: sql<boolean>`${sessions.joinCode} <> ''`.mapWith(Boolean).as("needs_code"),
      category: sessions.category,
      categoryTitle: sql<string | null>`${categories.title}`.as("category_title"),
      difficulty: sessions.difficulty,
      hutId: sessions.hutId,
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      activityId: sessions.activityId,
      activitySlug: sql<string | null>`${activities.slug}`.as("activity_slug"),
      activityTitle: sql<string | null>`${activities.title}`.as("activity_title"),
      isJoined: sql<boolean>`${participants.userId} IS NOT NULL`.mapWith(Boolean).as("is_joined"),
      /** The sort key, for the cursor of the next page; wider than a JavaScript integer. */
      key: sql<string>`CAST(k.key AS TEXT)`.as("key"),
    })
    .from(sql`${keysOf(filter)} k`)
    .innerJoin(sessions, sql`${sessions.id} = k.id`)
    .leftJoin(huts, and(eq(huts.id, sessions.hutId), isVisible("huts", "huts", filter.userId)))
    .leftJoin(
      activities,
      and(eq(activities.id, sessions.activityId), isVisible("activities", "activities", filter.userId)),
    )
    .leftJoin(categories, eq(categories.slug, sessions.category))
    .leftJoin(
      participants,
      and(eq(participants.sessionId, sessions.id), eq(participants.userId, filter.userId)),
    )
    .orderBy(asc(sql`k.key`));
export type CardRow = Awaited<ReturnType<typeof selectSessionCards>>[number];

/** Selects the activity if it is the tour's, otherwise NULL, so that no row of another activity is read. */
const selectTourActivity = (activityId: Scope["activityId"]) =>
  sql`(SELECT thing FROM library WHERE uuid = ${TOUR_IDS.activity} AND thing = ${activityId ?? null})`;

function keysOf(filter: CardFilter): SQL {
  const { userId, words = [], isTemplates = false, hasExample = false, now } = filter;
  const scope: Scope = { ...filter, isTemplate: isTemplates };
  const list = openSessionList(now);
  if (hasExample) {
    // Each half reads the index of its own filter.
    const exampleList = { ...list, isListed: sql`${list.isListed} AND t.is_example = 1` };
    const exampleScope = { ...scope, isTemplate: true, activityId: selectTourActivity(scope.activityId) };
    return sql`(SELECT * FROM ${selectKeys(list, scope, words, filter, userId)}
      UNION ALL SELECT * FROM ${selectKeys(exampleList, exampleScope, words, filter, userId)}
      ORDER BY 1 LIMIT ${filter.perPage + 1})`;
  }
  if (isTemplates) list.isListed = sql`${list.isListed} AND t.is_example = 0`;
  if (!filter.isJoined) return selectKeys(list, scope, words, filter, userId);
  const key = sql.raw("t.list_key");
  const condition = and(
    ...inScope(scope),
    list.isListed,
    isListedFor("t", userId),
    hasWords("session", words, key, "t"),
    ...isAfterKey(key, filter, list.order),
  );
  return sql`(SELECT ${key} AS key, t.id AS id FROM participants p CROSS JOIN sessions t ON t.id = p.session_id
    WHERE p.user_id = ${userId} AND ${condition} ORDER BY 1 ${limitToPage(filter)})`;
}
