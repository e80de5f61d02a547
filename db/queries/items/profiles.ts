// Statements on the public part of a person's profile (R-77): hosted sessions, huts, and attended sessions. Each has
// the conditions of a visitor, also for members and for the person.
import { desc, eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { orderNextFirst } from "#db/queries/my";
import { nameInHut } from "#db/queries/person-of-row";
import { isShownTo } from "#db/queries/safety/blocks";
import { suspensionOf } from "#db/queries/safety/sanctions";
import { isPublic } from "#db/queries/visibility";
import type { Instant } from "~/domain/time";

const { attendance, huts, persons, sessions, users } = schema;

type ProfileTarget = {
  username: string;
  /** 0 is a visitor. */
  viewer: number;
  now: Instant;
  limit: number;
};

/** How many of the person's newest seats the lists of sessions read. */
const MAX_SEATS_READ = 200;

/** No row for a suspended person, nor with a block in either direction (Q-11, Q-18). */
const isShownPerson = ({ username, viewer, now }: ProfileTarget) =>
  sql`lower(${persons.username}) = ${username.toLowerCase()} AND ${isShownTo(persons.userId, viewer)}
    AND ${suspensionOf(sql`${persons.userId}`, now).getSQL()} IS NULL`;

/** Everybody may see the session: it has no join code, is in no private hut, and was not cancelled. */
const isPublicSession = sql`${isPublic("sessions")} AND ${sessions.joinCode} = '' AND ${sessions.isTemplate} = 0
  AND (${sessions.hutId} IS NULL OR EXISTS (SELECT 1 FROM huts place WHERE place.id = ${sessions.hutId} AND ${isPublic("place")}))
  AND (${sessions.closedAt} IS NULL OR ${sessions.recap} IS NOT NULL)`;

/** Sessions hosted as this person, the next first. */
export const listHostedSessions = (db: Database, target: ProfileTarget) =>
  db
    .select({
      id: sessions.id,
      title: sessions.title,
      startedAt: sessions.startedAt,
      endedAt: sessions.endedAt,
    })
    .from(persons)
    .innerJoin(
      sql`(SELECT user_id, person_id, session_id, is_host FROM participants
        WHERE user_id = (SELECT user_id FROM persons WHERE lower(username) = ${target.username.toLowerCase()}) ORDER BY session_id DESC LIMIT ${MAX_SEATS_READ}) seat`,
      sql`seat.person_id = ${persons.id} AND seat.is_host = 1`,
    )
    .innerJoin(sessions, sql`${sessions.id} = seat.session_id`)
    .where(sql`${isShownPerson(target)} AND ${isPublicSession}`)
    .orderBy(...orderNextFirst(target.now))
    .limit(target.limit);

/** The account of a person who shows attended sessions and the streak; no row for anybody else. */
export const findAccountShowingAttended = (db: Database, target: ProfileTarget) =>
  db
    .select({ userId: users.id, timeZone: users.timeZone })
    .from(persons)
    .innerJoin(users, eq(users.id, persons.userId))
    .where(sql`${isShownPerson(target)} AND ${persons.showsAttended} = 1`)
    .limit(1);

/** Sessions of other hosts that this person attended, newest first; none unless the person shows them. */
export const listAttendedSessions = (db: Database, target: ProfileTarget) =>
  db
    .select({
      id: sessions.id,
      title: sessions.title,
      startedAt: sessions.startedAt,
      endedAt: sessions.endedAt,
    })
    .from(persons)
    .innerJoin(
      sql`(SELECT user_id, person_id, session_id, is_host FROM participants
        WHERE user_id = (SELECT user_id FROM persons WHERE lower(username) = ${target.username.toLowerCase()}) ORDER BY session_id DESC LIMIT ${MAX_SEATS_READ}) seat`,
      sql`seat.person_id = ${persons.id} AND seat.is_host = 0`,
    )
    .innerJoin(
      attendance,
      sql`${attendance.userId} = seat.user_id AND ${attendance.sessionId} = seat.session_id AND ${attendance.hasCome} = 1`,
    )
    .innerJoin(sessions, sql`${sessions.id} = seat.session_id`)
    .where(sql`${isShownPerson(target)} AND ${persons.showsAttended} = 1 AND ${isPublicSession}`)
    .orderBy(...orderNextFirst(target.now))
    .limit(target.limit);

/**
 * Public huts that the account owns, newest first, each on the profile of the person as whom the owner belongs to it.
 */
export const listPublicHuts = (db: Database, target: ProfileTarget) =>
  db
    .select({ slug: huts.slug, title: huts.title })
    .from(persons)
    .innerJoin(
      huts,
      sql`${huts.ownerId} = ${persons.userId} AND ${nameInHut(sql`${huts.id}`, sql`${huts.ownerId}`)} = ${persons.username}`,
    )
    .where(sql`${isShownPerson(target)} AND ${isPublic("huts")}`)
    .orderBy(desc(huts.id))
    .limit(target.limit);
