// Statements on the public page of a series: open sessions, recaps, thread and feed (H-09 to H-15); use cases run them.
import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { selectKeys } from "#db/queries/filtered-lists";
import { isUnblocked } from "#db/queries/notices/events";
import { type IdPage, isAfterCursor, offsetOf } from "#db/queries/pagination";
import { isShownTo } from "#db/queries/safety/blocks";
import { selectSanctionsIn } from "#db/queries/safety/sanctions";
import { listUpcoming } from "#db/queries/sessions/calendar";
import { openSessionList } from "#db/queries/sessions/cards";
import { selectGuestCount } from "#db/queries/sessions/guest-limits";
import { isHostOf } from "#db/queries/sessions/participants";
import { listNewestReplies, type ReplyBounds } from "#db/queries/sessions/posts";
import { isBannedFrom, isListedFor, isPublic, isVisible, type Viewer } from "#db/queries/visibility";
import type { SeatRole } from "~/domain/roles";
import type { Instant } from "~/domain/time";
import { type SeriesRef, seriesIdAt } from "./slugs";

const { series, sessions, participants, posts, huts } = schema;

/** The hut that the viewer sees, the text of the next session, and the viewer's sanctions. */
export const findPageFacts = (db: Database, ref: SeriesRef, viewer: Viewer) =>
  db
    .select({
      hutId: huts.id,
      hutSlug: huts.slug,
      hutTitle: huts.title,
      contentHtml: sql<
        string | null
      >`(SELECT s.content_html FROM sessions s WHERE s.series_id = ${series.id} AND s.closed_at IS NULL AND s.is_template = 0 AND ${isVisible("sessions", "s", viewer)} ORDER BY s.list_key LIMIT 1)`.as(
        "next_content",
      ),
      sanctions: selectSanctionsIn(viewer, {
        seriesId: sql`${series.id}`,
        hutId: sql`${series.hutId}`,
      }),
    })
    .from(series)
    .leftJoin(huts, and(eq(huts.id, series.hutId), isVisible("huts", "huts", viewer)))
    .where(sql`${series.id} = ${seriesIdAt(ref)}`);

const selectOpenSessions = (ref: SeriesRef, now: Instant, count: number, viewer: Viewer) =>
  selectKeys(
    openSessionList(now),
    { seriesId: seriesIdAt(ref) },
    [],
    { page: 1, perPage: count - 1 },
    viewer,
  );

/** Selects the id of the session that `findNextSession` returns, for statements of the same batch. */
export const selectNextSessionId = (ref: SeriesRef, now: Instant, viewer: Viewer) =>
  sql`(SELECT k.id FROM ${selectOpenSessions(ref, now, 1, viewer)} k)`;

/** The session that runs, otherwise the next, otherwise one that waits for its host (H-10). */
export const findNextSession = (db: Database, ref: SeriesRef, now: Instant, viewer: Viewer) =>
  db
    .select({ id: sessions.id })
    .from(sql`${selectOpenSessions(ref, now, 1, viewer)} k`)
    .innerJoin(sessions, sql`${sessions.id} = k.id`);

/** A row if the viewer sees the series; a ban from its public hut hides nothing (H-13). */
export const findVisibleSeries = (db: Database, ref: SeriesRef, viewer: Viewer) =>
  db
    .select({ id: series.id, slug: series.slug, title: series.title })
    .from(series)
    .where(sql`${series.id} = ${seriesIdAt(ref)} AND ${isVisible("series", "series", viewer)}`);

/** The open sessions that the viewer sees, each with its host, the viewer's seat and the terms of leaving it (R-64). */
export const listOpenSessions = (db: Database, ref: SeriesRef, viewer: Viewer, limit: number) => {
  const host = sql`(SELECT h.user_id FROM participants h WHERE ${isHostOf(sessions)})`;
  return db
    .select({
      id: sessions.id,
      day: sql<string>`${sessions.seriesDay}`.as("laid_day"),
      host: sql<string | null>`(SELECT h.username FROM participants h WHERE ${isHostOf(sessions)})`.as(
        "host_name",
      ),
      isHostHidden: sql<boolean>`NOT (${isUnblocked(sql`${viewer}`, host)})`
        .mapWith(Boolean)
        .as("is_host_hidden"),
      seat: sql<string | null>`${participants.seat}`.as("seat_reference"),
      isHost: sql<boolean>`${participants.isHost}`.mapWith(Boolean).as("seat_is_host"),
      askedAt: sql<Instant | null>`${participants.askedAt}`.as("seat_asked_at"),
      joinedStart: sql<Instant | null>`${participants.joinedStart}`.as("seat_joined_start"),
      isOwn: sql<boolean>`${participants.paidBy} = ${participants.userId}`.mapWith(Boolean).as("seat_is_own"),
      isPrivate: sessions.isPrivate,
      guestLimit: sessions.guestLimit,
      guestsCount: selectGuestCount(sql`${sessions.id}`),
      sanctions: selectSanctionsIn(viewer, {
        sessionId: sql`${sessions.id}`,
        seriesId: sql`${sessions.seriesId}`,
        hutId: sql`${sessions.hutId}`,
      }),
    })
    .from(sessions)
    .leftJoin(participants, isViewersSeat(viewer))
    .where(
      sql`${sessions.seriesId} = ${seriesIdAt(ref)} AND ${sessions.closedAt} IS NULL AND ${isVisible("sessions", "sessions", viewer)}`,
    )
    .orderBy(sessions.listKey)
    .limit(limit);
};

/** A ban from the hut voids the seat (R-56). */
const isViewersSeat = (viewer: Viewer) =>
  and(
    eq(participants.sessionId, sessions.id),
    eq(participants.userId, viewer),
    sql`NOT ${isBannedFrom(sql`${sessions.hutId}`, viewer)}`,
  );

/** The latest recaps of sessions in which the viewer had a seat, searched in the series' last `within` sessions. */
export const listRecaps = (
  db: Database,
  ref: SeriesRef,
  viewer: Viewer,
  { within, limit }: { within: number; limit: number },
) =>
  db
    .select({ id: sessions.id, title: sessions.title, startedAt: sessions.startedAt })
    .from(
      sql`(SELECT t.id AS id FROM sessions t WHERE t.series_id = ${seriesIdAt(ref)} AND t.closed_at IS NOT NULL ORDER BY t.series_day DESC LIMIT ${within}) k`,
    )
    .innerJoin(sessions, sql`${sessions.id} = k.id`)
    .innerJoin(participants, and(eq(participants.sessionId, sessions.id), eq(participants.userId, viewer)))
    .where(sql`${sessions.recap} IS NOT NULL AND ${isListedFor("sessions", viewer)}`)
    .orderBy(desc(sessions.seriesDay))
    .limit(limit);

// ---- the thread

/**
 * A reader of the thread. `seesAll` is true for a super admin in a browser, who reads sessions with a join code too.
 */
type Reader = { viewer: Viewer; userId: number; seesAll: boolean };

/** The post begins a thread in a session that the reader may read: with a join code only with a seat (R-16, Q-27). */
const isInThread = (ref: SeriesRef, { viewer, userId, seesAll }: Reader, page: IdPage) =>
  and(
    sql`${posts.seriesId} = ${seriesIdAt(ref)}`,
    isNull(posts.parentId),
    isShownTo(posts.userId, userId),
    isAfterCursor(posts.id, page),
    isVisible("sessions", "sessions", viewer),
    seesAll ? undefined : sql`(${sessions.joinCode} = '' OR ${participants.userId} IS NOT NULL)`,
  );

/** Newest first, each with its session and the reader's seat there; at most `perPage` + 1 rows (C-05). */
export const listThread = (db: Database, ref: SeriesRef, reader: Reader, page: IdPage) =>
  db
    .select({
      ...getTableColumns(posts),
      sessionStart: sql<Instant | null>`${sessions.startedAt}`.as("session_start"),
      seatRole: sql<SeatRole | null>`${participants.role}`.as("seat_role"),
      seatIsHost: sql<boolean>`${participants.isHost}`.mapWith(Boolean).as("seat_is_host"),
      sanctions: selectSanctionsIn(reader.viewer, {
        sessionId: sql`${sessions.id}`,
        seriesId: sql`${sessions.seriesId}`,
        hutId: sql`${sessions.hutId}`,
      }),
    })
    .from(posts)
    .innerJoin(sessions, eq(sessions.id, posts.sessionId))
    .leftJoin(participants, isViewersSeat(reader.viewer))
    .where(isInThread(ref, reader, page))
    .orderBy(desc(posts.id))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));

/** The replies to the threads of that page, as `listNewestReplies` bounds them. */
export const listThreadReplies = (
  db: Database,
  ref: SeriesRef,
  reader: Reader,
  page: IdPage,
  bounds: ReplyBounds,
) => {
  const threads = db
    .select({ id: posts.id })
    .from(posts)
    .innerJoin(sessions, eq(sessions.id, posts.sessionId))
    .leftJoin(participants, isViewersSeat(reader.viewer))
    .where(isInThread(ref, reader, page))
    .orderBy(desc(posts.id))
    .limit(page.perPage)
    .offset(offsetOf(page));
  return listNewestReplies(db, sql`${threads}`, reader.userId, bounds);
};

/** The session of a post in the thread. */
export const findSessionOfPost = (db: Database, ref: SeriesRef, post: number) =>
  db
    .select({ id: posts.sessionId })
    .from(posts)
    .where(sql`${posts.id} = ${post} AND ${posts.seriesId} = ${seriesIdAt(ref)}`);

// ---- the feed

/** Two statements: the public series, and its upcoming sessions (H-15). */
export const readSeriesFeed = (db: Database, ref: SeriesRef, now: Instant, limit: number) =>
  [
    db
      .select({ title: series.title })
      .from(series)
      .where(sql`${series.id} = ${seriesIdAt(ref)} AND ${isPublic("series")}`),
    listUpcoming(
      db,
      sql`${sessions.seriesId} = (SELECT r.id FROM series r WHERE r.id = ${seriesIdAt(ref)} AND ${isPublic("r")})`,
      now,
      limit,
    ),
  ] as const;

// ---- search engines

/** The newest public series that go on. */
export const listNewestSeries = (db: Database, limit: number) =>
  db
    .select({ id: series.id, slug: series.slug, updatedAt: series.updatedAt })
    .from(series)
    .where(sql`${isPublic("series")} AND ended_at IS NULL`)
    .orderBy(desc(series.id))
    .limit(limit);
