// Statements on the sessions and huts of a user; use cases run them. People join them by hand, so the lists are short
// enough for OFFSET.
import { and, desc, eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import type { Instant } from "~/domain/time";
import { selectNextSession } from "./huts/huts";
import { type NumberPage, offsetOf } from "./pagination";
import { isListedFor, isVisible } from "./visibility";

const { participants, sessions, huts, hutMembers, activities } = schema;

/**
 * The order of a person's sessions: open sessions by start, then those without a start, then ended ones, latest first.
 */
export const orderNextFirst = (now: Instant) => [
  sql`CASE WHEN ${sessions.endedAt} <= ${now} THEN 2 WHEN ${sessions.startedAt} IS NULL THEN 1 ELSE 0 END`,
  sql`CASE WHEN ${sessions.endedAt} <= ${now} THEN -${sessions.endedAt} ELSE ${sessions.startedAt} END`,
  desc(sessions.id),
];

/** Sessions with the user's seat, the next first. At most `perPage` + 1 rows. */
export const listMySessions = (db: Database, userId: number, page: NumberPage, now: Instant) =>
  db
    .select({
      id: sessions.id,
      slug: sessions.slug,
      title: sessions.title,
      summary: sessions.summary,
      startedAt: sessions.startedAt,
      endedAt: sessions.endedAt,
      duration: sessions.duration,
      participantLimit: sessions.participantLimit,
      participantsCount: sessions.participantsCount,
      /** The people who came, of a session with a recap. */
      came: sql<
        number | null
      >`CASE WHEN ${sessions.recap} IS NOT NULL THEN (SELECT count(*) FROM json_each(${sessions.recap}, '$.people') WHERE value ->> 'hasCome') END`.as(
        "came",
      ),
      isManuallyStarted: sessions.isManuallyStarted,
      isFree: sessions.isFree,
      hutId: sessions.hutId,
      hutSlug: sql<string | null>`${huts.slug}`.as("hut_slug"),
      hutTitle: sql<string | null>`${huts.title}`.as("hut_title"),
      activitySlug: sql<string | null>`${activities.slug}`.as("activity_slug"),
      activityTitle: sql<string | null>`${activities.title}`.as("activity_title"),
      isHost: participants.isHost,
      role: participants.role,
      completedAt: participants.completedAt,
    })
    .from(participants)
    .innerJoin(sessions, eq(sessions.id, participants.sessionId))
    .leftJoin(huts, and(eq(huts.id, sessions.hutId), isVisible("huts", "huts", userId)))
    .leftJoin(
      activities,
      and(eq(activities.id, sessions.activityId), isVisible("activities", "activities", userId)),
    )
    .where(and(eq(participants.userId, userId), isListedFor("sessions", userId)))
    .orderBy(...orderNextFirst(now))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));

/** Huts of which the user is a member, newest first. */
export const listMyHuts = (db: Database, userId: number, page: NumberPage, now: Instant) =>
  db
    .select({
      id: huts.id,
      slug: huts.slug,
      title: huts.title,
      content: huts.content,
      contentHtml: huts.contentHtml,
      summary: huts.summary,
      userCount: huts.userCount,
      joinedAt: hutMembers.joinedAt,
      next: selectNextSession(userId, now),
    })
    .from(hutMembers)
    .innerJoin(huts, eq(huts.id, hutMembers.hutId))
    .where(eq(hutMembers.userId, userId))
    .orderBy(desc(hutMembers.hutId))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));
