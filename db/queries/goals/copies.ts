// Statements that copy goals, from an activity into a session and from a session into the user's own goals; use cases
// run them.
import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { goalColumns } from "#db/queries/goals/columns";
import { insertFrom } from "#db/queries/insert-from";
import { isVisible } from "#db/queries/visibility";
import { literal } from "#db/schema/columns";
import { GOAL_STATUS } from "~/domain/goals/goals";
import type { Instant } from "~/domain/time";

const { goals, participants, sessions } = schema;

/** A random UUID of version 4. */
const newUuid = sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;
const uncheckedItems = sql`(SELECT json_group_array(json_set(value, '$.isChecked', json('false'))) FROM json_each(goals.items))`;

type Columns = Record<keyof typeof goals._.columns, SQL>;
/** The columns of the original, under their own names. */
const originalColumns = Object.fromEntries(
  Object.entries(getTableColumns(goals)).map(([name, column]) => [
    name,
    sql`goals.${sql.identifier(column.name)}`,
  ]),
) as Columns;

export type CopyTarget = {
  /** The originals: an activity's goals, or a goal by uuid. */
  from: { activityId: number } | { goalUuid: string };
  /** The owner of the copies. */
  userId: number;
  /**
   * The copies' session; without it, they are the user's own goals. An SQL expression finds a session inserted in the
   * same batch.
   */
  sessionId?: number | SQL;
  /** The uuid of a single copy, so that a retry makes no second. */
  uuid?: string;
  now: Instant;
};

/**
 * Copies goals without progress and ticks, linked to their originals (E-27). An activity's goals go into a session, a
 * session's goal into the user's own goals.
 */
export const insertGoalCopies = (db: Database, target: CopyTarget) => {
  const sqlNull = sql`NULL`;
  const sqlZero = sql`0`;
  const isOriginal =
    "activityId" in target.from
      ? sql`goals.activity_id = ${target.from.activityId}`
      : sql`goals.uuid = ${target.from.goalUuid}`;
  const isPersonalCopy = target.sessionId === undefined;
  const row: Columns = {
    ...originalColumns,
    id: sqlNull,
    uuid: target.uuid === undefined ? newUuid : sql`${target.uuid}`,
    userId: sql`${target.userId}`,
    sessionId: isPersonalCopy ? sqlNull : sql`${target.sessionId}`,
    activityId: sqlNull,
    ...(isPersonalCopy
      ? {
          partGroupId: sqlNull,
          sharedTags: sql`'[]'`,
          position: sqlZero,
          isPerParticipant: sqlZero,
          mayEditContent: sqlZero,
          mayEditSummary: sqlZero,
        }
      : {}),
    items: uncheckedItems,
    startedAt: sqlNull,
    endedAt: sqlNull,
    status: literal(GOAL_STATUS.open),
    completedAt: sqlNull,
    copiedFromUuid: sql`goals.uuid`,
    attachedSessionId: sqlNull,
    amountElapsed: sqlZero,
    durationElapsed: sqlZero,
    distanceElapsed: sqlZero,
    logsCount: sqlZero,
    createdAt: sql`${target.now}`,
    updatedAt: sql`${target.now}`,
  };
  return insertFrom(
    db,
    goals,
    row,
    sql`FROM goals WHERE ${isOriginal} ORDER BY goals.position, goals.id`,
  ).returning(goalColumns);
};

/** The goals of a session or an activity, in their order. */
export const listSessionGoals = (db: Database, sessionId: number | SQL) =>
  db
    .select(goalColumns)
    .from(goals)
    .where(eq(goals.sessionId, sessionId))
    .orderBy(asc(goals.position), asc(goals.id));
/** The uuids of the session's goals that the user stored. */
export const listUuidsOfAuthor = (db: Database, sessionId: number, userId: number) =>
  db
    .select({ uuid: goals.uuid })
    .from(goals)
    .where(and(eq(goals.sessionId, sessionId), eq(goals.userId, userId)));
export const listActivityGoals = (db: Database, activityId: number) =>
  db
    .select(goalColumns)
    .from(goals)
    .where(eq(goals.activityId, activityId))
    .orderBy(asc(goals.position), asc(goals.id));

/** A goal of a session in which the user has a seat. */
export const findSessionGoal = (db: Database, sessionId: number, goalUuid: string, userId: number) =>
  db
    .select({
      ...goalColumns,
      hasSeat:
        sql<boolean>`EXISTS (SELECT 1 FROM ${participants} WHERE ${participants.sessionId} = ${sessionId} AND ${participants.userId} = ${userId})`
          .mapWith(Boolean)
          .as("has_seat"),
      needsCode: sql<boolean>`${sessions.joinCode} <> ''`.mapWith(Boolean).as("needs_code"),
    })
    .from(goals)
    .innerJoin(sessions, eq(sessions.id, goals.sessionId))
    .where(
      and(
        eq(goals.uuid, goalUuid),
        eq(goals.sessionId, sessionId),
        isVisible("sessions", "sessions", userId),
      ),
    )
    .limit(1);
