// What a room reads of the record and writes back to it: the plan and roster in, the mirror of the run out.
import { and, asc, eq, lt, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { RoomState } from "~/domain/room";
import type { Instant } from "~/domain/time";

const { sessions, participants, activities } = schema;

export const findRoomSession = (db: Database, id: number) =>
  db.select().from(sessions).where(eq(sessions.id, id)).limit(1);
/** In order of joining. */
export const listRoomParticipants = (db: Database, id: number) =>
  db
    .select()
    .from(participants)
    .where(eq(participants.sessionId, id))
    .orderBy(asc(participants.joinedAt), asc(participants.userId));

/** The run as the room has it; an older version never overwrites a newer one. */
export function mirrorRoom(db: Database, state: RoomState, now: Instant): Statement[] {
  const isNewer = and(eq(sessions.id, state.sessionId), lt(sessions.roomVersion, state.seq));
  return [
    ...state.participants.map((person) =>
      db
        .update(participants)
        .set({ completedAt: person.completedAt })
        .where(
          and(
            eq(participants.sessionId, state.sessionId),
            eq(participants.userId, person.userId),
            sql`${participants.completedAt} IS NOT ${person.completedAt}`,
          ),
        ),
    ),
    db
      .update(sessions)
      .set({
        title: state.title,
        content: state.content,
        contentHtml: state.contentHtml,
        summary: state.summary,
        prompt: state.prompt,
        startedAt: state.startedAt,
        endedAt: state.endedAt,
        schedule: state.schedule,
        closedAt: state.closedAt,
        roomVersion: state.seq,
        updatedAt: now,
      })
      .where(isNewer),
  ];
}

/** Once, when the room closes: the activity has one open session less. */
export const countClosed = (db: Database, sessionId: number): Statement =>
  db
    .update(activities)
    .set({ openSessionsCount: sql`max(0, ${activities.openSessionsCount} - 1)` })
    .where(
      sql`${activities.id} = (SELECT activity_id FROM sessions WHERE id = ${sessionId} AND closed_at IS NULL)`,
    );
