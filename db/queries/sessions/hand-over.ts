// Statements on the hand-over of a session: the only ones that move the host role (R-05, R-55), and the search for the
// next host (R-88). Use cases run them.
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { isUnblocked, recordEvent } from "#db/queries/notices/events";
import { isLetIn, liftSanction } from "#db/queries/safety/sanctions";
import { isVisible, type Viewer } from "#db/queries/visibility";
import { literal } from "#db/schema/columns";
import type { NewEvent } from "~/domain/notices/cause";
import { HUT_ROLE, SEAT_ROLE } from "~/domain/roles";
import type { Instant } from "~/domain/time";
import { laterVersion, saveNoGuests } from "./guest-limits";
import { isHostedBy, isHostOf } from "./participants";

const { participants, sessions } = schema;

/** It is an account, and no guest's row (H-26), that is neither deleted nor about to be deleted (R-67, R-88). */
export const isAccountKept = (userId: Viewer): SQL =>
  sql`EXISTS (SELECT 1 FROM users th WHERE th.id = ${userId} AND th.guest_of IS NULL AND th.deletion_due_at IS NULL AND th.email NOT LIKE '%@deleted.invalid')`;

/**
 * The user may host in the series `r`: the account stays, no ban keeps it out, and no block exists with the series'
 * owner (R-88).
 */
export const mayHostSeries = (userId: SQL, now: Instant): SQL =>
  sql`(${isAccountKept(userId)} AND ${isLetIn({ userId, now }, { id: sql`0`, seriesId: sql`r.id`, hutId: sql`r.hut_id` })}
    AND ${isUnblocked(userId, sql`r.owner_id`)} AND ${isVisible("series", "r", userId)})`;

/** The user may host the session `s`; in a session of a series, no block exists with the series' owner (R-88). */
export const mayHostSession = (userId: Viewer, now: Instant): SQL =>
  sql`(${isAccountKept(userId)} AND ${isLetIn({ userId, now }, { id: sql`s.id`, seriesId: sql`s.series_id`, hutId: sql`s.hut_id` })}
    AND ${isVisible("sessions", "s", userId)}
    AND NOT EXISTS (SELECT 1 FROM series sr WHERE sr.id = s.series_id AND NOT (${isUnblocked(sql`${userId}`, sql`sr.owner_id`)})))`;

/** The next host after `userId`: the series' owner, then an admin, then the earliest, of those whom R-88 allows. */
export const findHeir = (
  db: Database,
  { sessionId, userId, now }: { sessionId: number; userId: number; now: Instant },
) =>
  db
    .select({ userId: participants.userId })
    .from(participants)
    .innerJoin(sql`sessions s`, sql`s.id = ${participants.sessionId}`)
    .where(
      and(
        eq(participants.sessionId, sessionId),
        sql`${participants.userId} <> ${userId}`,
        mayHostSession(sql`${participants.userId}`, now),
      ),
    )
    .orderBy(
      sql`${participants.userId} IS NOT (SELECT o.owner_id FROM series o WHERE o.id = s.series_id)`,
      desc(participants.role),
      asc(participants.joinedAt),
      asc(participants.userId),
    )
    .limit(1);

/**
 * The owner, otherwise a moderator, of the session's hut, to take over a running session of a private hut (R-56, R-88).
 */
export const findKeeper = (
  db: Database,
  { sessionId, userId, now }: { sessionId: number; userId: number; now: Instant },
) =>
  db
    .select({ userId: sql<number>`k.user_id`.as("keeper") })
    .from(
      sql`sessions s JOIN (SELECT id AS hut_id, owner_id AS user_id, 0 AS rank FROM huts UNION ALL SELECT hut_id, user_id, 1 FROM hut_members WHERE role = ${literal(HUT_ROLE.moderator)}) k ON k.hut_id = s.hut_id`,
    )
    .where(sql`s.id = ${sessionId} AND k.user_id <> ${userId} AND ${mayHostSession(sql`k.user_id`, now)}`)
    .orderBy(sql`k.rank`, sql`k.user_id`)
    .limit(1);

/**
 * Moves the host role, so that a session always has exactly one host (R-05), and notifies the new host. It ends their
 * mute, and free joining, for which they would pay (R-55). The previous host stays admin. Nobody whom R-88 refuses
 * becomes host. A repeat changes no row. `condition` is a further condition on the state before.
 */
export const handOver = (
  db: Database,
  { sessionId, userId, keepsFree }: { sessionId: number; userId: number; keepsFree: boolean },
  cause: NewEvent<"host-given">,
  condition: SQL = sql`true`,
): Statement[] => {
  const mayBecomeHost = sql`EXISTS (SELECT 1 FROM participants o JOIN sessions s ON s.id = o.session_id
    WHERE o.session_id = ${sessionId} AND o.user_id = ${userId} AND o.is_host = 0 AND ${mayHostSession(userId, cause.at)})`;
  const willMove = sql`${mayBecomeHost} AND ${condition}`;
  const mute = { scope: "session", targetId: sessionId, userId, kind: "mute" } as const;
  const endsFree = keepsFree ? sql`0` : sql`(SELECT is_free FROM sessions WHERE id = ${sessionId})`;
  return [
    recordEvent(db, cause, { condition: willMove, textFields: { endsFree } }),
    // A host must be able to write.
    liftSanction(db, mute, cause.at, willMove),
    ...(keepsFree ? [] : [stopFreeJoining(db, sessionId, cause.at, willMove)]),
    // The new host would pay for further guests too (H-20). Guests who have a seat stay.
    saveNoGuests(db, sessionId, cause.at, willMove),
    db
      .update(participants)
      .set({ isHost: false, role: SEAT_ROLE.admin })
      .where(and(eq(participants.sessionId, sessionId), eq(participants.isHost, true), willMove)),
    db
      .update(participants)
      .set({ isHost: true, role: SEAT_ROLE.admin })
      .where(
        and(
          eq(participants.sessionId, sessionId),
          eq(participants.userId, userId),
          eq(participants.isHost, false),
          // The previous statement has taken the role from the former host, if anything moves.
          sql`NOT EXISTS (SELECT 1 FROM participants h WHERE h.session_id = ${sessionId} AND h.is_host = 1)`,
        ),
      ),
  ];
};

/**
 * Takes the addresses of a host who did not choose the hand-over out of the session, as a save of it (R-69). Addresses
 * that it has from a series of somebody else stay. Runs before `handOver` in its batch, under the same `condition`.
 */
export const dropLinks = (
  db: Database,
  {
    sessionId,
    from,
    keepsCall,
    now,
  }: { sessionId: number; from: number; keepsCall: boolean | SQL; now: Instant },
  condition: SQL = sql`true`,
): Statement => {
  const isOwn = (column: SQL, path: SQL) =>
    sql`(${column} <> '' AND ${column} IS NOT (SELECT r.template ->> ${path} FROM series r WHERE r.id = sessions.series_id AND r.owner_id <> ${from}))`;
  const isOwnPage = isOwn(sql`donation_link`, sql`'$.donationLink'`);
  const isCallKept = typeof keepsCall === "boolean" ? literal(Number(keepsCall)) : keepsCall;
  const isOwnCall = sql`(NOT ${isCallKept} AND ${isOwn(sql`meeting_link`, sql`'$.meetingLink'`)})`;
  return db
    .update(sessions)
    .set({
      donationLink: sql`iif(${isOwnPage}, '', donation_link)`,
      meetingLink: sql`iif(${isOwnCall}, '', meeting_link)`,
      updatedAt: laterVersion(now),
    })
    .where(
      sql`id = ${sessionId} AND ${isHostedBy(sessionId, from)} AND (${isOwnPage} OR ${isOwnCall}) AND ${condition}`,
    );
};

/** Ends free joining, so that each person pays for their own seat, as a save of the session (R-69). */
const stopFreeJoining = (db: Database, sessionId: number, now: Instant, condition: SQL): Statement =>
  db
    .update(sessions)
    .set({ isFree: false, updatedAt: laterVersion(now) })
    .where(and(eq(sessions.id, sessionId), eq(sessions.isFree, true), condition));

/** This admin may claim the session from this host, or from none, while it is open (G-29), and may host it (R-88). */
export const mayClaim = (
  { sessionId, hostId, adminId }: { sessionId: number; hostId: number | null; adminId: number },
  now: Instant,
): SQL =>
  sql`EXISTS (SELECT 1 FROM sessions s JOIN participants a ON a.session_id = s.id AND a.user_id = ${adminId} AND a.role = ${literal(SEAT_ROLE.admin)} AND a.is_host = 0 WHERE s.id = ${sessionId} AND s.closed_at IS NULL AND (s.ended_at IS NULL OR s.ended_at > ${now})
    AND coalesce((SELECT h.user_id FROM participants h WHERE ${isHostOf(sql`s`)}), 0) = ${hostId ?? 0}
    AND ${mayHostSession(adminId, now)})`;
