// What a room reads of the record and writes back to it: the plan and roster in, the mirror of the run out.
import { and, asc, eq, lt, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import type { RoomState } from "~/domain/room";
import type { Unrecorded } from "~/domain/room-record";
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

/** What the record does not have yet of the room; an older version never overwrites a newer one. */
export function mirrorRoom(
  db: Database,
  state: RoomState,
  what: ReadonlySet<Unrecorded>,
  now: Instant,
): Statement[] {
  const { sessionId, seq } = state;
  const statements: Statement[] = [];
  if (what.has("people")) {
    const completed = JSON.stringify(
      state.participants.map((person) => ({ user: person.userId, at: person.completedAt })),
    );
    const at = sql`(SELECT value ->> 'at' FROM json_each(${completed}) WHERE value ->> 'user' = participants.user_id)`;
    statements.push(
      db
        .update(participants)
        .set({ completedAt: sql`${at}` })
        .where(
          sql`session_id = ${sessionId} AND completed_at IS NOT ${at}
            AND user_id IN (SELECT value ->> 'user' FROM json_each(${completed}))
            AND EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId} AND room_version < ${seq})`,
        ),
    );
  }
  if (what.has("run") && state.closedAt !== null) statements.push(countClosed(db, state));
  const { title, content, contentHtml, summary, prompt, startedAt, endedAt, schedule, closedAt } = state;
  statements.push(
    db
      .update(sessions)
      .set({
        ...(what.has("texts") ? { title, content, contentHtml, summary, prompt } : {}),
        ...(what.has("run") ? { startedAt, endedAt, closedAt } : {}),
        ...(what.has("run") || what.has("parts") ? { schedule } : {}),
        roomVersion: seq,
        updatedAt: now,
      })
      .where(and(eq(sessions.id, sessionId), lt(sessions.roomVersion, seq))),
  );
  return statements;
}

/** Once, when the room closes, before it is written: the activity has one open session less. */
const countClosed = (db: Database, { sessionId, seq }: RoomState): Statement =>
  db
    .update(activities)
    .set({ openSessionsCount: sql`max(0, open_sessions_count - 1)` })
    .where(
      sql`id = (SELECT activity_id FROM sessions WHERE id = ${sessionId} AND is_template = 0 AND room_version < ${seq} AND closed_at IS NULL)`,
    );
