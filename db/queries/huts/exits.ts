// The end of a stay in a hut (R-56): what a person holds in it, and the statements that end that in one batch with the
// ban or the leave. Use cases run them.
import { and, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { isHostOf } from "#db/queries/sessions/participants";
import { isNoticeVisible } from "#db/queries/visibility";
import { SEAT_ROLE } from "~/domain/roles";
import type { Instant } from "~/domain/time";

const { sessions, series, standingSeats, rotaHosts, participants, notices, users, persons } = schema;

type Stay = { hutId: number; userId: number };
type Ended = Stay & { condition: SQL };

const isSeriesHere = (id: SQL, hutId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM series here WHERE here.id = ${id} AND here.hut_id = ${hutId})`;

/** The person's standing seats in the hut's series end. */
export const endStanding = (db: Database, { hutId, userId, condition }: Ended): Statement[] => [
  db
    .delete(standingSeats)
    .where(
      and(eq(standingSeats.userId, userId), isSeriesHere(sql`standing_seats.series_id`, hutId), condition),
    ),
];

/** The person's turns in the rotas of the hut's series end. */
export const endTurns = (db: Database, { hutId, userId, condition }: Ended): Statement[] => [
  db
    .delete(rotaHosts)
    .where(and(eq(rotaHosts.userId, userId), isSeriesHere(sql`rota_hosts.series_id`, hutId), condition)),
];

/** The series that the person hosts leave a public hut; in a private hut they end. */
export const partSeries = (
  db: Database,
  { hutId, userId, isPrivate, now, condition }: Ended & { isPrivate: boolean; now: Instant },
): Statement[] => [
  db
    .update(series)
    .set(
      isPrivate
        ? { endedAt: sql`coalesce(ended_at, ${now})`, updatedAt: now }
        : { hutId: null, template: sql`json_remove(template, '$.hutId')`, updatedAt: now },
    )
    .where(and(eq(series.ownerId, userId), eq(series.hutId, hutId), condition)),
];

/** The sessions that the person hosts leave the hut, those that are over as well. */
export const releaseSessions = (db: Database, { hutId, userId, condition }: Ended): Statement =>
  db
    .update(sessions)
    .set({ hutId: null })
    .where(
      and(
        eq(sessions.hutId, hutId),
        sql`EXISTS (SELECT 1 FROM participants h WHERE ${isHostOf(sessions)} AND h.user_id = ${userId})`,
        condition,
      ),
    );

/** Notices of what the person may not open any more go; after the statements that end the stay. */
export const deleteUnseenNotices = (db: Database, userId: number): Statement =>
  db
    .delete(notices)
    .where(
      and(
        eq(notices.userId, userId),
        sql`NOT ${isNoticeVisible({ subject: sql`notices.subject`, body: sql`notices.body` }, sql`${userId}`)}`,
      ),
    );

const isHeld = (session: SQL, userId: number): SQL =>
  sql`(EXISTS (SELECT 1 FROM participants p WHERE p.session_id = ${session} AND p.user_id = ${userId})
    OR EXISTS (SELECT 1 FROM waiters w WHERE w.session_id = ${session} AND w.user_id = ${userId}))`;
const heldBy = (userId: number): SQL =>
  sql`${sessions.id} IN (SELECT p.session_id FROM participants p WHERE p.user_id = ${userId} UNION SELECT w.session_id FROM waiters w WHERE w.user_id = ${userId})`;

/** The sessions of a hut or a series that are not closed, in which the person has a seat or waits for one. */
export const listHeld = (db: Database, place: { hutId: number } | { seriesId: number }, userId: number) =>
  db
    .select({ id: sessions.id, startedAt: sessions.startedAt, endedAt: sessions.endedAt })
    .from(sessions)
    .where(
      and(
        heldBy(userId),
        isNull(sessions.closedAt),
        "hutId" in place ? eq(sessions.hutId, place.hutId) : eq(sessions.seriesId, place.seriesId),
      ),
    )
    .orderBy(sessions.id);

/** The latest ended sessions of a hut in which the person had a seat: their rooms may have a page open. */
export const listEnded = (db: Database, { hutId, userId }: Stay, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(participants)
    .innerJoin(sessions, eq(sessions.id, participants.sessionId))
    .where(and(eq(participants.userId, userId), eq(sessions.hutId, hutId), isNotNull(sessions.closedAt)))
    .orderBy(desc(sessions.closedAt))
    .limit(limit);

/** Inside a batch: the person holds nothing in the hut but seats in sessions that run or are over. */
export const holdsNothingAhead = ({ hutId, userId }: Stay, now: Instant): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM sessions ahead WHERE ahead.hut_id = ${hutId} AND ahead.closed_at IS NULL
    AND (ahead.started_at IS NULL OR ahead.started_at > ${now}) AND ${isHeld(sql`ahead.id`, userId)})`;

/**
 * A seat for the person who takes a running session over; costs nothing, and applies only while `from` is the host. The
 * batch counts the seats again afterwards.
 */
export const seatSuccessor = (
  db: Database,
  {
    sessionId,
    from,
    to,
    seat,
    now,
  }: { sessionId: number; from: number; to: number; seat: string; now: Instant },
): Statement =>
  insertFrom(
    db,
    participants,
    {
      sessionId: sql`s.id`,
      userId: sql`${users.id}`,
      personId: sql`${persons.id}`,
      username: sql`${persons.username}`,
      role: SEAT_ROLE.admin,
      seat,
      paidBy: sql`${users.id}`,
      joinedAt: now,
      joinedStart: sql`s.started_at`,
    },
    sql`FROM sessions s JOIN ${users} ON ${users.id} = ${to} JOIN ${persons} ON ${persons.id} = ${users.personId}
        WHERE s.id = ${sessionId} AND s.closed_at IS NULL
        AND EXISTS (SELECT 1 FROM participants h WHERE ${isHostOf(sql`s`)} AND h.user_id = ${from})`,
  ).onConflictDoNothing();

export const countSeats = (db: Database, sessionId: number): Statement =>
  db
    .update(sessions)
    .set({ participantsCount: sql`(SELECT count(*) FROM participants c WHERE c.session_id = sessions.id)` })
    .where(
      sql`id = ${sessionId} AND participants_count <> (SELECT count(*) FROM participants c WHERE c.session_id = sessions.id)`,
    );
