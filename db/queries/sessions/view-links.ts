// Statements on view links of sessions and series (J-10); use cases run them.
import { and, eq, isNull, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { viewLinks, sessions, series } = schema;

/** The session or series whose stage a link shows. */
export type ViewLinkTarget = { sessionId: number } | { seriesId: number };

const isLinkOf = (target: ViewLinkTarget) =>
  "sessionId" in target ? eq(viewLinks.sessionId, target.sessionId) : eq(viewLinks.seriesId, target.seriesId);

export const deleteViewLink = (db: Database, target: ViewLinkTarget) =>
  db.delete(viewLinks).where(isLinkOf(target));

/** Replaces the link; the former link stops working. */
export const renewViewLink = (
  db: Database,
  target: ViewLinkTarget,
  link: { codeHash: string; createdAt: Instant },
) => [deleteViewLink(db, target), db.insert(viewLinks).values({ ...target, ...link })] satisfies Statement[];

export const findViewLink = (db: Database, target: ViewLinkTarget) =>
  db.select({ createdAt: viewLinks.createdAt }).from(viewLinks).where(isLinkOf(target)).limit(1);

const isOpenAt = (now: Instant) => sql`s.closed_at IS NULL AND (s.ended_at IS NULL OR s.ended_at > ${now})`;

/** The title and the session for the stage: in a series the running or next session, or null. No row after the end. */
export const findViewedSession = (db: Database, codeHash: string, now: Instant) =>
  db
    .select({
      title: sql<string>`coalesce(${series.title}, ${sessions.title})`.as("viewed_title"),
      sessionId: sql<number | null>`coalesce(${viewLinks.sessionId}, (SELECT s.id FROM sessions s
        WHERE s.series_id = ${viewLinks.seriesId} AND ${isOpenAt(now)} ORDER BY s.list_key LIMIT 1))`.as(
        "viewed_session",
      ),
    })
    .from(viewLinks)
    .leftJoin(sessions, eq(sessions.id, viewLinks.sessionId))
    .leftJoin(series, eq(series.id, viewLinks.seriesId))
    .where(
      sql`${viewLinks.codeHash} = ${codeHash} AND iif(${viewLinks.seriesId} IS NULL,
        ${sessions.closedAt} IS NULL AND (${sessions.endedAt} IS NULL OR ${sessions.endedAt} > ${now}),
        ${series.endedAt} IS NULL)`,
    );

/** The open sessions whose rooms may have a stage behind the link; each one of a series may have been its next. */
export const listStageSessions = (db: Database, target: ViewLinkTarget) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        "sessionId" in target ? eq(sessions.id, target.sessionId) : eq(sessions.seriesId, target.seriesId),
        isNull(sessions.closedAt),
      ),
    );
