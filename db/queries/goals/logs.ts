// Statements on logs, and on the counters that each log moves: the totals of its goal (E-25), day and participant.
// The same batch writes both, so that reading totals never reads the history.
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { activeLogId, logColumns, ownedGoalColumns, tagsColumn } from "#db/queries/goals/columns";
import { IS_OPEN_LOG } from "#db/queries/goals/open-logs";
import { guestNameOf } from "#db/queries/guest-name";
import { insertFrom } from "#db/queries/insert-from";
import { type IdPage, isAfterCursor, offsetOf } from "#db/queries/pagination";
import { isShownTo } from "#db/queries/safety/blocks";
import { selectSanctionsIn } from "#db/queries/safety/sanctions";
import { listOwnIds, searchTextOf } from "#db/queries/search";
import { returnTokens } from "#db/queries/tokens";
import { isBannedFrom } from "#db/queries/visibility";
import { literal, nextOwnId } from "#db/schema/columns";
import type { Day } from "~/domain/days";
import { LOG_STATUS } from "~/domain/goals/log-state";
import {
  canUndoLog,
  countOf,
  differenceOf,
  type GoalContribution,
  isNothing,
  type Log,
  type LogChange,
  NOTHING,
} from "~/domain/goals/logs";
import type { Owned } from "~/domain/owned";
import { type Instant, instant } from "~/domain/time";

const { logs, goals, goalDays, sessionTotals, sessions, participants } = schema;

export type NewLog = Omit<
  typeof logs.$inferInsert,
  "id" | "title" | "content" | "contentHtml" | "summary" | "searchText"
> & {
  title: string;
  content: string;
  contentHtml: string;
  summary: string;
};

/** The fields of a log that decide which counters it moves. */
type CountedFields = Pick<
  Owned<Log>,
  "goalId" | "userId" | "day" | "sessionId" | "sessionGoalUuid" | "action"
>;

/**
 * Inserts a log. `row` returns it; `counters` follow it in the same batch. A repeat of its uuid breaks `logs.uuid`, a
 * second running timer of the goal breaks `one_running_log`; either undoes the batch. `most`: the logs that a guest may
 * have in the session (H-20). Beyond them nothing is inserted; `isInserted` is a condition of the other statements.
 */
export function insertLog(db: Database, log: NewLog, most: number | null = null) {
  const values = { ...log, id: nextLogId(log), searchText: searchTextOf(log) };
  const { uuid, userId, sessionId } = log;
  const isInserted =
    most === null ? sql`1` : sql`EXISTS (SELECT 1 FROM logs WHERE uuid = ${uuid} AND user_id = ${userId})`;
  const isWithinMost = sql`(SELECT count(*) FROM logs WHERE user_id = ${userId} AND session_id = ${sessionId}) < ${most}`;
  const row = (
    most === null ? db.insert(logs).values(values) : insertFrom(db, logs, values, sql`WHERE ${isWithinMost}`)
  ).returning(logColumns);
  const counters = moveCounters(db, log as Owned<Log>, countOf(log as Owned<Log>), 1, isInserted);
  return { row, counters, isInserted };
}

/**
 * Changes a log; `log` is the row as the caller read it, and its `updatedAt` is the version. `row` returns the changed
 * log, or no row after a concurrent change, and then no counter moves. Batch `[...counters, row]`, in this order.
 */
export function updateLog(db: Database, log: Owned<Log>, change: LogChange) {
  const updatedAt = instant(Math.max(change.updatedAt ?? 0, log.updatedAt + 1));
  const contribution = differenceOf(countOf(log), countOf({ ...log, ...change }));
  return {
    counters: [
      ...moveCounters(db, log, contribution, 0, isUnchanged(log)),
      ...moveDay(db, log, { ...log, ...change }, isUnchanged(log)),
    ],
    row: db
      .update(logs)
      .set({
        ...change,
        ...changedSearchText(log, change),
        ...("distance" in change ? { lastDistance: null } : {}),
        updatedAt,
      })
      .where(isUnchangedRow(log))
      .returning(logColumns),
  };
}

const changedSearchText = (log: Owned<Log>, change: LogChange) =>
  change.title === undefined && change.content === undefined
    ? {}
    : { searchText: searchTextOf({ ...log, ...change }) };

/** Higher than the log ids of the user, the session and the goal, because their lists are paged and merged by id. */
const nextLogId = ({ userId, sessionId, goalId, createdAt }: NewLog): SQL =>
  sql`max(${nextOwnId("logs", userId, createdAt)}, 1 + coalesce((SELECT max(id) FROM logs WHERE session_id = ${sessionId ?? null}), 0), 1 + coalesce((SELECT max(id) FROM logs WHERE goal_id = ${goalId ?? null}), 0))`;

/** Like `updateLog`, but deletes the log. A young log returns its price in the same batch (R-75). */
export function deleteLog(db: Database, log: Owned<Log>, now: Instant) {
  const condition = isUnchanged(log);
  const contribution = differenceOf(countOf(log), NOTHING);
  const refundStatements = canUndoLog(log, now)
    ? returnTokens(db, { reference: `log:${log.uuid}`, reason: "log_return", now, condition })
    : [];
  return {
    counters: [...moveCounters(db, log, contribution, -1, condition), ...refundStatements],
    row: db.delete(logs).where(isUnchangedRow(log)).returning({ id: logs.id }),
  };
}

/** A condition inside the batch: nobody changed the log since it was read. */
const isUnchanged = (log: Owned<Log>): SQL =>
  sql`EXISTS (SELECT 1 FROM logs AS still WHERE still.user_id = ${log.userId} AND still.id = ${log.id} AND still.updated_at = ${log.updatedAt})`;
const isUnchangedRow = ({ userId, id, updatedAt }: Owned<Log>) =>
  and(eq(logs.userId, userId), eq(logs.id, id), eq(logs.updatedAt, updatedAt));

function moveCounters(
  db: Database,
  log: CountedFields,
  contribution: GoalContribution,
  rows: -1 | 0 | 1,
  condition: SQL,
): Statement[] {
  const statements: Statement[] = [];
  if (log.goalId !== null && (rows !== 0 || !isNothing(contribution)))
    statements.push(...moveTotals(db, { ...log, goalId: log.goalId }, contribution, rows, condition));
  if (log.sessionId !== null && log.sessionGoalUuid !== null && !isNothing(contribution))
    statements.push(
      insertFrom(
        db,
        sessionTotals,
        {
          sessionId: log.sessionId,
          userId: log.userId,
          goalUuid: log.sessionGoalUuid,
          action: log.action,
          amount: contribution.amount,
          distance: contribution.distance,
          duration: contribution.duration,
        },
        sql`WHERE ${condition} AND EXISTS (SELECT 1 FROM sessions WHERE id = ${log.sessionId})`,
      ).onConflictDoUpdate({
        target: [sessionTotals.sessionId, sessionTotals.userId, sessionTotals.goalUuid],
        set: {
          amount: sql`session_totals.amount + excluded.amount`,
          distance: sql`session_totals.distance_mm + excluded.distance_mm`,
          duration: sql`session_totals.duration + excluded.duration`,
        },
      }),
    );
  return statements;
}

/**
 * The new total of a goal. A session's goal has the sum of everybody's logs, so it becomes -1, which its CHECK refuses,
 * where a log would take away more than this person has logged (V-12). It comes before `session_totals` moves.
 */
const movedTotal = (total: SQL, own: SQL, by: number, userId: number): SQL =>
  by < 0
    ? sql`CASE WHEN session_id IS NOT NULL AND coalesce((SELECT ${own} FROM session_totals t WHERE t.session_id = goals.session_id AND t.user_id = ${userId} AND t.goal_uuid = goals.uuid), 0) + ${by} < 0 THEN -1 ELSE ${total} + ${by} END`
    : sql`${total} + ${by}`;

/** Moves the goal's totals and its day. A log without a contribution writes no day. */
function moveTotals(
  db: Database,
  { goalId, userId, day }: CountedFields & { goalId: number },
  contribution: GoalContribution,
  rows: -1 | 0 | 1,
  condition: SQL,
): Statement[] {
  const updateGoal = db
    .update(goals)
    .set({
      amountElapsed: movedTotal(sql`amount_elapsed`, sql`t.amount`, contribution.amount, userId),
      durationElapsed: sql`duration_elapsed + ${contribution.duration}`,
      distanceElapsed: movedTotal(
        sql`distance_elapsed_mm`,
        sql`t.distance_mm`,
        contribution.distance,
        userId,
      ),
      logsCount: sql`logs_count + ${rows}`,
    })
    .where(and(eq(goals.id, goalId), condition));
  return isNothing(contribution)
    ? [updateGoal]
    : [updateGoal, addToDay(db, { goalId, userId, day }, contribution, condition)];
}

type GoalDay = { goalId: number; userId: number; day: Day };
const addToDay = (
  db: Database,
  { goalId, userId, day }: GoalDay,
  contribution: GoalContribution,
  condition: SQL,
): Statement =>
  insertFrom(
    db,
    goalDays,
    {
      goalId: sql`id`,
      userId,
      day,
      amount: contribution.amount,
      duration: contribution.duration,
      distance: contribution.distance,
      logs: contribution.logs,
      isShared: sql`session_id IS NOT NULL OR activity_id IS NOT NULL`,
    },
    sql`FROM goals WHERE id = ${goalId} AND ${condition}`,
  ).onConflictDoUpdate({
    target: [goalDays.goalId, goalDays.userId, goalDays.day],
    set: {
      amount: sql`goal_days.amount + excluded.amount`,
      duration: sql`goal_days.duration + excluded.duration`,
      distance: sql`goal_days.distance_mm + excluded.distance_mm`,
      logs: sql`goal_days.logs + excluded.logs`,
    },
  });

/** Moves a whole log from its day to another; the totals stay. */
function moveDay(db: Database, before: Owned<Log>, after: Owned<Log>, condition: SQL): Statement[] {
  const { goalId, userId } = before;
  const contribution = countOf(after);
  if (goalId === null || after.day === before.day || isNothing(contribution)) return [];
  return [
    addToDay(db, { goalId, userId, day: before.day }, differenceOf(contribution, NOTHING), condition),
    addToDay(db, { goalId, userId, day: after.day }, contribution, condition),
  ];
}

/** A log of the user, by id. */
export const findLog = (db: Database, id: number, userId: number) =>
  db
    .select(logColumns)
    .from(logs)
    .where(and(eq(logs.id, id), eq(logs.userId, userId)))
    .limit(1);

/** A log by the uuid from its client, to answer a retry. */
export const findLogByUuid = (db: Database, uuid: string, userId: number) =>
  db
    .select(logColumns)
    .from(logs)
    .where(and(eq(logs.uuid, uuid), eq(logs.userId, userId)))
    .limit(1);

/** The columns of every list: the log, and title and unit of its goal. */
const listedLogColumns = {
  ...logColumns,
  goalUuid: sql<string | null>`${goals.uuid}`.as("goal_uuid"),
  goalTitle: sql<string | null>`${goals.title}`.as("goal_title"),
  goalAction: sql<string | null>`${goals.action}`.as("goal_action"),
  goalUnit: sql<string | null>`${goals.unit}`.as("goal_unit"),
  isGoalShared: sql<boolean>`${goals.sessionId} IS NOT NULL`.mapWith(Boolean).as("is_goal_shared"),
};

/** A session's log also has the name of a guest. */
const sessionLogColumns = {
  ...listedLogColumns,
  guestName: guestNameOf(sql`${logs}`).as("author_guest_name"),
};

const selectLogs = (db: Database, condition: SQL) =>
  db.select(listedLogColumns).from(logs).leftJoin(goals, eq(goals.id, logs.goalId)).where(condition);

/** Newest first; at most `perPage` + 1 rows, because the extra row shows that a next page exists (C-05). */
const selectPageOfLogs = (db: Database, condition: SQL, page: IdPage) =>
  selectLogs(db, sql`${and(condition, isAfterCursor(logs.id, page))}`)
    .orderBy(desc(logs.id))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));

/** The user's logs after an id, oldest first. */
export const exportLogs = (db: Database, userId: number, afterId: number, limit: number) =>
  selectLogs(db, sql`${logs.userId} = ${userId} AND ${logs.id} > ${afterId}`)
    .orderBy(asc(logs.id))
    .limit(limit);

const lowestId = (...ids: (number | null)[]): number | undefined => {
  const bounds = ids.filter((id) => id !== null);
  return bounds.length === 0 ? undefined : Math.min(...bounds);
};

/** A user's logs. `words` keeps only logs that contain all of them, `before` only logs created earlier. */
export const listUserLogs = (
  db: Database,
  userId: number,
  page: IdPage,
  { words, before }: { words: readonly string[] | null; before: Instant | null } = {
    words: null,
    before: null,
  },
) => {
  const isEarlier = before === null ? undefined : sql`${logs.id} < ${before * 1000}`;
  const isUsers = and(eq(logs.userId, userId), isEarlier);
  if (words === null) return selectPageOfLogs(db, sql`${isUsers}`, page);
  const ids = listOwnIds("log", userId, words, {
    before: lowestId(page.after ? Number(page.after) : null, before === null ? null : before * 1000),
    limit: page.perPage + 1,
    offset: offsetOf(page),
  });
  return selectLogs(db, sql`${eq(logs.userId, userId)} AND ${logs.id} IN (${ids})`).orderBy(desc(logs.id));
};
/** Without logs of people hidden from `viewerId` by a block (Q-11): a session's goal has the logs of everybody. */
export const listGoalLogs = (db: Database, goalId: number, viewerId: number, page: IdPage) =>
  selectPageOfLogs(db, sql`${eq(logs.goalId, goalId)} AND ${isShownTo(logs.userId, viewerId)}`, page);
/** Without logs of people hidden from `viewerId` by a block (Q-11). */
export const listSessionLogs = (db: Database, sessionId: number, viewerId: number, page: IdPage) =>
  db
    .select(sessionLogColumns)
    .from(logs)
    .leftJoin(goals, eq(goals.id, logs.goalId))
    .where(and(eq(logs.sessionId, sessionId), isShownTo(logs.userId, viewerId), isAfterCursor(logs.id, page)))
    .orderBy(desc(logs.id))
    .limit(page.perPage + 1)
    .offset(offsetOf(page));

/**
 * The user's logs during the run of a session that has a recap, in order. Ids are microseconds, so they are a range.
 */
export const listLogsOfRun = (db: Database, sessionId: number, userId: number, limit: number) => {
  const runBound = (name: "startedAt" | "endedAt") =>
    sql`(SELECT s.recap ->> ${`$.${name}`} FROM sessions s WHERE s.id = ${sessionId}) * 1000`;
  return selectLogs(
    db,
    sql`${logs.userId} = ${userId} AND ${logs.id} >= ${runBound("startedAt")} AND ${logs.id} < ${runBound("endedAt")}`,
  )
    .orderBy(logs.id)
    .limit(limit);
};

/** Running, paused and planned logs of one goal or of all; newest first. */
export const listOpenLogs = (db: Database, userId: number, goalId: number | null, limit: number) => {
  const isOfGoal = goalId === null ? sql`` : sql`AND goal_id = ${goalId}`;
  // With `+id` SQLite reads `logs_open`, the index of open logs, and not every log of the user in the order of the key.
  const openIds = sql`SELECT id FROM logs WHERE user_id = ${userId} AND ${IS_OPEN_LOG} ${isOfGoal} ORDER BY +id DESC LIMIT ${limit}`;
  return selectLogs(db, sql`${logs.userId} = ${userId} AND ${logs.id} IN (${openIds})`).orderBy(
    desc(logs.id),
  );
};

/** Running interval timers past their end (R-62), of a user or of everybody, the earliest end first. */
export const listEndedTimers = (
  db: Database,
  now: Instant,
  { userId, limit }: { userId: number | null; limit: number },
) =>
  db
    .select(logColumns)
    .from(logs)
    .where(and(isEndedTimer(now), userId === null ? undefined : sql`+${logs.userId} = ${userId}`))
    .orderBy(logs.endedAt)
    .limit(limit);
/**
 * Served by a partial index. Callers write a condition on the user as `+user_id`, or the planner reads all the user's
 * logs.
 */
export const isEndedTimer = (now: Instant): SQL =>
  sql`${logs.status} = ${literal(LOG_STATUS.active)} AND ${logs.isInterval} = 1 AND ${logs.endedAt} <= ${now}`;

const sanctionsIn = (userId: number) =>
  selectSanctionsIn(userId, {
    sessionId: sql`${sessions.id}`,
    seriesId: sql`${sessions.seriesId}`,
    hutId: sql`${sessions.hutId}`,
  });

/**
 * A goal to log on, with its own or attached session, and the sanctions there. `seatName` is the name on the user's
 * seat in that session, null without a seat or after a ban.
 */
export const findGoalToLog = (db: Database, goalId: number, userId: number, now: number) =>
  db
    .select({
      goal: ownedGoalColumns,
      tiedSessionId: sql<number | null>`${sessions.id}`.as("tied_session_id"),
      hasEnded: sql<boolean>`${sessions.endedAt} IS NOT NULL AND ${sessions.endedAt} <= ${now}`
        .mapWith(Boolean)
        .as("has_ended"),
      seatName: sql<
        string | null
      >`(SELECT ${participants.username} FROM ${participants} WHERE ${participants.sessionId} = ${sessions.id} AND ${participants.userId} = ${userId} AND NOT ${isBannedFrom(sql`${sessions.hutId}`, userId)})`.as(
        "seat_name",
      ),
      sanctions: sanctionsIn(userId),
    })
    .from(goals)
    .leftJoin(sessions, sql`${sessions.id} = coalesce(${goals.sessionId}, ${goals.attachedSessionId})`)
    .where(eq(goals.id, goalId))
    .limit(1);

/** The user's seat and sanctions in the session of a log; no row without such a session. */
export const findSeatAndSanctions = (db: Database, sessionId: number | SQL, userId: number) =>
  db
    .select({
      hasEnded: sql<boolean>`${sessions.closedAt} IS NOT NULL`.mapWith(Boolean).as("session_ended"),
      seatName: sql<string | null>`${participants.username}`.as("seat_name"),
      sanctions: sanctionsIn(userId),
    })
    .from(sessions)
    .leftJoin(participants, and(eq(participants.sessionId, sessions.id), eq(participants.userId, userId)))
    .where(eq(sessions.id, sessionId))
    .limit(1);
/** The session of a log, for `findSeatAndSanctions`. */
export const selectSessionOfLog = (logId: number, userId: number): SQL =>
  sql`(SELECT session_id FROM logs WHERE user_id = ${userId} AND id = ${logId})`;

/** The current goal with its totals, its tags and the user's running timer, to return with a log. */
export const findGoalBesideLog = (db: Database, goalId: number, userId: number) =>
  db
    .select({ ...ownedGoalColumns, tags: tagsColumn, activeLogId: activeLogId(userId) })
    .from(goals)
    .where(eq(goals.id, goalId))
    .limit(1);

/** The current goal and its totals. */
export const findGoalById = (db: Database, goalId: number) =>
  db.select(ownedGoalColumns).from(goals).where(eq(goals.id, goalId)).limit(1);
