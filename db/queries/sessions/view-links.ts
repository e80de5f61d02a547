// Statements on view links of sessions and series (J-10); use cases run them.
import { and, eq, isNull, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";

const { viewLinks, sessions, series } = schema;

/** The session or series whose stage a link shows. */
export type Viewed = { sessionId: number } | { seriesId: number };

const isOf = (target: Viewed) =>
  "sessionId" in target ? eq(viewLinks.sessionId, target.sessionId) : eq(viewLinks.seriesId, target.seriesId);

export const deleteViewLink = (db: Database, target: Viewed) => db.delete(viewLinks).where(isOf(target));

/** Replaces the link, which voids the former one. */
export const renewViewLink = (db: Database, target: Viewed, link: { codeHash: string; createdAt: Instant }) =>
  [deleteViewLink(db, target), db.insert(viewLinks).values({ ...target, ...link })] satisfies Statement[];

export const findViewLink = (db: Database, target: Viewed) =>
  db.select({ createdAt: viewLinks.createdAt }).from(viewLinks).where(isOf(target)).limit(1);

const isOpenAt = (now: Instant) => sql`s.closed_at IS NULL AND (s.ended_at IS NULL OR s.ended_at > ${now})`;

/** The title, and the session on the stage: of a series the running or next one, null without one. No row once it has ended. */
export const findViewed = (db: Database, codeHash: string, now: Instant) =>
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

/** The sessions on whose rooms a stage behind the link may listen; any of a series may have been its next one. */
export const listOnStage = (db: Database, target: Viewed) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        "sessionId" in target ? eq(sessions.id, target.sessionId) : eq(sessions.seriesId, target.seriesId),
        isNull(sessions.closedAt),
      ),
    );
