// Statements on reminders of goals and of what is still open today: goals and settings by their local minute (N-23,
// N-24); use cases run them.
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { literal } from "#db/schema/columns";
import { GOAL_STATUS } from "~/domain/goals/goals";
import type { GoalOfDays } from "~/domain/goals/today";
import type { NewEvent } from "~/domain/notices/cause";
import type { Instant } from "~/domain/time";
import { asDayTotals, type DayRow, daysOf } from "./goals";
import { asMeasures, measuresJson } from "./measures";

const { events, cronMarks } = schema;

/** The facts of the goal `g`, with its days since the Monday before. */
export const goalFacts = (now: Instant): SQL =>
  sql`json_object('status', g.status, 'recurrence', json(g.recurrence), 'amount', g.amount, 'distance', g.distance_mm,
    'duration', g.duration, 'actionDuration', g.action_duration, 'completionsRequired', g.completions_required,
    'amountElapsed', g.amount_elapsed, 'durationElapsed', g.duration_elapsed, 'distanceElapsed', g.distance_elapsed_mm,
    'days', json(${daysOf(sql`g.id`, sql`g.user_id`, sql`date(${now} / 1000, 'unixepoch', '-8 days')`)}),
    'measures', json(${measuresJson(sql`g.id`)}))`;
export const parseGoalFacts = (json: string): GoalOfDays => {
  const { measures, ...facts } = JSON.parse(json) as GoalOfDays & { days: DayRow[]; measures: unknown };
  return { ...facts, days: facts.days.map(asDayTotals), measures: asMeasures(JSON.stringify(measures)) };
};

const isOwnAndOpen = sql`g.status = ${literal(GOAL_STATUS.open)} AND g.session_id IS NULL AND g.activity_id IS NULL`;

/** Whether any goal has a reminder, and anybody a time for open goals. */
export const findTimers = (db: Database) =>
  db
    .select({
      goals:
        sql<number>`EXISTS (SELECT 1 FROM goals g WHERE g.remind_at >= 0 AND g.status = ${literal(GOAL_STATUS.open)})`.as(
          "any_goals",
        ),
      lists:
        sql<number>`EXISTS (SELECT 1 FROM notice_settings ns WHERE ns.kind = 'still-open' AND ns.value > 0)`.as(
          "any_lists",
        ),
    })
    .from(sql`(SELECT 1)`);

/** Open goals of people with a reminder at this local minute, after a goal, by `goals_to_remind`. */
export const listGoalsAt = (
  db: Database,
  at: { minute: number; after: number; limit: number },
  now: Instant,
) =>
  db
    .select({
      id: sql<number>`g.id`.as("goal_id"),
      title: sql<string>`g.title`.as("goal_title"),
      userId: sql<number>`u.id`.as("owner_id"),
      timeZone: sql<string>`u.time_zone`.as("time_zone"),
      facts: sql<GoalOfDays>`${goalFacts(now)}`.mapWith(parseGoalFacts).as("goal_facts"),
    })
    .from(sql`goals g CROSS JOIN users u`)
    .where(sql`g.remind_at = ${at.minute} AND g.id > ${at.after} AND ${isOwnAndOpen} AND u.id = g.user_id`)
    .orderBy(sql`g.id`)
    .limit(at.limit);

/** People who want to hear at this local minute what is open, after a user, by `notice_settings_by_minute`. */
export const listPeopleAt = (db: Database, at: { minute: number; after: number; limit: number }) =>
  db
    .select({
      id: sql<number>`u.id`.as("person_id"),
      timeZone: sql<string>`u.time_zone`.as("time_zone"),
    })
    .from(sql`notice_settings ns CROSS JOIN users u`)
    .where(
      sql`ns.kind = 'still-open' AND ns.value > 0 AND ns.value = ${at.minute + 1} AND ns.user_id > ${at.after} AND u.id = ns.user_id`,
    )
    .groupBy(sql`u.id`)
    .orderBy(sql`u.id`)
    .limit(at.limit);

/** The open recurring goals of these people, the newest first, by `goals_recurring`. */
export const listRecurring = (db: Database, userIds: readonly number[], now: Instant) =>
  db
    .select({
      userId: sql<number>`g.user_id`.as("owner_id"),
      title: sql<string>`g.title`.as("goal_title"),
      facts: sql<GoalOfDays>`${goalFacts(now)}`.mapWith(parseGoalFacts).as("goal_facts"),
    })
    .from(sql`json_each(${JSON.stringify(userIds)}) asked CROSS JOIN goals g`)
    .where(sql`g.user_id = asked.value AND ${isOwnAndOpen} AND g.recurrence IS NOT NULL`)
    .orderBy(sql`g.user_id`, sql`g.id DESC`);

/** Events a statement writes at once. */
const MAX_EVENTS_A_STATEMENT = 200;

/** Events since the mark, and the new mark. A second planner with the same mark writes nothing. */
export function recordTimed(
  db: Database,
  causes: readonly NewEvent[],
  mark: { job: string; read: string },
  now: Instant,
): Statement[] {
  const isMine = sql`coalesce((SELECT mark FROM cron_marks WHERE job = ${mark.job}), '') = ${mark.read}`;
  const stretches = Array.from({ length: Math.ceil(causes.length / MAX_EVENTS_A_STATEMENT) }, (_, at) =>
    causes.slice(at * MAX_EVENTS_A_STATEMENT, (at + 1) * MAX_EVENTS_A_STATEMENT),
  );
  return [
    ...stretches.map((stretch) =>
      insertFrom(
        db,
        events,
        {
          id: sql`value ->> '$.id'`,
          kind: sql`value ->> '$.kind'`,
          subject: sql`value ->> '$.subject'`,
          body: sql`value -> '$.body'`,
          at: now,
        },
        sql`FROM json_each(${JSON.stringify(stretch)}) WHERE ${isMine}`,
      ),
    ),
    insertFrom(db, cronMarks, { job: mark.job, mark: String(now) }, sql`WHERE ${isMine}`).onConflictDoUpdate({
      target: cronMarks.job,
      set: { mark: sql`excluded.mark` },
    }),
  ];
}
