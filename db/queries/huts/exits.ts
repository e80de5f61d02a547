// Statements on the end of a person's stay in a hut (R-56): they end the person's seats, turns and series in it. Use
// cases run them in the batch of the ban or the leave.
import { and, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { personInHut, personInRota, personOf } from "#db/queries/person-of-row";
import { isHostOf } from "#db/queries/sessions/participants";
import { isBannedFrom, isNoticeVisible } from "#db/queries/visibility";
import { SEAT_ROLE } from "~/domain/roles";
import type { Instant } from "~/domain/time";

const { sessions, series, standingSeats, rotaHosts, participants, notices, users, persons } = schema;

type Stay = { hutId: number; userId: number };
type StayEnded = Stay & { condition: SQL };

const isSeriesOfHut = (id: SQL, hutId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM series here WHERE here.id = ${id} AND here.hut_id = ${hutId})`;

/** Ends the person's standing seats in the hut's series. */
export const endStanding = (db: Database, { hutId, userId, condition }: StayEnded): Statement[] => [
  db
    .delete(standingSeats)
    .where(
      and(eq(standingSeats.userId, userId), isSeriesOfHut(sql`standing_seats.series_id`, hutId), condition),
    ),
];

/** Ends the person's turns in the rotas of the hut's series. */
export const endTurns = (db: Database, { hutId, userId, condition }: StayEnded): Statement[] => [
  db
    .delete(rotaHosts)
    .where(and(eq(rotaHosts.userId, userId), isSeriesOfHut(sql`rota_hosts.series_id`, hutId), condition)),
];

/** Takes the series that the person hosts out of a public hut, and ends them in a private hut. */
export const releaseOrEndSeries = (
  db: Database,
  { hutId, userId, isPrivate, now, condition }: StayEnded & { isPrivate: boolean; now: Instant },
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

/** Takes the sessions that the person hosts out of the hut, also ended sessions. */
export const releaseSessions = (db: Database, { hutId, userId, condition }: StayEnded): Statement =>
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

/** A condition on the session `s`: the person hosts it. */
export const isHostedByPerson = (userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM participants h WHERE ${isHostOf(sql`s`)} AND h.user_id = ${userId})`;

/**
 * Deletes the seats of banned people in the hut's sessions `s` for which `condition` holds. Runs before these leave the
 * hut, whose ban is all that hides an ended session from them (R-56).
 */
export const deleteSeatsOfBanned = (db: Database, hutId: number, condition: SQL): Statement[] => {
  const bannedSeats = sql`(SELECT p.session_id, p.user_id FROM sessions s JOIN participants p ON p.session_id = s.id
    WHERE s.hut_id = ${hutId} AND p.is_host = 0 AND ${isBannedFrom(sql`${hutId}`, sql`p.user_id`)} AND ${condition})`;
  return [
    db
      .update(sessions)
      .set({
        participantsCount: sql`participants_count - (SELECT count(*) FROM ${bannedSeats} b WHERE b.session_id = sessions.id)`,
      })
      .where(sql`id IN (SELECT b.session_id FROM ${bannedSeats} b)`),
    db.delete(participants).where(sql`(session_id, user_id) IN ${bannedSeats}`),
  ];
};

/** Deletes notices that the person may no longer open. Runs after the statements that end the stay. */
export const deleteUnseenNotices = (db: Database, userId: number): Statement =>
  db
    .delete(notices)
    .where(
      and(
        eq(notices.userId, userId),
        sql`NOT ${isNoticeVisible({ subject: sql`notices.subject`, body: sql`notices.body` }, sql`${userId}`)}`,
      ),
    );

const isAttachedTo = (session: SQL, userId: number): SQL =>
  sql`(EXISTS (SELECT 1 FROM participants p WHERE p.session_id = ${session} AND p.user_id = ${userId})
    OR EXISTS (SELECT 1 FROM waiters w WHERE w.session_id = ${session} AND w.user_id = ${userId}))`;
const isJoinedOrAwaitedBy = (userId: number): SQL =>
  sql`${sessions.id} IN (SELECT p.session_id FROM participants p WHERE p.user_id = ${userId} UNION SELECT w.session_id FROM waiters w WHERE w.user_id = ${userId})`;

/** The open sessions of a hut or a series in which the person has a seat or waits for one. */
export const listOpenSessionsOfPerson = (
  db: Database,
  parent: { hutId: number } | { seriesId: number },
  userId: number,
) =>
  db
    .select({ id: sessions.id, startedAt: sessions.startedAt, endedAt: sessions.endedAt })
    .from(sessions)
    .where(
      and(
        isJoinedOrAwaitedBy(userId),
        isNull(sessions.closedAt),
        "hutId" in parent ? eq(sessions.hutId, parent.hutId) : eq(sessions.seriesId, parent.seriesId),
      ),
    )
    .orderBy(sessions.id);

/** The latest ended sessions of a hut in which the person has a seat, because a page of theirs may still be open. */
export const listEndedSessions = (db: Database, { hutId, userId }: Stay, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(participants)
    .innerJoin(sessions, eq(sessions.id, participants.sessionId))
    .where(and(eq(participants.userId, userId), eq(sessions.hutId, hutId), isNotNull(sessions.closedAt)))
    .orderBy(desc(sessions.closedAt))
    .limit(limit);

/**
 * A condition inside a batch: the person neither has a seat nor waits in a session of the hut that has not begun. A
 * template keeps its host.
 */
export const holdsNothingAhead = ({ hutId, userId }: Stay, now: Instant): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM sessions ahead WHERE ahead.hut_id = ${hutId} AND ahead.closed_at IS NULL
    AND (ahead.started_at IS NULL OR ahead.started_at > ${now}) AND ${isAttachedTo(sql`ahead.id`, userId)}
    AND NOT (ahead.is_template = 1 AND EXISTS (SELECT 1 FROM participants h WHERE ${isHostOf(sql`ahead`)} AND h.user_id = ${userId})))`;

/**
 * Gives the person who takes a session over a seat, only while `from` is its host, under the name that its rota or its hut
 * knows. It charges nothing, and the batch counts the seats again afterwards.
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
): Statement => {
  const person = sql`coalesce(${personInRota(sql`s.series_id`, sql`${users.id}`)}, ${personInHut(sql`s.hut_id`, sql`${users.id}`)})`;
  return insertFrom(
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
    sql`FROM sessions s JOIN ${users} ON ${users.id} = ${to} JOIN ${persons} ON ${persons.id} = ${personOf(person, sql`${users.id}`)}
        WHERE s.id = ${sessionId} AND s.closed_at IS NULL
        AND EXISTS (SELECT 1 FROM participants h WHERE ${isHostOf(sql`s`)} AND h.user_id = ${from})`,
  ).onConflictDoNothing();
};

/** Counts the seats again, where the stored number is wrong. */
export const updateSeatCount = (db: Database, sessionId: number): Statement =>
  db
    .update(sessions)
    .set({ participantsCount: sql`(SELECT count(*) FROM participants c WHERE c.session_id = sessions.id)` })
    .where(
      sql`id = ${sessionId} AND participants_count <> (SELECT count(*) FROM participants c WHERE c.session_id = sessions.id)`,
    );
