// The goals of an activity, which are copied into each of its sessions. They are free and have no logs of their
// own, so a new list simply replaces the old one.
import type { SQL } from "drizzle-orm";
import type { Statement } from "#db/connect.server";
import type { ActivityRow } from "#db/queries/activities/activities";
import * as activities from "#db/queries/activities/activities";
import * as goalCopies from "#db/queries/goals/copies";
import type { GoalDraft } from "~/domain/goals/goals";
import type { App } from "~/use-cases/app.server";
import { goalChanges, sharedGoalRow } from "../sessions/goals.server";

type ActivityRef = { activityId: number | SQL; ownerId: number };

/** Builds a row rather than a statement, because awaiting a statement runs it. */
const newGoalRow = async (app: App, activity: ActivityRef, draft: GoalDraft, position: number) => ({
  ...(await sharedGoalRow(app, draft)),
  position,
  uuid: draft.uuid ?? crypto.randomUUID(),
  userId: activity.ownerId,
  activityId: activity.activityId as number,
});

/** The goals of an activity that the same batch creates. */
export async function insertGoalStatements(
  app: App,
  activity: ActivityRef,
  drafts: readonly GoalDraft[],
): Promise<Statement[]> {
  const rows = await Promise.all(drafts.map((draft, position) => newGoalRow(app, activity, draft, position)));
  return rows.map((row) => activities.insertActivityGoal(app.db, row));
}

/** Updates known goals, inserts new ones and deletes the rest. */
export async function replaceGoalStatements(
  app: App,
  row: Pick<ActivityRow, "id" | "ownerId">,
  drafts: readonly GoalDraft[],
): Promise<Statement[]> {
  const activity = { activityId: row.id, ownerId: row.ownerId };
  const goalsByUuid = new Map(
    (await goalCopies.listActivityGoals(app.db, row.id)).map((goal) => [goal.uuid, goal]),
  );
  const goalWrites = await Promise.all(
    drafts.map(async (draft, position) => {
      const goal = draft.uuid ? goalsByUuid.get(draft.uuid) : undefined;
      return goal
        ? { uuid: goal.uuid, change: { ...(await goalChanges(app, goal, draft)), position } }
        : { row: await newGoalRow(app, activity, draft, position) };
    }),
  );
  const remainingUuids = goalWrites.flatMap((write) => (write.uuid === undefined ? [] : [write.uuid]));
  return [
    ...activities.deleteOtherActivityGoals(app.db, row.id, remainingUuids),
    ...goalWrites.map((write) =>
      write.row
        ? activities.insertActivityGoal(app.db, write.row)
        : activities.updateActivityGoal(app.db, row.id, write.uuid, write.change),
    ),
  ];
}
