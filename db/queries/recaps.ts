// The recap of a session: names of its people and the totals of its goals. Statements; use cases run them.
import { asc, eq, sql } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { goals, sessionTotals } = schema;

/** The present names of the people in the recap; a seat has its own. */
export const listRecapNames = (db: Database, sessionId: number) =>
  db
    .select({
      userId: sql<number>`u.id`.as("recap_user_id"),
      username: sql<string>`coalesce(p.username, u.username)`.as("recap_name"),
    })
    .from(
      sql`sessions s JOIN json_each(s.recap, '$.people') j JOIN users u ON u.id = j.value ->> 'userId'
        LEFT JOIN participants p ON p.user_id = u.id AND p.session_id = s.id`,
    )
    .where(sql`s.id = ${sessionId} AND s.recap IS NOT NULL`);

/** The sums of everybody's logs on each goal of the session, in the goals' order. */
export const listRecapGoals = (db: Database, sessionId: number) =>
  db
    .select({
      title: goals.title,
      unit: goals.unit,
      amount: sql<number>`coalesce(sum(${sessionTotals.amount}), 0)`.as("sum_amount"),
      distance: sql<number>`coalesce(sum(${sessionTotals.distance}), 0)`.as("sum_distance"),
      duration: sql<number>`coalesce(sum(${sessionTotals.duration}), 0)`.as("sum_duration"),
    })
    .from(goals)
    .leftJoin(
      sessionTotals,
      sql`${sessionTotals.sessionId} = ${goals.sessionId} AND ${sessionTotals.goalUuid} = ${goals.uuid}`,
    )
    .where(eq(goals.sessionId, sessionId))
    .groupBy(goals.id)
    .orderBy(asc(goals.position), asc(goals.id));
