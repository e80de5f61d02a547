// Lists of open sessions, soonest first: what runs, what begins next, then what waits for its host. Found in the search
// index; what is over but not yet closed by its room is left out. Built here, run by use cases.
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";
import { isListed, type PageOf, type Scope, selectPlaces, type Words, walkPlaces } from "./search";

const { sessions, participants, activities, huts, categories } = schema;

export type CardFilter = Scope &
  PageOf & {
    now: Instant;
    /** 0: a visitor. */
    userId: number;
    /** Only sessions one has a seat in. */
    isJoined?: boolean;
    isTemplates?: boolean;
    words?: Words;
  };

/** A session's place in the order of lists, as the index has it. */
const PLACE = sql.raw(
  "iif(s.started_at IS NULL, 4611686018427387904 + ((16777215 - (s.id & 16777215)) << 38) + (s.id >> 24), (min(max(s.started_at / 1000 - 1577836800, 0), 1073741823) << 32) + s.id)",
);

/** `perPage` + 1 rows at most (C-05). */
export function selectSessionCards(db: Database, filter: CardFilter) {
  return db
    .select({
      id: sessions.id,
      slug: sessions.slug,
      title: sessions.title,
      summary: sessions.summary,
      startedAt: sessions.startedAt,
      endedAt: sessions.endedAt,
      duration: sessions.duration,
      isManuallyStarted: sessions.isManuallyStarted,
      isTemplate: sessions.isTemplate,
      participantLimit: sessions.participantLimit,
      participantsCount: sessions.participantsCount,
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
      /** Where the list goes on behind this row; wider than a number of ours. */
      place: sql<string>`CAST(k.place AS TEXT)`.as("place"),
    })
    .from(sql`${placesOf(filter)} k`)
    .innerJoin(sessions, sql`${sessions.id} = k.id`)
    .leftJoin(huts, eq(huts.id, sessions.hutId))
    .leftJoin(activities, eq(activities.id, sessions.activityId))
    .leftJoin(categories, eq(categories.slug, sessions.category))
    .leftJoin(
      participants,
      and(eq(participants.sessionId, sessions.id), eq(participants.userId, filter.userId)),
    )
    .orderBy(asc(sql`k.place`));
}
export type CardRow = Awaited<ReturnType<typeof selectSessionCards>>[number];

const WALKED = 96;
/** So many that are over and not yet closed are looked at; a room closes its session within moments. */
const MOST_OVER = 100;

function placesOf(filter: CardFilter): SQL {
  const { page, perPage, after, userId, words = [], isTemplates = false } = filter;
  const scope: Scope = { ...filter, isTemplate: isTemplates };
  const offset = after ? 0 : (page - 1) * perPage;
  const isOpen = sql`(s.ended_at IS NULL OR s.ended_at > ${filter.now})`;
  const upTo = sql`LIMIT ${perPage + 1} OFFSET ${offset}`;
  if (filter.isJoined)
    return sql`(SELECT ${PLACE} AS place, s.id AS id FROM participants p CROSS JOIN sessions s ON s.id = p.session_id
      WHERE p.user_id = ${userId} AND s.closed_at IS NULL AND ${isOpen} AND ${isListed("session", scope, words, PLACE)}
      ${after ? sql`AND ${PLACE} > CAST(${after} AS INTEGER)` : sql``} ORDER BY 1 ${upTo})`;
  const over = sql`(SELECT count(*) FROM (SELECT 1 FROM sessions s WHERE s.closed_at IS NULL AND s.ended_at <= ${filter.now}
    AND ${isListed("session", scope, [], PLACE)} LIMIT ${MOST_OVER}))`;
  if (words.length === 0 && offset > WALKED)
    return sql`(SELECT k.place, k.id FROM ${selectPlaces("session", scope, [], { page, perPage, passed: over })} k
      CROSS JOIN sessions s ON s.id = k.id WHERE ${isOpen} ORDER BY k.place)`;
  return sql`(SELECT session_search.rowid AS place, session_search.id AS id
    FROM session_search CROSS JOIN sessions s ON s.id = session_search.id
    WHERE ${walkPlaces("session", scope, words, after)} AND ${isOpen} ORDER BY session_search.rowid ${upTo})`;
}
