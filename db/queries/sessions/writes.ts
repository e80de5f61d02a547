// Statements that create, change and end a session in D1; use cases run them. Only the room writes a running
// session, so every change here requires that no run began since the read.
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteInsertValue } from "drizzle-orm/sqlite-core";
import { type Database, type Statement, schema } from "#db/connect.server";
import { goalColumns } from "#db/queries/goals/columns";
import { keepNotes } from "#db/queries/goals/notes";
import { endTimers } from "#db/queries/goals/open-logs";
import { insertFrom } from "#db/queries/insert-from";
import { recordEvent, recordSeriesSessions } from "#db/queries/notices/events";
import { searchTextOf, withTitlePairs } from "#db/queries/search";
import { isVisible } from "#db/queries/visibility";
import type { NewEvent } from "~/domain/notices/cause";
import { SEAT_ROLE } from "~/domain/roles";
import type { SessionPlan } from "~/domain/sessions/planning";
import type { Instant } from "~/domain/time";
import { recordSessionChange } from "./calendar-invites";
import { calendarStamp } from "./calendar-stamp";

const { logs, sessions, participants, slugs, activities, goals, huts } = schema;

export type NewSession = typeof sessions.$inferInsert;
export type SessionChanges = Partial<
  Omit<NewSession, "id" | "slug" | "participantsCount" | "sequence" | "changedAt" | "cancelledStart">
>;

/** Selects the id of the session with this slug; in the batch that inserts the session, only after `insertSlug`. */
export const idOf = (slug: string): SQL =>
  sql`(SELECT target_id FROM slugs WHERE slug = ${slug} AND kind = 'session')`;

/** Selects the path of the session with this slug. */
export const pathOf = (slug: string): SQL => sql`'/sessions/' || ${idOf(slug)}`;

/** The constraint that `insertSession` breaks where its condition does not hold, which undoes the batch. */
export const CONDITION_BROKEN = "sessions.slug";

export const insertSession = (db: Database, session: NewSession, condition = sql`1`) =>
  db
    .insert(sessions)
    .values({
      ...withTitlePairs({ ...session, changedAt: session.createdAt }),
      slug: sql`iif(${condition}, ${session.slug}, NULL)`,
    })
    .returning({ id: sessions.id });

/**
 * Inserts the slug, which is unique over activities and sessions (X-08). Without `id`, the session is the newest one.
 */
export const insertSlug = (db: Database, slug: string, id?: number): Statement =>
  insertFrom(
    db,
    slugs,
    { slug: sql`slug`, kind: "session", targetId: sql`id` },
    sql`FROM sessions WHERE id = ${id ?? sql`(SELECT max(id) FROM sessions)`} AND slug = ${slug}`,
  );

export const findSlugs = (db: Database, candidates: readonly string[]) =>
  db
    .select({ slug: slugs.slug })
    .from(slugs)
    .where(sql`${slugs.slug} IN (SELECT value FROM json_each(${JSON.stringify(candidates)}))`);

/** The creator takes the first seat, as admin and host (A-05). A repeat of `seat` breaks `entry_written_once`. */
export const insertHost = (
  db: Database,
  slug: string,
  host: { userId: number; personId: number; username: string; seat: string; now: Instant },
): Statement =>
  insertFrom(
    db,
    participants,
    {
      sessionId: sql`id`,
      userId: host.userId,
      personId: host.personId,
      username: host.username,
      role: SEAT_ROLE.admin,
      isHost: true,
      seat: host.seat,
      paidBy: host.userId,
      joinedAt: host.now,
      joinedStart: sql`started_at`,
    },
    sql`FROM sessions WHERE id = ${idOf(slug)}`,
  );

export const raiseOpenSessionsCount = (db: Database, activityId: number): Statement =>
  db
    .update(activities)
    .set({ openSessionsCount: sql`open_sessions_count + 1` })
    .where(eq(activities.id, activityId));

/** Counts the open sessions of the activity again, after a session has become a template or stopped being one (R-15). */
export const updateOpenSessionsCount = (db: Database, sessionId: number): Statement =>
  db
    .update(activities)
    .set({
      openSessionsCount: sql`(SELECT count(*) FROM sessions o WHERE o.activity_id = activities.id AND o.closed_at IS NULL AND o.is_template = 0)`,
    })
    .where(sql`id = (SELECT activity_id FROM sessions WHERE id = ${sessionId})`);

/** Inserts a single row, if `condition` holds, because D1 allows only a hundred values in a statement. */
export const insertSessionGoal = (
  db: Database,
  row: SQLiteInsertValue<typeof goals>,
  condition?: SQL,
): Statement =>
  condition ? insertFrom(db, goals, row, sql`WHERE ${condition}`) : db.insert(goals).values(row);

type ActivityKey = { id: number } | { slug: string };
const isActivity = (key: ActivityKey): SQL =>
  "id" in key ? eq(activities.id, key.id) : eq(activities.slug, key.slug);
/** Selects the hut of an activity. */
export const hutOfActivity = (key: ActivityKey): SQL =>
  sql`(SELECT ${activities.hutId} FROM ${activities} WHERE ${isActivity(key)})`;

/** The activity of a new session, by id or slug. */
export const findActivity = (db: Database, key: ActivityKey, userId: number) =>
  db
    .select()
    .from(activities)
    .where(and(isActivity(key), isVisible("activities", "activities", userId)))
    .limit(1);

/** A private activity that the user may not read. */
export const findHiddenActivity = (db: Database, key: ActivityKey, userId: number) =>
  db
    .select({ hutId: activities.hutId, isPrivate: activities.isPrivate })
    .from(activities)
    .where(
      and(
        isActivity(key),
        eq(activities.isPrivate, true),
        sql`(${isVisible("activities", "activities", userId)}) IS NOT TRUE`,
      ),
    )
    .limit(1);

/**
 * A hut, and whether the user may put a session into it, as its owner or a member. `ownerId`: the host of the series of
 * the session, whose membership suffices.
 */
export const findHutWithMembership = (db: Database, hutId: number | SQL, userId: number, ownerId = userId) =>
  db
    .select({
      id: huts.id,
      isPrivate: huts.isPrivate,
      isMember:
        sql<boolean>`${huts.ownerId} IN (${userId}, ${ownerId}) OR EXISTS (SELECT 1 FROM hut_members m WHERE m.hut_id = ${huts.id} AND m.user_id IN (${userId}, ${ownerId}))`
          .mapWith(Boolean)
          .as("is_member"),
    })
    .from(huts)
    .where(and(eq(huts.id, hutId), isVisible("huts", "huts", userId)))
    .limit(1);

/** The user's own activities, followed activities, and the requested activity. */
export const listActivitiesOf = (db: Database, userId: number, slug: string | null) =>
  db
    .select({ id: activities.id, slug: activities.slug, title: activities.title })
    .from(activities)
    .where(
      sql`${activities.id} IN (SELECT f.activity_id FROM followers f WHERE f.user_id = ${userId} UNION SELECT o.id FROM activities o WHERE o.owner_id = ${userId} UNION SELECT a.id FROM activities a WHERE a.slug = ${slug ?? ""}) AND ${isVisible("activities", "activities", userId)}`,
    )
    .orderBy(activities.title)
    .limit(200);

/**
 * The version that was read: no change since then and no run begun (the room raises `roomVersion` with every write).
 */
export type SessionVersion = { id: number; updatedAt: Instant; roomVersion: number };
const isVersion = (version: SessionVersion) =>
  and(
    eq(sessions.id, version.id),
    eq(sessions.updatedAt, version.updatedAt),
    eq(sessions.roomVersion, version.roomVersion),
    isNull(sessions.closedAt),
  );
/** The condition of `isVersion` for other statements of the batch, which must run before the change. */
export const isSessionVersion = (version: SessionVersion): SQL =>
  sql`EXISTS (SELECT 1 FROM sessions sr WHERE sr.id = ${version.id} AND sr.updated_at = ${version.updatedAt} AND sr.room_version = ${version.roomVersion} AND sr.closed_at IS NULL)`;

/** Changes a plan that was read in this `version`; no row after a concurrent change. */
export const changeVersion = (
  db: Database,
  version: SessionVersion,
  change: SessionChanges & { cancelledStart?: SQL },
  now: Instant,
) =>
  db
    .update(sessions)
    .set({
      ...withTitlePairs(change),
      ...calendarStamp(change, now),
      updatedAt: Math.max(now, version.updatedAt + 1) as Instant,
    })
    .where(isVersion(version))
    .returning();

/** A condition of the statements before `storePlan`: it will apply and move the end. */
export const willMoveEnd = (
  version: SessionVersion,
  participantsCount: number,
  endedAt: Instant | null,
): SQL =>
  sql`${isSessionVersion(version)} AND EXISTS (SELECT 1 FROM sessions se WHERE se.id = ${version.id} AND se.participants_count = ${participantsCount} AND se.ended_at IS NOT ${endedAt})`;

/** Stores the plan for this number of participants, if the number is right and the session unchanged since the read. */
export const storePlan = (
  db: Database,
  version: SessionVersion,
  participantsCount: number,
  { schedule, endedAt, duration }: SessionPlan,
  now: Instant,
) =>
  db
    .update(sessions)
    .set({
      schedule,
      endedAt,
      duration,
      ...calendarStamp({ endedAt }, now),
      updatedAt: Math.max(now, version.updatedAt + 1) as Instant,
    })
    .where(and(isVersion(version), eq(sessions.participantsCount, participantsCount)))
    .returning({ id: sessions.id });

/** Changes fields that neither a run nor a calendar shows: limit, code, hut, donation link and the like. */
export const updateDetails = (
  db: Database,
  id: number,
  change: Omit<SessionChanges, "title" | "startedAt" | "endedAt">,
) => db.update(sessions).set(change).where(eq(sessions.id, id)).returning();

/** Records the notices and the calendar mail of a cancellation, in the batch of its refunds and before them (N-21). */
export function recordCancellation(
  db: Database,
  sessionId: number,
  cancelledEvent: NewEvent<"session-cancelled">,
  calendarEvent: NewEvent<"calendar">,
  condition: SQL,
): [Statement, Statement] {
  const isRecipient = sql`session_id = ${sessionId} AND user_id <> ${cancelledEvent.actorId ?? 0}`;
  const seats = sql`SELECT user_id AS id FROM participants WHERE ${isRecipient}`;
  const to = sql`${seats} UNION ALL SELECT user_id FROM waiters WHERE ${isRecipient}`;
  const payers = sql`${seats} AND paid_by = user_id AND EXISTS (SELECT 1 FROM token_entries e WHERE e.reference = participants.seat AND e.amount < 0)`;
  return [
    recordSessionChange(db, calendarEvent, { sessionId, condition }),
    recordEvent(db, cancelledEvent, { condition, idLists: { to, payers } }),
  ];
}

/**
 * Notifies the members of the hut of a session inserted in this batch (N-28). Sessions that a series lays out at the
 * same instant share an event.
 */
export function recordHutSession(
  db: Database,
  slug: string,
  cause: NewEvent<"hut-session">,
  parent: { hutId: number; seriesId: number | null },
): Statement {
  const selectFromHut = (column: SQL) => sql`(SELECT ${column} FROM huts WHERE id = ${parent.hutId})`;
  const textFields = {
    path: pathOf(slug),
    session: idOf(slug),
    hut: selectFromHut(sql`title`),
    hutPath: selectFromHut(sql`'/group/' || slug || '/sessions'`),
  };
  return parent.seriesId === null
    ? recordEvent(db, cause, { textFields })
    : recordSeriesSessions(db, parent.seriesId, cause, textFields);
}

/** Ends the session before its start, and stops its countdown. Calendars still show the planned start (F-12). */
export const cancelSession = (db: Database, version: SessionVersion, now: Instant) =>
  changeVersion(
    db,
    version,
    { startedAt: now, endedAt: now, closedAt: now, cancelledStart: sql`started_at` },
    now,
  );

/** A condition inside a batch: the session is not closed. */
export const isOpen = (sessionId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM sessions so WHERE so.id = ${sessionId} AND so.closed_at IS NULL)`;

/** Stores the planned start for the calendars of a session that the room cancels. It runs before the close (F-12). */
export const keepPlannedStart = (db: Database, sessionId: number, cancelledStart: Instant | null) =>
  db
    .update(sessions)
    .set({ cancelledStart })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.closedAt)));

/**
 * Deletes a session with its seats, goals and posts. Logs and notes stay with the people who wrote them, without session
 * and goal (R-15). Batch `kept` first, then `row`, then `rest`; `sharedGoals` are the session's.
 */
export const deleteSession = (
  db: Database,
  slug: string,
  version: SessionVersion | { id: number },
  sharedGoals: readonly NamedGoal[],
  now: Instant,
) => {
  const isDeleted = sql`NOT EXISTS (SELECT 1 FROM sessions WHERE id = ${version.id})`;
  const willDelete = "updatedAt" in version ? isSessionVersion(version) : sql`1`;
  return {
    kept: [
      keepLogs(db, version.id, sharedGoals, { now, condition: willDelete }),
      keepNotes(db, sql`session_id = ${version.id} AND ${willDelete}`),
    ] satisfies Statement[],
    row: db
      .delete(sessions)
      .where("updatedAt" in version ? isVersion(version) : eq(sessions.id, version.id))
      .returning({ id: sessions.id }),
    rest: [
      db.delete(slugs).where(sql`slug = ${slug} AND kind = 'session' AND ${isDeleted}`),
      db.update(logs).set({ sessionId: null }).where(sql`session_id = ${version.id} AND ${isDeleted}`),
      db
        .update(goals)
        .set({ attachedSessionId: null })
        .where(sql`attached_session_id = ${version.id} AND ${isDeleted}`),
    ],
  };
};

type NamedGoal = { id: number; title: string; unit: string };
/**
 * Gives the logs on a session's goals without a title that of their goal, and the unit of their amount, which only the
 * goal has, and ends their timers.
 * `session_goal_uuid` stays where the amount has such a unit, so that nobody reads "10 times" (`measuresOf`).
 */
function keepLogs(
  db: Database,
  sessionId: number,
  sharedGoals: readonly NamedGoal[],
  { now, condition }: { now: Instant; condition: SQL },
): Statement {
  const words = sharedGoals.map(({ id, title, unit }) => ({
    id,
    title: searchTextOf({ title, content: "" }),
    unit: searchTextOf({ title: unit, content: "" }),
  }));
  const title = sql`coalesce(nullif(logs.title, ''), gone.title)`;
  const hasUnit = sql`(gone.unit <> '' AND coalesce(logs.amount, 0) <> 0)`;
  const getsUnit = sql`(${hasUnit} AND instr(' ' || lower(${title}) || ' ', ' ' || lower(gone.unit) || ' ') = 0
    AND length(${title}) + length(gone.unit) + 3 <= ${LONGEST_TITLE})`;
  return db
    .update(logs)
    .set({
      ...endTimers(now),
      goalId: null,
      sessionId: null,
      sessionGoalUuid: sql`iif(${hasUnit}, logs.session_goal_uuid, NULL)`,
      title: sql`iif(${getsUnit}, ${title} || ' (' || gone.unit || ')', ${title})`,
      searchText: sql`trim(iif(logs.title = '', gone.title_words || ' ', '') || logs.search_text || iif(${getsUnit}, ' ' || gone.unit_words, ''))`,
    })
    .from(
      sql`(SELECT g.id AS goal, g.title, g.unit, coalesce(w.value ->> '$.title', '') AS title_words, coalesce(w.value ->> '$.unit', '') AS unit_words
        FROM goals g LEFT JOIN json_each(${JSON.stringify(words)}) w ON w.value ->> '$.id' = g.id WHERE g.session_id = ${sessionId}) gone`,
    )
    .where(sql`logs.goal_id = gone.goal AND ${condition}`);
}
/** The most characters of a log's title. */
const LONGEST_TITLE = 200;

// ---- goals of a session

export const updateSessionGoal = (
  db: Database,
  sessionId: number,
  uuid: string,
  change: Partial<typeof goals.$inferInsert>,
  condition?: SQL,
) =>
  db
    .update(goals)
    .set(change)
    .where(and(eq(goals.uuid, uuid), eq(goals.sessionId, sessionId), condition))
    .returning(goalColumns);

/** Deletes a goal of a session, unless it has logs. Its notes stay with their people. Batch `kept` first, then `row`. */
export function deleteSessionGoal(db: Database, sessionId: number, uuid: string, condition: SQL = sql`1`) {
  const willDelete = sql`uuid = ${uuid} AND session_id = ${sessionId} AND logs_count = 0 AND ${condition}`;
  return {
    kept: keepNotes(db, willDelete),
    row: db.delete(goals).where(willDelete).returning({ id: goals.id }),
  };
}

/** The uuids among these of goals that are not this session's. */
export const listTakenUuids = (db: Database, sessionId: number, uuids: readonly string[]) =>
  db
    .select({ uuid: goals.uuid })
    .from(goals)
    .where(
      sql`${goals.uuid} IN (SELECT value FROM json_each(${JSON.stringify(uuids)})) AND ${goals.sessionId} IS NOT ${sessionId}`,
    );

/** Stores the goals' order, `uuid → position`, in one statement. */
export const orderSessionGoals = (
  db: Database,
  sessionId: number,
  order: Record<string, number>,
  partGroupId: string | null,
) => {
  const orderJson = JSON.stringify(order);
  return db
    .update(goals)
    .set({
      position: sql`(SELECT value FROM json_each(${orderJson}) WHERE key = goals.uuid)`,
      ...(partGroupId === null ? {} : { partGroupId }),
    })
    .where(sql`session_id = ${sessionId} AND uuid IN (SELECT key FROM json_each(${orderJson}))`);
};
