// Statements on the people in the recap of a session, and the goals to which a person may log its time; use cases run
// them.
import { eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";
import { literal } from "#db/schema/columns";
import { GOAL_STATUS } from "~/domain/goals/goals";

/**
 * The people in the recap: the name of their seat, a guest's also as typed, and whether they have a seat and marked it
 * done. The room knows the name of an account that gave its seat up, but may know a deleted one by its old name.
 */
export const listRecapNames = (db: Database, sessionId: number) =>
  db
    .select({
      userId: sql<number>`u.id`.as("recap_user_id"),
      username: sql<
        string | null
      >`coalesce(p.username, CASE WHEN u.guest_of IS NOT NULL THEN u.username WHEN u.email LIKE '%@deleted.invalid' THEN 'deleted.' || u.id END)`.as(
        "recap_name",
      ),
      guestName: sql<string | null>`iif(u.guest_of IS NULL, NULL, u.first_name)`.as("recap_guest_name"),
      hasSeat: sql<boolean>`p.user_id IS NOT NULL`.mapWith(Boolean).as("recap_has_seat"),
      isDone: sql<boolean>`p.completed_at IS NOT NULL`.mapWith(Boolean).as("recap_is_done"),
    })
    .from(
      sql`sessions s JOIN json_each(s.recap, '$.people') j JOIN users u ON u.id = j.value ->> 'userId'
        LEFT JOIN participants p ON p.user_id = u.id AND p.session_id = s.id`,
    )
    .where(sql`s.id = ${sessionId} AND s.recap IS NOT NULL`);

const { goals, logs } = schema;

/** How many goals a recap offers. */
const MAX_OFFERED_GOALS = 3;
/**
 * The user's open goals: those that are attached to the session, then those with a time as their target, then the
 * newest.
 */
export const listGoalsForTime = (db: Database, sessionId: number, userId: number) =>
  db
    .select({ id: goals.id, title: goals.title })
    .from(goals)
    .where(
      sql`user_id = ${userId} AND session_id IS NULL AND activity_id IS NULL AND status = ${literal(GOAL_STATUS.open)}`,
    )
    .orderBy(
      sql`attached_session_id IS ${sessionId} DESC, coalesce(action_duration, duration, 0) > 0 DESC, id DESC`,
    )
    .limit(MAX_OFFERED_GOALS);

/** The uuids among these under which a log was paid, in their order; with the goal of a log that still exists. */
export const listUsedLogUuids = (db: Database, uuids: readonly string[], userId: number) =>
  db
    .select({
      uuid: sql<string>`used.value`.as("used_uuid"),
      goalId: sql<number | null>`${goals.id}`.as("goal_of_log"),
      title: sql<string | null>`${goals.title}`.as("title_of_goal"),
    })
    .from(sql`json_each(${JSON.stringify(uuids)}) used`)
    .leftJoin(logs, sql`${logs.uuid} = used.value AND ${logs.userId} = ${userId}`)
    .leftJoin(goals, eq(goals.id, logs.goalId))
    .where(sql`EXISTS (SELECT 1 FROM token_entries paid WHERE paid.reference = 'log:' || used.value)`)
    .orderBy(sql`used.key`);
