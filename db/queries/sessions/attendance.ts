// Statements on attendance: the history of a user, and the counts behind the reliability figure (G-27, G-28); use cases
// run them.
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { type IdPage, isAfterCursor, offsetOf } from "#db/queries/pagination";
import { isVisible } from "#db/queries/visibility";
import type { Instant } from "~/domain/time";

const { attendance, participants, sessions, users } = schema;

/** How many of a person's newest rows the figure counts, so that it reads a bounded number. */
const MAX_COUNTED_ROWS = 200;

/** Newest session first. Title and recap are null for a session that was deleted, or that the user no longer sees. */
export const listAttendance = (db: Database, userId: number, page: IdPage) =>
  db
    .select({
      id: attendance.sessionId,
      startedAt: attendance.startedAt,
      seconds: attendance.seconds,
      hasCome: attendance.hasCome,
      endedAt: sql<Instant | null>`${sessions.endedAt}`.as("session_ended_at"),
      title: sql<string | null>`${sessions.title}`.as("session_title"),
      hasRecap: sql<boolean>`${sessions.recap} IS NOT NULL`.mapWith(Boolean).as("has_recap"),
    })
    .from(attendance)
    .leftJoin(sessions, and(eq(sessions.id, attendance.sessionId), isVisible("sessions", "sessions", userId)))
    .where(and(eq(attendance.userId, userId), isAfterCursor(attendance.sessionId, page)))
    .orderBy(desc(attendance.sessionId))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));

/** The column that counts how often the user came and how often they missed a session after `since`. */
const selectCounts = (userId: SQL, since: Instant) =>
  sql<{
    came: number;
    missed: number;
  }>`(SELECT json_object('came', coalesce(sum(a.has_come), 0), 'missed', coalesce(sum(1 - a.has_come), 0))
    FROM (SELECT n.has_come, n.started_at FROM attendance n WHERE n.user_id = ${userId} ORDER BY n.session_id DESC LIMIT ${MAX_COUNTED_ROWS}) a
    WHERE a.started_at >= ${since})`
    .mapWith((json: string) => JSON.parse(json) as { came: number; missed: number })
    .as("attended");

export const countAttendance = (db: Database, userId: number, since: Instant) =>
  db
    .select({ counts: selectCounts(sql`${users.id}`, since) })
    .from(users)
    .where(eq(users.id, userId));

/** The counts of everybody with a seat, only for the host of the session; no row for others (G-28). */
export const countAttendanceOfSeats = (
  db: Database,
  { sessionId, hostId, since }: { sessionId: number; hostId: number; since: Instant },
) =>
  db
    .select({
      userId: participants.userId,
      username: participants.username,
      counts: selectCounts(sql`${participants.userId}`, since),
    })
    .from(participants)
    .where(
      sql`${participants.sessionId} = ${sessionId} AND EXISTS (SELECT 1 FROM participants h
        WHERE h.session_id = ${sessionId} AND h.user_id = ${hostId} AND h.is_host = 1)`,
    );
