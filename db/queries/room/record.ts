// Statements with which a room reads its plan and roster from D1, and mirrors the state of its run to D1.
import { and, asc, eq, getTableColumns, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { selectPeopleNamed } from "#db/queries/mentions";
import {
  isUnblocked,
  lineCauseIdOf,
  newEventId,
  recordEvent,
  startCauseIdOf,
} from "#db/queries/notices/events";
import { withTitlePairs } from "#db/queries/search";
import { calendarStamp } from "#db/queries/sessions/calendar-stamp";
import { selectNextDate } from "#db/queries/sessions/next-date";
import { isHostOf } from "#db/queries/sessions/participants";
import { isBannedFrom } from "#db/queries/visibility";
import { subjectOf } from "~/domain/notices/events";
import type { ChatMention, PendingWrite } from "~/domain/room/record";
import type { RoomState } from "~/domain/room/room";
import type { Recap, StoredRecap } from "~/domain/sessions/recap";
import { type Instant, MINUTE } from "~/domain/time";

const { sessions, participants, activities, contributions, attendance } = schema;

export const findRoomSession = (db: Database, id: number) =>
  db
    .select({
      ...getTableColumns(sessions),
      // A host whose account is about to be deleted may not come (R-67).
      needsHost:
        sql<boolean>`${sessions.needsHost} OR EXISTS (SELECT 1 FROM participants h JOIN users gone ON gone.id = h.user_id WHERE ${isHostOf(sessions)} AND gone.deletion_due_at IS NOT NULL)`
          .mapWith(Boolean)
          .as("needs_a_host"),
    })
    .from(sessions)
    .where(eq(sessions.id, id))
    .limit(1);
export const listContributions = (db: Database, id: number) =>
  db
    .select({
      seq: contributions.seq,
      userId: contributions.userId,
      username: contributions.username,
      content: contributions.content,
      contentHtml: contributions.contentHtml,
      createdAt: contributions.createdAt,
    })
    .from(contributions)
    .where(eq(contributions.sessionId, id))
    .orderBy(asc(contributions.seq));
/**
 * The roster in order of joining, each person with their blocked users, in one query. It leaves out a person who was
 * banned from the hut, whose seats in ended sessions stay in the table (R-56).
 */
export const listRoomParticipants = (db: Database, id: number) =>
  db
    .select({
      ...getTableColumns(participants),
      blocked: sql<
        number[]
      >`(SELECT json_group_array(blocked_id) FROM blocks WHERE blocks.user_id = participants.user_id)`
        .mapWith((ids: string) => JSON.parse(ids) as number[])
        .as("blocked"),
    })
    .from(participants)
    .where(
      and(
        eq(participants.sessionId, id),
        sql`NOT ${isBannedFrom(sql`(SELECT hut_id FROM sessions WHERE id = ${id})`, sql`${participants.userId}`)}`,
      ),
    )
    .orderBy(asc(participants.joinedAt), asc(participants.userId));

/** People are notified of a start that comes at least this much earlier than they know (R-65). */
const MIN_EARLY_MS = 2 * MINUTE;

/**
 * Notifies absent participants of a start by hand (N-22), or of a start earlier than they know (R-65). It runs before
 * `mirrorRoom` in the same batch.
 */
export function recordStart(db: Database, state: RoomState, online: readonly string[]): Statement[] {
  const { sessionId, seq, participants: people, runBegunAt, startedBy, title } = state;
  if (runBegunAt === null || startedBy == null) return [];
  const onlineNames = new Set(online);
  const starter = people.find(({ userId }) => userId === startedBy) ?? people.find(({ isHost }) => isHost);
  const absentees = people.filter(
    ({ userId, username }) => userId !== startedBy && !onlineNames.has(username),
  );
  const causeFields = {
    id: startCauseIdOf(sessionId, runBegunAt),
    subject: subjectOf("session", sessionId),
    actorId: startedBy,
    at: runBegunAt,
  };
  const body = {
    title,
    name: starter?.username ?? "The host",
    path: `/sessions/${sessionId}`,
    to: absentees.map(({ userId }) => userId),
  };
  const knownStart = sql`coalesce(told_start, started_at)`;
  const isUnmirrored = (condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId} AND room_version < ${seq} AND ${condition})`;
  const isEarly = isUnmirrored(sql`${knownStart} > ${runBegunAt + MIN_EARLY_MS}`);
  const awayIds = sql`SELECT value AS id FROM json_each(${JSON.stringify(body.to)})
    UNION SELECT w.user_id FROM waiters w WHERE w.session_id = ${sessionId} AND w.user_id <> ${startedBy}`;
  const recordEarlyStart = (id: string, starterFields: { name: string; by?: number }, isKnown: SQL) =>
    recordEvent(
      db,
      {
        ...causeFields,
        id,
        kind: "session-early",
        body: { title, ...starterFields, path: body.path, knownBy: runBegunAt },
      },
      {
        condition: isEarly,
        textFields: { planned: sql`(SELECT ${knownStart} FROM sessions WHERE id = ${sessionId})` },
        idLists: { to: sql`SELECT id FROM (${awayIds}) reached WHERE ${isKnown}` },
      },
    );
  const isUnhidden = isUnblocked(sql`reached.id`, sql`${startedBy}`);
  const startEvent = recordEvent(
    db,
    { ...causeFields, kind: "session-started", body: { ...body, knownBy: runBegunAt } },
    { condition: isUnmirrored(sql`is_manually_started = 1`) },
  );
  return [
    recordEarlyStart(causeFields.id, { name: body.name, by: startedBy }, isUnhidden),
    recordEarlyStart(`${causeFields.id}-unnamed`, { name: "" }, sql`NOT (${isUnhidden})`),
    // It has the id of the early start, so it is written only for a start that is not early.
    startEvent,
  ].map((cause) => cause.onConflictDoNothing());
}

/** Notifies the people of a session whom a line mentions, except those who were in the room (N-26). */
export function recordChatMention(
  db: Database,
  { sessionId, title }: Pick<RoomState, "sessionId" | "title">,
  { seq, userId, username, names, here, at }: ChatMention,
): Statement {
  const to = sql`SELECT id FROM (${selectPeopleNamed(names, userId)}) named
    WHERE EXISTS (SELECT 1 FROM participants seat WHERE seat.session_id = ${sessionId} AND seat.user_id = named.id)
    AND id NOT IN (SELECT value FROM json_each(${JSON.stringify(here)}))`;
  return recordEvent(
    db,
    {
      id: lineCauseIdOf(sessionId, seq, at),
      kind: "chat-mention",
      subject: subjectOf("session", sessionId),
      actorId: userId,
      body: { name: username, by: userId, title, path: `/sessions/${sessionId}`, seat: sessionId },
      at,
    },
    { idLists: { to } },
  ).onConflictDoNothing();
}

/** True after a reset (R-07), and before the first run of a session without a start. */
const isReset = ({ startedAt, closedAt }: RoomState): boolean => startedAt === null && closedAt === null;

/** Writes the pending parts of the room's state to D1; an older version never overwrites a newer one. */
export function mirrorRoom(
  db: Database,
  state: RoomState,
  pending: ReadonlySet<PendingWrite>,
  now: Instant,
  recap: Recap | null = null,
): Statement[] {
  const { sessionId, seq } = state;
  const statements: Statement[] =
    recap === null ? [] : [insertAttendance(db, state, recap), recordRecap(db, state, recap, now)];
  if (isReset(state)) statements.push(deleteAttendance(db, state));
  if (pending.has("people")) {
    const completions = JSON.stringify(
      state.participants.map((person) => ({ user: person.userId, at: person.completedAt })),
    );
    const completedAt = sql`(SELECT value ->> 'at' FROM json_each(${completions}) WHERE value ->> 'user' = participants.user_id)`;
    statements.push(
      db
        .update(participants)
        .set({ completedAt: sql`${completedAt}` })
        .where(
          sql`session_id = ${sessionId} AND completed_at IS NOT ${completedAt}
            AND user_id IN (SELECT value ->> 'user' FROM json_each(${completions}))
            AND EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId} AND room_version < ${seq})`,
        ),
    );
  }
  if (pending.has("contributions")) statements.push(insertContributions(db, state));
  if (pending.has("run") && state.closedAt !== null)
    statements.push(updateOpenSessionsCount(db, state, "closes"));
  if (pending.has("run") && isReset(state)) statements.push(updateOpenSessionsCount(db, state, "opens"));
  const { title, content, contentHtml, summary, prompt, startedAt, endedAt, schedule, closedAt } = state;
  statements.push(
    db
      .update(sessions)
      .set({
        ...(pending.has("texts") ? withTitlePairs({ title, content, contentHtml, summary, prompt }) : {}),
        ...(pending.has("run") ? { startedAt, endedAt, closedAt } : {}),
        ...(recap !== null ? { recap: withTotals(sessionId, recap) } : isReset(state) ? { recap: null } : {}),
        ...(pending.has("run") || pending.has("parts") ? { schedule } : {}),
        ...calendarStamp(
          {
            ...(pending.has("texts") ? { title } : {}),
            ...(pending.has("run") ? { startedAt, endedAt } : {}),
          },
          now,
        ),
        roomVersion: seq,
        // A plan's version may be later than now (R-69).
        updatedAt: sql`max(updated_at, ${now})`,
      })
      .where(
        and(
          eq(sessions.id, sessionId),
          lt(sessions.roomVersion, seq),
          // A session cancelled at its very start does not run, because its joins were refunded.
          closedAt !== null || isReset(state) ? undefined : isNull(sessions.closedAt),
        ),
      ),
  );
  return statements;
}

/** Inserts new contributions. A stored contribution changes only its author's name, when the account is deleted. */
const insertContributions = (db: Database, { sessionId, seq, contributions: added }: RoomState) =>
  insertFrom(
    db,
    contributions,
    {
      sessionId,
      seq: sql`c.value ->> 'seq'`,
      userId: sql`c.value ->> 'userId'`,
      username: sql`c.value ->> 'username'`,
      content: sql`c.value ->> 'content'`,
      contentHtml: sql`c.value ->> 'contentHtml'`,
      createdAt: sql`c.value ->> 'createdAt'`,
    },
    sql`FROM json_each(${JSON.stringify(added)}) c
        WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${sessionId} AND s.room_version < ${seq})`,
  ).onConflictDoUpdate({
    target: [contributions.sessionId, contributions.seq],
    set: { username: sql`excluded.username` },
  });

/**
 * Inserts a row for each person of the recap, before the update that closes the session. A run after a reset replaces
 * the rows.
 */
const insertAttendance = (db: Database, { sessionId, seq }: RoomState, { people, startedAt }: Recap) =>
  insertFrom(
    db,
    attendance,
    {
      userId: sql`p.value ->> 'userId'`,
      sessionId,
      startedAt,
      seconds: sql`p.value ->> 'seconds'`,
      hasCome: sql`p.value ->> 'hasCome'`,
    },
    sql`FROM json_each(${JSON.stringify(people)}) p
        WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${sessionId} AND s.room_version < ${seq})
          AND EXISTS (SELECT 1 FROM users u WHERE u.id = p.value ->> 'userId')`,
  ).onConflictDoUpdate({
    target: [attendance.userId, attendance.sessionId],
    set: {
      startedAt: sql`excluded.started_at`,
      seconds: sql`excluded.seconds`,
      hasCome: sql`excluded.has_come`,
    },
  });

/**
 * Deletes the rows of a run that was reset, found by the people of its recap. It runs before the update that erases the
 * recap.
 */
const deleteAttendance = (db: Database, { sessionId, seq }: RoomState) =>
  db.delete(attendance).where(
    sql`session_id = ${sessionId} AND user_id IN (SELECT p.value ->> 'userId' FROM sessions s, json_each(s.recap, '$.people') p
        WHERE s.id = ${sessionId} AND s.room_version < ${seq})`,
  );

/**
 * The recap with the totals of the session's goals at the close, so that a log that only moves later does not change
 * it. A stored recap stays.
 */
const withTotals = (sessionId: number, recap: Recap) =>
  sql<StoredRecap>`iif(closed_at IS NOT NULL, recap, ${withGoals(sql`${JSON.stringify(recap)}`, sessionId)})`;
const withGoals = (recap: SQL, sessionId: number): SQL<StoredRecap> =>
  sql`json_set(${recap}, '$.goals', json((
    SELECT json_group_array(json_object('title', title, 'unit', unit, 'amount', amount, 'distance', round(distance / 1609.344), 'distanceMm', distance, 'duration', duration))
    FROM (SELECT g.title, g.unit, coalesce(sum(t.amount), 0) AS amount, coalesce(sum(t.distance_mm), 0) AS distance, coalesce(sum(t.duration), 0) AS duration
      FROM goals g LEFT JOIN session_totals t ON t.session_id = g.session_id AND t.goal_uuid = g.uuid
      WHERE g.session_id = ${sessionId} GROUP BY g.id ORDER BY g.position, g.id))))`;

/** Updates the totals and titles of a stored recap after the deletion or edit of a log or a goal (R-90). */
export const recomputeTotals = (db: Database, sessionId: number): Statement =>
  db
    .update(sessions)
    .set({ recap: withGoals(sql`recap`, sessionId) })
    .where(sql`id = ${sessionId} AND recap IS NOT NULL`);

/** Notifies everybody who came (G-35). It runs before the update that closes the session, and does nothing after it. */
function recordRecap(db: Database, state: RoomState, { people, endedAt }: Recap, now: Instant): Statement {
  const { sessionId, seq, title } = state;
  const visitors = people.filter(({ hasCome }) => hasCome);
  const nextFor = (userId: SQL) =>
    selectNextDate("started_at", { userId, now }, { sessionId, after: endedAt });
  return recordEvent(
    db,
    {
      id: newEventId(now),
      kind: "session-recap",
      subject: subjectOf("session", sessionId),
      actorId: null,
      body: {
        title,
        path: `/sessions/${sessionId}/recap`,
        to: visitors.map(({ userId }) => userId),
        present: Object.fromEntries(visitors.map(({ userId, seconds }) => [userId, seconds])),
      },
      at: now,
    },
    {
      condition: sql`EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${sessionId} AND s.room_version < ${seq} AND s.closed_at IS NULL)`,
      textFields: {
        nextFor: sql`json((SELECT json_group_object(c.id, c.at) FROM (SELECT u.value AS id, (${nextFor(sql`u.value`)}) AS at
          FROM json_each(${JSON.stringify(visitors.map(({ userId }) => userId))}) u) c WHERE c.at IS NOT NULL))`,
      },
    },
  );
}

/**
 * Counts the activity's open sessions down or up, once, when the room closes or resets. It runs before the room's
 * update.
 */
const updateOpenSessionsCount = (
  db: Database,
  { sessionId, seq }: RoomState,
  change: "closes" | "opens",
): Statement => {
  const [count, wasClosed] =
    change === "closes"
      ? [sql`max(0, open_sessions_count - 1)`, sql`IS NULL`]
      : [sql`open_sessions_count + 1`, sql`IS NOT NULL`];
  return db
    .update(activities)
    .set({ openSessionsCount: count })
    .where(
      sql`id = (SELECT activity_id FROM sessions WHERE id = ${sessionId} AND is_template = 0 AND room_version < ${seq} AND closed_at ${wasClosed})`,
    );
};
