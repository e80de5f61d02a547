// Statements on the measures that a goal had over time (R-79); use cases run them.
import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import { type Database, type Statement, schema } from "#db/connect.server";
import { readDistances } from "~/domain/distance-json";
import { FROM_THE_START, type GoalMeasure } from "~/domain/goals/target-changes";

const { goalMeasures } = schema;

export const listMeasures = (db: Database, goalId: number) =>
  db
    .select({
      day: goalMeasures.day,
      target: goalMeasures.target,
      recurrence: goalMeasures.recurrence,
      unit: goalMeasures.unit,
    })
    .from(goalMeasures)
    .where(eq(goalMeasures.goalId, goalId))
    .orderBy(asc(goalMeasures.day));

/** The measures of a goal as a JSON list. */
export const measuresJson = (goalId: SQL): SQL => sql`(
  SELECT json_group_array(json_object('day', m.day, 'target', json(m.target), 'recurrence', json(m.recurrence), 'unit', m.unit))
  FROM (SELECT * FROM goal_measures WHERE goal_id = ${goalId} ORDER BY day) m)`;
export const parseMeasures = (text: string) => readDistances(text) as GoalMeasure[];
/** The column with the measures of a listed goal; empty for a goal that does not repeat. */
export const measuresColumn =
  sql`CASE WHEN goals.recurrence IS NULL THEN '[]' ELSE ${measuresJson(sql`goals.id`)} END`
    .mapWith(parseMeasures)
    .as("measures");

/** Stores the first measure once, and the new measure from `after.day` on. Runs in the batch that changes the goal. */
export function changeMeasure(
  db: Database,
  { goalId, before, after }: { goalId: number; before: Omit<GoalMeasure, "day">; after: GoalMeasure },
): Statement[] {
  const rowOf = ({ day, target, recurrence, unit }: GoalMeasure) => ({
    goalId,
    day,
    target,
    recurrence,
    unit,
  });
  return [
    db
      .insert(goalMeasures)
      .values(rowOf({ ...before, day: FROM_THE_START }))
      .onConflictDoNothing(),
    db.delete(goalMeasures).where(and(eq(goalMeasures.goalId, goalId), gt(goalMeasures.day, after.day))),
    db
      .insert(goalMeasures)
      .values(rowOf(after))
      .onConflictDoUpdate({
        target: [goalMeasures.goalId, goalMeasures.day],
        set: { target: after.target, recurrence: after.recurrence, unit: after.unit },
      }),
  ];
}
