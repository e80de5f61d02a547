// Statements on goals: lists, single goals, their ticks and the sessions they are attached to; use cases run them.
import { and, asc, desc, eq, gt, not, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { activeLogId, goalColumns, ownedGoalColumns, tagsColumn } from "#db/queries/goals/columns";
import { measuresColumn } from "#db/queries/goals/measures";
import { IS_OPEN_LOG } from "#db/queries/goals/open-logs";
import { insertFrom } from "#db/queries/insert-from";
import { listOwnGoalIds, ownMatches } from "#db/queries/search";
import { isVisible } from "#db/queries/visibility";
import { literal } from "#db/schema/columns";
import type { Day } from "~/domain/days";
import { type DraftItem, GOAL_STATUS } from "~/domain/goals/goals";
import { LOG_STATUS } from "~/domain/goals/log-state";
import type { DayTotals } from "~/domain/goals/recurrence";
import type { SeatRole } from "~/domain/roles";
import { SEAT_ROLE } from "~/domain/roles";
import { NEAR_BEFORE } from "~/domain/sessions/status";
import type { Instant } from "~/domain/time";

const { goals, goalTags, tagCounts, sessionTotals, participants, sessions, users } = schema;

export type NewGoal = typeof goals.$inferInsert;

/** A goal of no session or activity: the partial index `goals_by_user` serves it. */
const isPersonal = sql`session_id IS NULL AND activity_id IS NULL`;

// Drizzle leaves out the table name in a select of one table, so the subselects write it.

/** The account's name, where `users` is joined. */
const ownerNameColumn = sql<string>`${users.username}`.as("owner_name");

export type DayRow = [
  day: Day,
  amount: number,
  duration: number,
  distance: number,
  logs: number,
  isSkipped: number,
];
export const asDayTotals = ([day, amount, duration, distance, logs, isSkipped]: DayRow): DayTotals => ({
  day,
  amount,
  duration,
  distance,
  logs,
  isSkipped: isSkipped === 1,
});
/** The days of a goal and user as a JSON list of `DayRow`. */
export const daysOf = (goalId: SQL, userId: SQL, since: SQL): SQL =>
  sql`(SELECT json_group_array(json_array(gd.day, gd.amount, gd.duration, gd.distance_mm, gd.logs, gd.is_skipped)) FROM goal_days gd WHERE gd.goal_id = ${goalId} AND gd.user_id = ${userId} AND gd.day >= ${since})`;
/** The column with the days of a repeating goal from `since` on; empty for any other goal. */
const recentDays = (userId: number, since: Day) =>
  sql`CASE WHEN goals.recurrence IS NULL THEN '[]' ELSE ${daysOf(sql`goals.id`, sql`${userId}`, sql`${since}`)} END`
    .mapWith((text: string): DayTotals[] => (JSON.parse(text) as DayRow[]).map(asDayTotals))
    .as("recent_days");

/** The filters of a list; `words` is null without a search. */
type GoalFilter = { status: 1 | 2 | null; words: readonly string[] | null; tag: string | null };

type GoalPage = { userId: number; since: Day; page: number; perPage: number } & GoalFilter;

/**
 * The user's own goals: the running ones, then open goals, then newest first. Two statements, because sorting by what
 * runs would read all of them; the page is the first `perPage` + 1 rows of both. A goal costs a token, so lists are
 * short enough for OFFSET. A search reads no more goals than the pages up to this one have, unless a tag leaves some of
 * them out.
 */
export const listGoals = (db: Database, filter: GoalPage) => {
  const skippedRows = (filter.page - 1) * filter.perPage;
  const runningCount = db.select({ goals: sql`count(*)` }).from(goals).where(isListedGoal(filter, true));
  return [
    selectListedGoals(db, filter, true).offset(skippedRows),
    selectListedGoals(db, filter, false).offset(
      sql`max(0, ${skippedRows} - (${runningCount}))` as unknown as number,
    ),
  ] as const;
};

/** It repeats the condition of the index of open logs and leaves out `is_timed`, so that the index alone answers. */
const isRunningGoal = ({ userId }: GoalPage): SQL =>
  sql`${goals.id} IN (SELECT goal_id FROM logs WHERE user_id = ${userId} AND ${IS_OPEN_LOG} AND status = ${literal(LOG_STATUS.active)})`;

const isListedGoal = (filter: GoalPage, areRunning: boolean) =>
  and(
    // The `+` makes SQLite find running and searched goals by their ids, and not by reading all goals of the user.
    areRunning || filter.words !== null
      ? sql`+${goals.userId} = ${filter.userId}`
      : eq(goals.userId, filter.userId),
    isPersonal,
    filter.status === null ? undefined : eq(goals.status, filter.status),
    filter.tag === null
      ? undefined
      : sql`${goals.id} IN (SELECT goal_id FROM goal_tags WHERE user_id = ${filter.userId} AND tag = ${filter.tag})`,
    filter.words === null ? undefined : hasWords(filter, filter.words, areRunning),
    areRunning ? isRunningGoal(filter) : not(isRunningGoal(filter)),
  );

function hasWords(filter: GoalPage, words: readonly string[], areRunning: boolean): SQL {
  const matches = ownMatches("goal", filter.userId, words);
  // Few goals run, so the search looks up each of them.
  if (areRunning) return sql`EXISTS (SELECT 1 FROM goal_words WHERE ${matches} AND rowid = ${goals.id})`;
  if (filter.tag !== null) return sql`${goals.id} IN (SELECT rowid FROM goal_words WHERE ${matches})`;
  const runningCount = sql`(SELECT count(*) FROM logs WHERE user_id = ${filter.userId} AND ${IS_OPEN_LOG} AND status = ${literal(LOG_STATUS.active)})`;
  const maxIds = sql`${filter.page * filter.perPage + 1} + ${runningCount}`;
  return sql`${goals.id} IN (${listOwnGoalIds(filter.userId, words, maxIds, filter.status)})`;
}

const selectListedGoals = (db: Database, filter: GoalPage, areRunning: boolean) =>
  db
    .select({
      ...goalColumns,
      activeLogId: activeLogId(filter.userId),
      tags: tagsColumn,
      recentDays: recentDays(filter.userId, filter.since),
      measures: measuresColumn,
    })
    .from(goals)
    .where(isListedGoal(filter, areRunning))
    .orderBy(asc(goals.status), desc(goals.id))
    .limit(filter.perPage + 1);

/** The user's own goals after an id, oldest first. */
export const exportGoals = (db: Database, userId: number, afterId: number, limit: number) =>
  db
    .select({
      ...goalColumns,
      activeLogId: activeLogId(userId),
      tags: tagsColumn,
      ownerName: ownerNameColumn,
    })
    .from(goals)
    .innerJoin(users, eq(users.id, goals.userId))
    .where(and(eq(goals.userId, userId), isPersonal, gt(goals.id, afterId)))
    .orderBy(asc(goals.id))
    .limit(limit);

/** The tags in use, most frequent first. */
export const listTags = (db: Database, userId: number) =>
  db
    .select({ tag: tagCounts.tag, goals: tagCounts.goals })
    .from(tagCounts)
    .where(eq(tagCounts.userId, userId))
    .orderBy(desc(tagCounts.goals), asc(tagCounts.tag))
    .limit(30);

/** A goal and all that its page shows, as `userId` sees it. */
export const findGoal = (db: Database, goalId: number, userId: number) =>
  db
    .select({
      ...ownedGoalColumns,
      activeLogId: activeLogId(userId),
      tags: tagsColumn,
      ownerName: ownerNameColumn,
      seatName: sql<string | null>`${participants.username}`.as("seat_name"),
      seatRole: sql<SeatRole | null>`${participants.role}`.as("seat_role"),
      seatIsHost: sql<boolean>`${participants.isHost}`.mapWith(Boolean).as("seat_is_host"),
    })
    .from(goals)
    .innerJoin(users, eq(users.id, goals.userId))
    .leftJoin(participants, and(eq(participants.sessionId, goals.sessionId), eq(participants.userId, userId)))
    .where(eq(goals.id, goalId))
    .limit(1);

export const findGoalByUuid = (db: Database, uuid: string) =>
  db.select(ownedGoalColumns).from(goals).where(eq(goals.uuid, uuid));

export const insertGoal = (db: Database, goal: NewGoal) =>
  db.insert(goals).values(goal).returning(goalColumns);

/** The user who changes a goal. */
export type Manager = { userId: number; isSuperAdmin: boolean };
/** `canManageGoal` as SQL, checked again by the statement that writes. */
const isManagedBy = ({ userId, isSuperAdmin }: Manager): SQL =>
  sql`CASE WHEN goals.session_id IS NULL THEN goals.user_id = ${userId} ELSE ${isSuperAdmin ? 1 : 0} = 1 OR EXISTS (
    SELECT 1 FROM participants p WHERE p.session_id = goals.session_id AND p.user_id = ${userId} AND (p.is_host = 1 OR p.role = ${literal(SEAT_ROLE.admin)})) END`;

export type GoalChange = Omit<Partial<NewGoal>, "items"> & { items?: readonly DraftItem[] };
/** `withTicks` as SQL: a line that names no tick keeps that of the row, also one that came since it was read. */
const withStoredTicks = (items: readonly DraftItem[]): SQL =>
  sql`(SELECT json_group_array(json_set(typed.value, '$.isChecked', CASE
    WHEN coalesce(typed.value ->> '$.isChecked', (SELECT stored.value ->> '$.isChecked' FROM json_each(goals.items) stored
      WHERE stored.value ->> '$.uuid' = typed.value ->> '$.uuid')) = 1 THEN json('true')
    ELSE json('false') END)) FROM json_each(${JSON.stringify(items)}) typed)`;

/**
 * Changes a goal for its owner or the people who run its session; for anybody else, it returns no row. `knownUpdatedAt`
 * is the version that must not have changed (R-69).
 */
export const updateGoal = (
  db: Database,
  goalId: number,
  manager: Manager,
  change: GoalChange,
  knownUpdatedAt?: Instant,
) =>
  db
    .update(goals)
    .set({
      ...change,
      ...(change.items ? { items: withStoredTicks(change.items) } : {}),
      ...("distance" in change ? { lastDistance: null } : {}),
    } as Partial<NewGoal>)
    .where(
      and(
        eq(goals.id, goalId),
        isManagedBy(manager),
        knownUpdatedAt === undefined ? undefined : eq(goals.updatedAt, knownUpdatedAt),
      ),
    )
    .returning(goalColumns);

/** Replaces the tags of a goal, found by its uuid because the same batch may insert it: two statements. */
export const replaceTags = (
  db: Database,
  { goalUuid, userId, tags }: { goalUuid: string; userId: number; tags: readonly string[] },
): Statement[] => {
  const goalId = sql`(SELECT id FROM goals WHERE uuid = ${goalUuid} AND user_id = ${userId})`;
  return [
    db.delete(goalTags).where(sql`goal_id = ${goalId}`),
    ...(tags.length === 0
      ? []
      : [
          insertFrom(
            db,
            goalTags,
            { userId, tag: sql`value`, goalId },
            sql`FROM json_each(${JSON.stringify(tags)}) WHERE ${goalId} IS NOT NULL`,
          ).onConflictDoNothing(),
        ]),
  ];
};

/** Completes a goal; a retry keeps the first instant (S-14). */
export const completeGoal = (db: Database, goalId: number, manager: Manager, now: Instant) =>
  db
    .update(goals)
    .set({ status: GOAL_STATUS.completed, completedAt: sql`coalesce(completed_at, ${now})`, updatedAt: now })
    .where(and(eq(goals.id, goalId), isManagedBy(manager)))
    .returning(goalColumns);

/** Deletes a goal; foreign keys delete its logs, notes and days. For one batch, in this order. */
export function deleteGoal(db: Database, goalId: number, userId: number): Statement[] {
  const goalUuid = sql`SELECT uuid FROM goals WHERE id = ${goalId} AND user_id = ${userId}`;
  const loggedSessions = sql`SELECT DISTINCT session_id FROM logs WHERE goal_id = ${goalId} AND session_id IS NOT NULL`;
  return [
    db
      .delete(sessionTotals)
      .where(sql`user_id = ${userId} AND goal_uuid = (${goalUuid}) AND session_id IN (${loggedSessions})`),
    db.delete(goals).where(and(eq(goals.id, goalId), eq(goals.userId, userId))),
  ];
}

// ---- the checklist

/** The uuids of entries that become checked and unchecked; the others stay as they are. */
type Ticks = { added: readonly string[]; removed: readonly string[] };
/** Ticks lines of the user's own goal (C-83) in one statement, so that two tabs never mix. */
export const tickItems = (db: Database, goalId: number, userId: number, { added, removed }: Ticks) =>
  db
    .update(goals)
    .set({
      items: sql`(SELECT json_group_array(json_set(value, '$.isChecked', CASE
        WHEN value ->> '$.uuid' IN (SELECT value FROM json_each(${JSON.stringify(added)})) THEN json('true')
        WHEN value ->> '$.uuid' IN (SELECT value FROM json_each(${JSON.stringify(removed)})) THEN json('false')
        ELSE json(value -> '$.isChecked') END)) FROM json_each(goals.items))`,
    })
    .where(and(eq(goals.id, goalId), eq(goals.userId, userId)))
    .returning(goalColumns);

/** Stores the ticks of a participant on a session's goal, while the seat exists. */
export const tickInSession = (
  db: Database,
  tick: { sessionId: number; userId: number; goalUuid: string; action: string } & Ticks,
) =>
  insertFrom(
    db,
    sessionTotals,
    {
      sessionId: tick.sessionId,
      userId: tick.userId,
      goalUuid: tick.goalUuid,
      action: tick.action,
      listProgress: [...tick.added],
    },
    sql`WHERE EXISTS (SELECT 1 FROM participants WHERE session_id = ${tick.sessionId} AND user_id = ${tick.userId})`,
  )
    .onConflictDoUpdate({
      target: [sessionTotals.sessionId, sessionTotals.userId, sessionTotals.goalUuid],
      set: {
        listProgress: sql`(SELECT json_group_array(uuid) FROM (
          SELECT value AS uuid FROM json_each(coalesce(list_progress, '[]')) WHERE value NOT IN (SELECT value FROM json_each(${JSON.stringify(tick.removed)}))
          UNION SELECT value FROM json_each(excluded.list_progress)))`,
      },
    })
    .returning({ listProgress: sessionTotals.listProgress });

// ---- sessions

/** Attaches the user's own goal to an open session with the user's seat (C-36); otherwise no row. */
export const attachGoal = (
  db: Database,
  tie: { goalId: number; sessionId: number; userId: number; now: Instant },
) =>
  db
    .update(goals)
    .set({ attachedSessionId: tie.sessionId, updatedAt: tie.now })
    .where(
      and(
        eq(goals.id, tie.goalId),
        eq(goals.userId, tie.userId),
        isPersonal,
        sql`EXISTS (SELECT 1 FROM participants p JOIN sessions s ON s.id = p.session_id WHERE p.session_id = ${tie.sessionId} AND p.user_id = ${tie.userId} AND (s.ended_at IS NULL OR s.ended_at > ${tie.now}))`,
      ),
    )
    .returning(goalColumns);

/** Reads the facts that tell why `attachGoal` returned no row. */
export const findAttachment = (
  db: Database,
  tie: { goalId: number; sessionId: number; userId: number; now: Instant },
) =>
  db
    .select({
      hasGoal:
        sql<boolean>`EXISTS (SELECT 1 FROM goals WHERE id = ${tie.goalId} AND user_id = ${tie.userId} AND ${isPersonal})`
          .mapWith(Boolean)
          .as("has_goal"),
      hasEnded: sql<boolean>`${sessions.endedAt} IS NOT NULL AND ${sessions.endedAt} <= ${tie.now}`
        .mapWith(Boolean)
        .as("has_ended"),
      hasSeat:
        sql<boolean>`EXISTS (SELECT 1 FROM ${participants} WHERE ${participants.sessionId} = ${sessions.id} AND ${participants.userId} = ${tie.userId})`
          .mapWith(Boolean)
          .as("has_seat"),
    })
    .from(sessions)
    .where(and(eq(sessions.id, tie.sessionId), isVisible("sessions", "sessions", tie.userId)))
    .limit(1);

/** The user's goals attached to a session, as My Goals shows them. */
export const listAttachedGoals = (db: Database, sessionId: number, userId: number) =>
  db
    .select({ ...goalColumns, activeLogId: activeLogId(userId) })
    .from(goals)
    .where(and(eq(goals.attachedSessionId, sessionId), eq(goals.userId, userId)))
    .orderBy(desc(goals.id));

/** How many goals a session offers at most. */
const MAX_OFFERED = 100;
/** The user's open goals that meet a condition, newest first. */
const listOfferedGoals = (db: Database, userId: number, condition: SQL) =>
  db
    .select({ id: goals.id, title: goals.title })
    .from(goals)
    .where(and(eq(goals.userId, userId), isPersonal, eq(goals.status, GOAL_STATUS.open), condition))
    .orderBy(desc(goals.id))
    .limit(MAX_OFFERED);

/** The user's open goals that are not attached to this session. */
export const listAttachableGoals = (db: Database, sessionId: number, userId: number) =>
  listOfferedGoals(db, userId, sql`${goals.attachedSessionId} IS NOT ${sessionId}`);

/** The open goals that a person may link to their aim, while the aim may be written (R-84). */
export const listGoalsForAim = (db: Database, sessionId: number, userId: number, now: Instant) =>
  listOfferedGoals(
    db,
    userId,
    sql`EXISTS (SELECT 1 FROM participants p JOIN sessions s ON s.id = p.session_id WHERE p.session_id = ${sessionId}
      AND p.user_id = ${userId} AND s.closed_at IS NULL AND s.started_at <= ${now + NEAR_BEFORE})`,
  );

/** How many goals of a user an activity shows at most. */
const MAX_ACTIVITY_GOALS = 100;

/**
 * The user's goals of an activity: copied from its goals or its sessions' goals, or attached to its sessions (E-05,
 * E-27). Reads only copied and attached goals; open goals first.
 */
export const listOwnGoalsOfActivity = (db: Database, slug: string, userId: number) => {
  const activity = sql`(SELECT id FROM activities WHERE slug = ${slug})`;
  return db
    .select({ ...goalColumns, activeLogId: activeLogId(userId) })
    .from(goals)
    .where(
      sql`goals.user_id = ${userId} AND ${isPersonal} AND (copied_from_uuid IS NOT NULL OR attached_session_id IS NOT NULL) AND (
        EXISTS (SELECT 1 FROM sessions s WHERE s.id = goals.attached_session_id AND s.activity_id = ${activity})
        OR EXISTS (SELECT 1 FROM goals o WHERE o.uuid = goals.copied_from_uuid AND o.activity_id = ${activity})
        OR EXISTS (SELECT 1 FROM goals o JOIN sessions s ON s.id = o.session_id WHERE o.uuid = goals.copied_from_uuid AND s.activity_id = ${activity}))`,
    )
    .orderBy(asc(goals.status), desc(goals.id))
    .limit(MAX_ACTIVITY_GOALS);
};
