// Statements on the reminders of single goals and of all goals still open today (N-23, N-24); use cases run them.
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { insertFrom } from "#db/queries/insert-from";
import { literal } from "#db/schema/columns";
import { GOAL_STATUS } from "~/domain/goals/goals";
import type { GoalOfDays } from "~/domain/goals/today";
import type { NewEvent } from "~/domain/notices/cause";
import type { Instant } from "~/domain/time";
import { asDayTotals, type DayRow, daysOf } from "./goals";
import { measuresJson, parseMeasures } from "./measures";

const { events, cronMarks } = schema;

/** The facts of the goal `g` in JSON, with its days since eight days ago in UTC, which contain the current week in every zone. */
export const selectGoalFacts = (now: Instant): SQL =>
  sql`json_object('status', g.status, 'recurrence', json(g.recurrence), 'amount', g.amount, 'distance', g.distance_mm,
    'duration', g.duration, 'actionDuration', g.action_duration, 'completionsRequired', g.completions_required,
    'amountElapsed', g.amount_elapsed, 'durationElapsed', g.duration_elapsed, 'distanceElapsed', g.distance_elapsed_mm,
    'days', json(${daysOf(sql`g.id`, sql`g.user_id`, sql`date(${now} / 1000, 'unixepoch', '-8 days')`)}),
    'measures', json(${measuresJson(sql`g.id`)}))`;
export const parseGoalFacts = (json: string): GoalOfDays => {
  const { measures, ...facts } = JSON.parse(json) as GoalOfDays & { days: DayRow[]; measures: unknown };
  return { ...facts, days: facts.days.map(asDayTotals), measures: parseMeasures(JSON.stringify(measures)) };
};

const isOpenPersonalGoal = sql`g.status = ${literal(GOAL_STATUS.open)} AND g.session_id IS NULL AND g.activity_id IS NULL`;

/** Tells whether any goal has a reminder, and whether anybody has set a time for the list of open goals. */
export const findReminderUse = (db: Database) =>
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

/** Open goals with a reminder at this local minute, after the goal `after`; served by the index `goals_to_remind`. */
export const listGoalsToRemind = (
  db: Database,
  page: { minute: number; after: number; limit: number },
  now: Instant,
) =>
  db
    .select({
      id: sql<number>`g.id`.as("goal_id"),
      title: sql<string>`g.title`.as("goal_title"),
      userId: sql<number>`u.id`.as("owner_id"),
      timeZone: sql<string>`u.time_zone`.as("time_zone"),
      facts: sql<GoalOfDays>`${selectGoalFacts(now)}`.mapWith(parseGoalFacts).as("goal_facts"),
    })
    .from(sql`goals g CROSS JOIN users u`)
    .where(
      sql`g.remind_at = ${page.minute} AND g.id > ${page.after} AND ${isOpenPersonalGoal} AND u.id = g.user_id`,
    )
    .orderBy(sql`g.id`)
    .limit(page.limit);

/**
 * People with a reminder of open goals at this local minute, after the user `after`; served by
 * `notice_settings_by_minute`.
 */
export const listPeopleToRemind = (db: Database, page: { minute: number; after: number; limit: number }) =>
  db
    .select({
      id: sql<number>`u.id`.as("person_id"),
      timeZone: sql<string>`u.time_zone`.as("time_zone"),
    })
    .from(sql`notice_settings ns CROSS JOIN users u`)
    .where(
      sql`ns.kind = 'still-open' AND ns.value > 0 AND ns.value = ${page.minute + 1} AND ns.user_id > ${page.after} AND u.id = ns.user_id`,
    )
    .groupBy(sql`u.id`)
    .orderBy(sql`u.id`)
    .limit(page.limit);

/** The open recurring goals of these people, the newest first; served by the index `goals_recurring`. */
export const listOpenRecurringGoals = (db: Database, userIds: readonly number[], now: Instant) =>
  db
    .select({
      userId: sql<number>`g.user_id`.as("owner_id"),
      title: sql<string>`g.title`.as("goal_title"),
      facts: sql<GoalOfDays>`${selectGoalFacts(now)}`.mapWith(parseGoalFacts).as("goal_facts"),
    })
    .from(sql`json_each(${JSON.stringify(userIds)}) asked CROSS JOIN goals g`)
    .where(sql`g.user_id = asked.value AND ${isOpenPersonalGoal} AND g.recurrence IS NOT NULL`)
    .orderBy(sql`g.user_id`, sql`g.id DESC`);

const MAX_EVENTS_PER_STATEMENT = 200;

/** Records the events and the job's new mark, so that a second planner that read the same mark writes nothing. */
export function recordReminders(
  db: Database,
  causes: readonly NewEvent[],
  mark: { job: string; read: string },
  now: Instant,
): Statement[] {
  const isMarkUnchanged = sql`coalesce((SELECT mark FROM cron_marks WHERE job = ${mark.job}), '') = ${mark.read}`;
  const chunks = Array.from({ length: Math.ceil(causes.length / MAX_EVENTS_PER_STATEMENT) }, (_, index) =>
    causes.slice(index * MAX_EVENTS_PER_STATEMENT, (index + 1) * MAX_EVENTS_PER_STATEMENT),
  );
  return [
    ...chunks.map((chunk) =>
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
        sql`FROM json_each(${JSON.stringify(chunk)}) WHERE ${isMarkUnchanged}`,
      ),
    ),
    insertFrom(
      db,
      cronMarks,
      { job: mark.job, mark: String(now) },
      sql`WHERE ${isMarkUnchanged}`,
    ).onConflictDoUpdate({
      target: cronMarks.job,
      set: { mark: sql`excluded.mark` },
    }),
  ];
}
