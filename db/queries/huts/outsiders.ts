// Statements on outsiders, people who have seats or series in a hut that becomes private, and are no members (R-87).
// Use cases run them in the batch that makes the hut private, before that change.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { recordEvent } from "#db/queries/notices/events";
import type { Act } from "#db/queries/safety/audit";
import { isLetIntoHut } from "#db/queries/safety/sanctions";
import { recordDepartures } from "#db/queries/sessions/calendar-invites";
import { mayHostSeries, mayHostSession } from "#db/queries/sessions/hand-over";
import { isHostOf, refundSeatsWhere } from "#db/queries/sessions/participants";
import type { NewEvent } from "~/domain/notices/cause";
import type { Instant } from "~/domain/time";

const { activities, hutMembers, participants, rotaHosts, series, sessions, standingSeats, waiters } = schema;

/** A public hut that becomes private; `departures` are the calendar causes of its sessions ahead. */
export type Closing = {
  hutId: number;
  now: Instant;
  lostSeatEvent: NewEvent<"hut-private">;
  departures: readonly { sessionId: number; cause: NewEvent<"calendar"> }[];
  ownerId: number;
  /** The sessions and series of outsiders that the hut's owner takes over. */
  takenOver: {
    sessions: readonly TakenSession[];
    series: readonly { id: number; hostId: number; hostName: string }[];
  };
};
export type TakenSession = {
  sessionId: number;
  hostId: number;
  /** The ledger reference of the owner's seat. */
  seat: string;
  isAhead: boolean;
  invitation: NewEvent<"calendar">;
  hostGivenEvent: NewEvent<"host-given">;
  act: Act;
};

/** The hut is public, and the user neither owns it nor belongs to it. */
const isOutside = (user: SQL, hutId: number | SQL): SQL =>
  sql`(EXISTS (SELECT 1 FROM huts oh WHERE oh.id = ${hutId} AND oh.is_private = 0 AND oh.owner_id <> ${user})
    AND NOT EXISTS (SELECT 1 FROM hut_members om WHERE om.hut_id = ${hutId} AND om.user_id = ${user}))`;

/** A session `s` of the hut that has not begun. */
const isAhead = (hutId: number, now: Instant): SQL =>
  sql`s.hut_id = ${hutId} AND s.closed_at IS NULL AND (s.started_at IS NULL OR s.started_at > ${now})`;
/** The host of the session `s` is an outsider. */
export const isHostedByOutsider = (hutId: number | SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM participants h WHERE ${isHostOf(sql`s`)} AND ${isOutside(sql`h.user_id`, hutId)})`;
const SEAT_COUNT = sql`(SELECT count(*) FROM participants c WHERE c.session_id = sessions.id)`;
const isSeriesOfHut = (id: SQL, hutId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM series here WHERE here.id = ${id} AND here.hut_id = ${hutId})`;

/** The outsiders with a seat, a place on a waiting list, a series or a turn in the hut, each with a person known there. */
const outsidersOf = (hutId: number | SQL): SQL =>
  sql`(SELECT held.id, min(held.person_id) AS person_id FROM (
    SELECT p.user_id AS id, p.person_id FROM participants p JOIN sessions s ON s.id = p.session_id WHERE s.hut_id = ${hutId} AND s.closed_at IS NULL
    UNION SELECT w.user_id, w.person_id FROM waiters w JOIN sessions s ON s.id = w.session_id WHERE s.hut_id = ${hutId} AND s.closed_at IS NULL
    UNION SELECT r.owner_id, r.person_id FROM series r WHERE r.hut_id = ${hutId} AND r.ended_at IS NULL
    UNION SELECT t.user_id, t.person_id FROM standing_seats t JOIN series r ON r.id = t.series_id WHERE r.hut_id = ${hutId} AND r.ended_at IS NULL
    UNION SELECT t.user_id, t.person_id FROM rota_hosts t JOIN series r ON r.id = t.series_id WHERE r.hut_id = ${hutId} AND r.ended_at IS NULL
  ) held WHERE ${isOutside(sql`held.id`, hutId)} GROUP BY held.id)`;

/** Counts the outsiders, the guests among them, and the sessions and series that they host, for the form. */
export const countOutsiders = (db: Database, hutId: number | SQL) =>
  db
    .select({
      people: sql<number>`(SELECT count(*) FROM ${outsidersOf(hutId)})`.as("outside_people"),
      guests:
        sql<number>`(SELECT count(*) FROM ${outsidersOf(hutId)} o JOIN users g ON g.id = o.id WHERE g.guest_of IS NOT NULL)`.as(
          "outside_guests",
        ),
      sessions:
        sql<number>`(SELECT count(*) FROM sessions s WHERE s.hut_id = ${hutId} AND s.closed_at IS NULL AND ${isHostedByOutsider(hutId)})`.as(
          "outside_sessions",
        ),
      series:
        sql<number>`(SELECT count(*) FROM series r WHERE r.hut_id = ${hutId} AND r.ended_at IS NULL AND ${isOutside(sql`r.owner_id`, hutId)})`.as(
          "outside_series",
        ),
    })
    .from(sql`(SELECT 1)`);

/** Makes outsiders members, except guests, whom no hut takes in (H-26), and people whom a ban keeps out. */
export const admitOutsiders = (db: Database, hutId: number, now: Instant): Statement =>
  insertFrom(
    db,
    hutMembers,
    {
      hutId,
      userId: sql`u.id`,
      personId: sql`o.person_id`,
      joinedAt: now,
    },
    sql`FROM ${outsidersOf(hutId)} o JOIN users u ON u.id = o.id WHERE u.email NOT LIKE '%@deleted.invalid'
      AND u.guest_of IS NULL AND ${isLetIntoHut({ userId: sql`u.id`, now }, hutId)}`,
  ).onConflictDoNothing();

/** The hut's sessions that have not begun, whose rooms and plans the use case updates after the batch. */
export const listSessionsAhead = (db: Database, hutId: number, now: Instant, limit: number) =>
  db
    .select({
      id: sql<number>`s.id`.as("ahead_id"),
      startedAt: sql<Instant | null>`s.started_at`.as("ahead_start"),
    })
    .from(sql`sessions s`)
    .where(isAhead(hutId, now))
    .limit(limit);

type TakeOver = { hutId: number; ownerId: number; admits: boolean; now: Instant };

/** The user is outside the hut, also after `admitOutsiders`. */
const staysOutside = (user: SQL, { hutId, admits, now }: TakeOver): SQL =>
  admits
    ? sql`(${isOutside(user, hutId)} AND NOT ${isLetIntoHut({ userId: user, now }, hutId)})`
    : isOutside(user, hutId);

/** The open sessions of hosts who stay outside, which the hut's owner may host (R-88). */
export const listSessionsToTakeOver = (db: Database, hut: TakeOver, limit: number) =>
  db
    .select({
      sessionId: sql<number>`s.id`.as("taken_id"),
      title: sql<string>`s.title`.as("taken_title"),
      startedAt: sql<Instant | null>`s.started_at`.as("taken_start"),
      hostId: sql<number>`h.user_id`.as("taken_from"),
      hostName: sql<string>`h.username`.as("taken_name"),
    })
    .from(sql`sessions s JOIN participants h ON ${isHostOf(sql`s`)}`)
    .where(
      sql`s.hut_id = ${hut.hutId} AND s.closed_at IS NULL AND (s.started_at IS NULL OR s.ended_at IS NULL OR s.ended_at > ${hut.now})
        AND ${staysOutside(sql`h.user_id`, hut)} AND ${mayHostSession(hut.ownerId, hut.now)}`,
    )
    .limit(limit);

/**
 * Counts the seats of a running session again and raises its limit for the owner's seat, because nobody loses theirs.
 */
export const raiseLimitForOwner = (db: Database, sessionId: number): Statement =>
  db
    .update(sessions)
    .set({
      participantsCount: SEAT_COUNT,
      participantLimit: sql`iif(participant_limit > 0, max(participant_limit, ${SEAT_COUNT}), participant_limit)`,
    })
    .where(sql`id = ${sessionId} AND participants_count <> ${SEAT_COUNT}`);

/** The series of hosts who stay outside, which the hut's owner may host (R-88). */
export const listSeriesToTakeOver = (db: Database, hut: TakeOver) =>
  db
    .select({
      id: sql<number>`r.id`.as("taken_id"),
      hostId: sql<number>`r.owner_id`.as("taken_from"),
      hostName: sql<string>`h.username`.as("taken_name"),
    })
    .from(sql`series r JOIN users h ON h.id = r.owner_id`)
    .where(
      sql`r.hut_id = ${hut.hutId} AND r.ended_at IS NULL AND ${staysOutside(sql`r.owner_id`, hut)}
        AND ${mayHostSeries(sql`${hut.ownerId}`, hut.now)}`,
    );

/** Takes outsiders' activities out of the hut, because its owner must not hide what others own. */
export const releaseActivities = (db: Database, hutId: number): Statement =>
  db
    .update(activities)
    .set({ hutId: null })
    .where(and(eq(activities.hutId, hutId), isOutside(sql`activities.owner_id`, hutId)));

/**
 * Takes outsiders' sessions out of the hut, also ended ones, and makes them private: only people with a seat see them.
 */
export const releaseSessions = (db: Database, hutId: number): Statement =>
  db
    .update(sessions)
    .set({ hutId: null, isPrivate: true })
    .where(
      and(
        eq(sessions.hutId, hutId),
        sql`EXISTS (SELECT 1 FROM participants h WHERE ${isHostOf(sessions)} AND ${isOutside(sql`h.user_id`, hutId)})`,
      ),
    );

export const releaseSeries = (db: Database, { hutId, now }: Closing): Statement =>
  db
    .update(series)
    .set({ hutId: null, isPrivate: true, template: sql`json_remove(template, '$.hutId')`, updatedAt: now })
    .where(and(eq(series.hutId, hutId), isOutside(sql`series.owner_id`, hutId)));

/**
 * Deletes outsiders' seats in sessions that have not begun, with refunds, and their places on waiting lists. It records
 * the notice to everybody who loses a seat, so it runs before the statements that end standing seats and turns.
 */
export function freeOutsiders(
  db: Database,
  { hutId, now, lostSeatEvent, departures, takenOver }: Closing,
): Statement[] {
  const isOutsidersSeat = (row: string) =>
    sql`EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${sql.raw(row)}.session_id AND ${isAhead(hutId, now)}) AND ${sql.raw(row)}.is_host = 0
      AND ${isOutside(sql.raw(`${row}.user_id`), hutId)}`;
  const isOutsidersWait = (row: string) =>
    sql`EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${sql.raw(row)}.session_id AND s.hut_id = ${hutId} AND s.closed_at IS NULL)
      AND ${isOutside(sql.raw(`${row}.user_id`), hutId)}`;
  const seatHolders = sql`SELECT p.user_id AS id FROM participants p WHERE ${isOutsidersSeat("p")}`;
  const hostIds = JSON.stringify([...takenOver.sessions, ...takenOver.series].map(({ hostId }) => hostId));
  const succeeded = sql`SELECT value AS id FROM json_each(${hostIds}) WHERE ${isOutside(sql`value`, hutId)}`;
  const to = sql`${seatHolders} UNION ${succeeded} UNION SELECT w.user_id FROM waiters w WHERE ${isOutsidersWait("w")}
    UNION SELECT t.user_id FROM standing_seats t WHERE ${isSeriesOfHut(sql`t.series_id`, hutId)} AND ${isOutside(sql`t.user_id`, hutId)}
    UNION SELECT t.user_id FROM rota_hosts t WHERE ${isSeriesOfHut(sql`t.series_id`, hutId)} AND ${isOutside(sql`t.user_id`, hutId)}`;
  const payers = sql`${seatHolders} AND p.paid_by = p.user_id AND EXISTS (SELECT 1 FROM token_entries e WHERE e.reference = p.seat AND e.amount < 0)`;
  return [
    recordEvent(db, lostSeatEvent, { idLists: { to, payers, succeeded } }),
    ...departures.map(({ sessionId, cause }) =>
      recordDepartures(db, cause, sessionId, isOutside(sql`p.user_id`, hutId)),
    ),
    ...refundSeatsWhere(db, now, isOutsidersSeat("p")),
    db.delete(participants).where(isOutsidersSeat("participants")),
    db
      .update(sessions)
      .set({ participantsCount: SEAT_COUNT })
      .where(
        sql`id IN (SELECT s.id FROM sessions s WHERE ${isAhead(hutId, now)}) AND participants_count <> ${SEAT_COUNT}`,
      ),
    db.delete(waiters).where(isOutsidersWait("waiters")),
  ];
}

export const endStanding = (db: Database, hutId: number): Statement =>
  db
    .delete(standingSeats)
    .where(
      and(isSeriesOfHut(sql`standing_seats.series_id`, hutId), isOutside(sql`standing_seats.user_id`, hutId)),
    );

export const endTurns = (db: Database, hutId: number): Statement =>
  db
    .delete(rotaHosts)
    .where(and(isSeriesOfHut(sql`rota_hosts.series_id`, hutId), isOutside(sql`rota_hosts.user_id`, hutId)));
