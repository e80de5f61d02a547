// Sessions: one with what its pages need beside it, and lists of open ones. Built here, run by use cases; seats are
// participants.ts, what makes and changes a session is session-writes.ts.
import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { sessions, participants, activities, huts, users, categories } = schema;

const flagOf = (condition: SQL, name: string) => sql<boolean>`${condition}`.mapWith(Boolean).as(name);

/** A session, its hut and activity, its host and builder, and the seat of who asks. */
const headOf = (db: Database, userId: number) =>
  db
    .select({
      ...getTableColumns(sessions),
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      activitySlug: sql<string | null>`${activities.slug}`.as("activity_slug"),
      activityTitle: sql<string | null>`${activities.title}`.as("activity_title"),
      ownerName: sql<string>`${users.username}`.as("owner_name"),
      hostId: sql<
        number | null
      >`(SELECT h.user_id FROM participants h WHERE h.session_id = ${sessions.id} AND h.is_host = 1)`.as(
        "host_id",
      ),
      hostName: sql<
        string | null
      >`(SELECT h.username FROM participants h WHERE h.session_id = ${sessions.id} AND h.is_host = 1)`.as(
        "host_name",
      ),
      seatName: sql<string | null>`${participants.username}`.as("seat_name"),
      seatRole: sql<0 | 1 | null>`${participants.role}`.as("seat_role"),
      seatIsHost: flagOf(sql`${participants.isHost}`, "seat_is_host"),
      seatReference: sql<string | null>`${participants.seat}`.as("seat_reference"),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.ownerId))
    .leftJoin(huts, eq(huts.id, sessions.hutId))
    .leftJoin(activities, eq(activities.id, sessions.activityId))
    .leftJoin(participants, and(eq(participants.sessionId, sessions.id), eq(participants.userId, userId)));

export type SessionRow = Awaited<ReturnType<typeof findSession>>[number];
/** `userId` 0 is a visitor. */
export const findSession = (db: Database, id: number, userId: number) =>
  headOf(db, userId).where(eq(sessions.id, id)).limit(1);
export const findSessionBySlug = (db: Database, slug: string, userId: number) =>
  headOf(db, userId).where(eq(sessions.slug, slug)).limit(1);

/** The id a session's slug stands for. */
export const findSessionId = (db: Database, slug: string) =>
  db.select({ id: sessions.id }).from(sessions).where(eq(sessions.slug, slug)).limit(1);

/** Of one activity: not ended, not closed. */
export const listOpenSessions = (db: Database, activityId: number, now: Instant, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      sql`${sessions.activityId} = ${activityId} AND ${sessions.closedAt} IS NULL AND (${sessions.endedAt} IS NULL OR ${sessions.endedAt} > ${now})`,
    )
    .limit(limit);

// ---- lists

export type CardFilter = {
  now: Instant;
  /** 0: a visitor. */
  userId: number;
  perPage: number;
  page: number;
  /** Goes on behind this row, whatever its page. */
  after?: CardKey | null;
  /** Only sessions one has a seat in. */
  isJoined?: boolean;
  isTemplates?: boolean;
  category?: string | null;
  difficulty?: number | null;
  /** Words, all of which stand in title or text. */
  words?: readonly string[];
  hutId?: number | null;
  activityId?: number | null;
};
/** Where a row stands in the order of lists. */
export type CardKey = { listAt: number; id: number };

/** What FTS5 looks for: every word, as the beginning of one. */
const matchOf = (words: readonly string[]) =>
  words.map((word) => `"${word.replaceAll('"', '""')}"*`).join(" ");

/**
 * Open sessions, soonest first: what runs, what begins next, then what waits for its host; `perPage` + 1 rows at most
 * (C-05). A page that names the row before it reads only what it shows.
 */
export function selectSessionCards(db: Database, filter: CardFilter) {
  const { now, userId, page, perPage, after, words = [] } = filter;
  // Few rows are looked up by seat or by word, then put in order; else the index of open sessions is walked in order.
  const isFew = filter.isJoined || words.length > 0;
  const listAt = sql<number>`CASE WHEN ${sessions.startedAt} IS NULL THEN 9000000000000000 - ${sessions.id} ELSE ${sessions.startedAt} END`;
  const plus = isFew ? sql.raw("+") : sql.raw("");
  const where = and(
    isFew ? sql`+${sessions.closedAt} IS NULL` : sql`${sessions.closedAt} IS NULL`,
    sql`(${sessions.endedAt} IS NULL OR ${sessions.endedAt} > ${now})`,
    sql`${plus}${sessions.isTemplate} = ${filter.isTemplates ? 1 : 0}`,
    filter.category ? sql`${plus}${sessions.category} = ${filter.category}` : undefined,
    filter.difficulty ? sql`${plus}${sessions.difficulty} = ${filter.difficulty}` : undefined,
    filter.hutId ? sql`${plus}${sessions.hutId} = ${filter.hutId}` : undefined,
    filter.activityId ? sql`${plus}${sessions.activityId} = ${filter.activityId}` : undefined,
    filter.isJoined
      ? sql`${sessions.id} IN (SELECT p.session_id FROM participants p WHERE p.user_id = ${userId})`
      : undefined,
    words.length > 0
      ? sql`${sessions.id} IN (SELECT rowid FROM session_search WHERE session_search MATCH ${matchOf(words)})`
      : undefined,
    after
      ? sql`${listAt} >= ${after.listAt} AND (${listAt} > ${after.listAt} OR ${sessions.id} > ${after.id})`
      : undefined,
  );
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
      needsCode: flagOf(sql`${sessions.joinCode} <> ''`, "needs_code"),
      category: sessions.category,
      categoryTitle: sql<string | null>`${categories.title}`.as("category_title"),
      difficulty: sessions.difficulty,
      hutId: sessions.hutId,
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      activityId: sessions.activityId,
      activitySlug: sql<string | null>`${activities.slug}`.as("activity_slug"),
      activityTitle: sql<string | null>`${activities.title}`.as("activity_title"),
      isJoined: flagOf(
        sql`EXISTS (SELECT 1 FROM participants j WHERE j.session_id = ${sessions.id} AND j.user_id = ${userId})`,
        "is_joined",
      ),
      listAt: listAt.as("list_at"),
    })
    .from(sessions)
    .leftJoin(huts, eq(huts.id, sessions.hutId))
    .leftJoin(activities, eq(activities.id, sessions.activityId))
    .leftJoin(categories, eq(categories.slug, sessions.category))
    .where(where)
    .orderBy(isFew ? sql`+(${listAt})` : listAt, asc(sessions.id))
    .limit(perPage + 1)
    .offset(after ? 0 : (page - 1) * perPage);
}
export type CardRow = Awaited<ReturnType<typeof selectSessionCards>>[number];

export const listCategories = (db: Database) => db.select().from(categories).orderBy(asc(categories.title));

/** Activities that are patterns for others, newest first. */
export const listTemplates = (db: Database, limit: number) =>
  db
    .select({ slug: activities.slug, title: activities.title, summary: activities.summary })
    .from(activities)
    .where(eq(activities.isTemplate, true))
    .orderBy(sql`${activities.id} DESC`)
    .limit(limit);
