// Statements that read a session with everything that its pages need; use cases run them. Seats are in participants.ts,
// writes in writes.ts, lists in cards.ts.
import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { guestNameOf } from "#db/queries/guest-name";
import { selectHiddenPersons } from "#db/queries/safety/blocks";
import { selectSanctionsIn } from "#db/queries/safety/sanctions";
import { isBannedFrom, isListedFor, isVisible, type Viewer } from "#db/queries/visibility";
import type { SeatRole } from "~/domain/roles";
import type { HiddenPerson } from "~/domain/safety/blocks";
import type { Contribution } from "~/domain/sessions/texts";
import type { Instant } from "~/domain/time";
import { selectGuestCount } from "./guest-limits";
import { isHostOf } from "./participants";
import { selectWaitingList } from "./waiters";
import { idOf } from "./writes";

const { sessions, participants, activities, huts } = schema;

const flagOf = (condition: SQL, name: string) => sql<boolean>`${condition}`.mapWith(Boolean).as(name);

/** A contribution and the name that a guest typed or the host has given (H-23), which the room does not store. */
type NamedContribution = Contribution & { guestName?: string | null };

/** The contributions in their order. The use case leaves them out for people who may not read them (Q-45). */
const contributionsColumn = sql<
  NamedContribution[]
>`(SELECT json_group_array(json_object('seq', c.seq, 'userId', c.user_id, 'username', c.username,
    'content', c.content, 'contentHtml', c.content_html, 'createdAt', c.created_at,
    'guestName', ${guestNameOf(sql`c`)}) ORDER BY c.seq) FROM contributions c WHERE c.session_id = ${sessions.id})`
  .mapWith((json: string) => JSON.parse(json) as NamedContribution[])
  .as("contributions");

/**
 * The session's series if the viewer sees it (H-13), with the viewer's standing seat and the next session that they
 * see.
 */
const selectSeriesOfSession = (userId: Viewer) =>
  sql<SeriesOfSession | null>`(SELECT json_object('id', r.id, 'slug', r.slug, 'rule', r.rule, 'localStart', r.local_start, 'timeZone', r.time_zone, 'ownerId', r.owner_id, 'hasEnded', r.ended_at IS NOT NULL,
    'invites', (r.is_private = 0 OR (${sessions.isPrivate} = 1 AND r.hut_id IS ${sessions.hutId})) AND coalesce(r.template ->> '$.joinCode', '') = ${sessions.joinCode},
    'standing', json((SELECT json_object('codeAskedAt', st.code_asked_at) FROM standing_seats st WHERE st.series_id = r.id AND st.user_id = ${userId})),
    'next', json((SELECT json_object('id', n.id, 'startedAt', n.started_at) FROM sessions n WHERE n.series_id = r.id AND n.series_day > ${sessions.seriesDay}
      AND n.closed_at IS NULL AND ${isListedFor("n", userId)} ORDER BY n.series_day LIMIT 1))) FROM series r WHERE r.id = ${sessions.seriesId} AND ${isVisible("series", "r", userId)})`
    .mapWith((json: string | null) => (json === null ? null : (JSON.parse(json) as SeriesOfSession)))
    .as("series_here");
type SeriesOfSession = {
  id: number;
  slug: string | null;
  rule: string;
  localStart: string;
  timeZone: string;
  ownerId: number;
  hasEnded: 0 | 1;
  /** Everybody who sees the session sees the series, and its code is the session's. */
  invites: 0 | 1;
  standing: { codeAskedAt: Instant | null } | null;
  next: { id: number; startedAt: Instant } | null;
};

/**
 * A session, its hut and activity, its host and creator, and the viewer's seat, which a ban from the hut voids (R-56).
 */
const selectSession = (db: Database, userId: Viewer) =>
  db
    .select({
      ...getTableColumns(sessions),
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      activitySlug: sql<string | null>`${activities.slug}`.as("activity_slug"),
      activityTitle: sql<string | null>`${activities.title}`.as("activity_title"),
      /** Empty once the creator has no seat: any other name of the account would tie its persons together. */
      ownerName:
        sql<string>`coalesce((SELECT o.username FROM participants o WHERE o.session_id = ${sessions.id} AND o.user_id = ${sessions.ownerId}), '')`.as(
          "owner_name",
        ),
      hostId: sql<number | null>`(SELECT h.user_id FROM participants h WHERE ${isHostOf(sessions)})`.as(
        "host_id",
      ),
      hostName: sql<string | null>`(SELECT h.username FROM participants h WHERE ${isHostOf(sessions)})`.as(
        "host_name",
      ),
      hostZone: sql<
        string | null
      >`(SELECT u.time_zone FROM participants h JOIN users u ON u.id = h.user_id WHERE ${isHostOf(sessions)})`.as(
        "host_zone",
      ),
      seatName: sql<string | null>`${participants.username}`.as("seat_name"),
      seatRole: sql<SeatRole | null>`${participants.role}`.as("seat_role"),
      seatIsHost: flagOf(sql`${participants.isHost}`, "seat_is_host"),
      seatAskedAt: sql<Instant | null>`${participants.askedAt}`.as("seat_asked_at"),
      seatReference: sql<string | null>`${participants.seat}`.as("seat_reference"),
      seatJoinedAt: sql<Instant | null>`${participants.joinedAt}`.as("seat_joined_at"),
      seatJoinedStart: sql<Instant | null>`${participants.joinedStart}`.as("seat_joined_start"),
      seatAim: sql<string | null>`${participants.aim}`.as("seat_aim"),
      seatAimGoalId: sql<number | null>`(SELECT g.id FROM goals g WHERE g.id = ${participants.aimGoalId})`.as(
        "seat_aim_goal_id",
      ),
      seatIsOwn: flagOf(sql`${participants.paidBy} = ${participants.userId}`, "seat_is_own"),
      /** The people hidden from the viewer (Q-11); every page of a session leaves them out. */
      hidden: sql<HiddenPerson[]>`${selectHiddenPersons(userId)}`
        .mapWith((json: string) => JSON.parse(json) as HiddenPerson[])
        .as("hidden"),
      sanctions: selectSanctionsIn(userId, {
        sessionId: sql`${sessions.id}`,
        seriesId: sql`${sessions.seriesId}`,
        hutId: sql`${sessions.hutId}`,
      }),
      guestsCount: selectGuestCount(sql`${sessions.id}`),
      goalsUpdatedAt:
        sql<Instant>`coalesce((SELECT max(g.updated_at) FROM goals g WHERE g.session_id = ${sessions.id}), 0)`.as(
          "goals_updated_at",
        ),
      waiting: selectWaitingList(sql`${sessions.id}`, userId),
      series: selectSeriesOfSession(userId),
      contributions: contributionsColumn,
    })
    .from(sessions)
    .leftJoin(huts, and(eq(huts.id, sessions.hutId), isVisible("huts", "huts", userId)))
    .leftJoin(
      activities,
      and(eq(activities.id, sessions.activityId), isVisible("activities", "activities", userId)),
    )
    .leftJoin(
      participants,
      and(
        eq(participants.sessionId, sessions.id),
        eq(participants.userId, userId),
        sql`NOT ${isBannedFrom(sql`${sessions.hutId}`, userId)}`,
      ),
    );

export type SessionRow = Awaited<ReturnType<typeof findSession>>[number];
/** `userId` 0 is a visitor. */
export const findSession = (db: Database, id: number | SQL, userId: Viewer) =>
  selectSession(db, userId)
    .where(and(eq(sessions.id, id), isVisible("sessions", "sessions", userId)))
    .limit(1);
/**
 * Finds a session that the acting user may no longer see, because the effects of an ending apply to it as well (R-87).
 */
export const findAnySession = (db: Database, id: number | SQL, userId: Viewer) =>
  selectSession(db, userId).where(eq(sessions.id, id)).limit(1);
export const seriesIdOf = (id: number): SQL => sql`(SELECT o.series_id FROM sessions o WHERE o.id = ${id})`;
export const findSessionBySlug = (db: Database, slug: string, userId: Viewer) =>
  selectSession(db, userId)
    .where(and(sql`${sessions.id} = ${idOf(slug)}`, isVisible("sessions", "sessions", userId)))
    .limit(1);

/** The id of a session that the user sees, with the user's sanctions in it. */
export const findSessionId = (db: Database, id: number, userId: Viewer) =>
  db
    .select({
      id: sessions.id,
      sanctions: selectSanctionsIn(userId, {
        sessionId: sql`${sessions.id}`,
        seriesId: sql`${sessions.seriesId}`,
        hutId: sql`${sessions.hutId}`,
      }),
    })
    .from(sessions)
    .where(and(eq(sessions.id, id), isVisible("sessions", "sessions", userId)))
    .limit(1);

/** The sessions of an activity that have not ended, by id after `after`. */
export const listOpenSessions = (
  db: Database,
  { activityId, after }: { activityId: number; after: number },
  now: Instant,
  limit: number,
) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      sql`${sessions.activityId} = ${activityId} AND ${sessions.id} > ${after} AND ${sessions.closedAt} IS NULL AND (${sessions.endedAt} IS NULL OR ${sessions.endedAt} > ${now})`,
    )
    .orderBy(asc(sessions.id))
    .limit(limit);
