// The goals of an activity, which are copied into each of its sessions. They are free and never logged here, so
// a sent list simply replaces the old one.
import type { SQL } from "drizzle-orm";
import type { Statement } from "#db/connect.server";
import type { ActivityRow } from "#db/queries/activities/activities";
import * as activities from "#db/queries/activities/activities";
import * as goalCopies from "#db/queries/goals/copies";
import type { GoalDraft } from "~/domain/goals/goals";
import type { App } from "~/use-cases/app.server";
import { goalChanges, sharedGoalRow } from "../sessions/goals.server";

type Home = { activityId: number | SQL; ownerId: number };

/** A row rather than a statement, because awaiting a statement runs it. */
const goalMade = async (app: App, home: Home, draft: GoalDraft, position: number) => ({
  ...(await sharedGoalRow(app, draft)),
  position,
  uuid: draft.uuid ?? crypto.randomUUID(),
  userId: home.ownerId,
  activityId: home.activityId as number,
});

/** The goals of an activity that the same batch creates. */
export async function goalsMade(app: App, home: Home, drafts: readonly GoalDraft[]): Promise<Statement[]> {
  const rows = await Promise.all(drafts.map((draft, position) => goalMade(app, home, draft, position)));
  return rows.map((row) => activities.insertGoalOf(app.db, row));
}

/** Updates known goals, inserts new ones and deletes the rest. */
export async function goalsReplaced(
  app: App,
  row: Pick<ActivityRow, "id" | "ownerId">,
  drafts: readonly GoalDraft[],
): Promise<Statement[]> {
  const home = { activityId: row.id, ownerId: row.ownerId };
  const idsByUuid = new Map(
    (await goalCopies.listActivityGoals(app.db, row.id)).map((goal) => [goal.uuid, goal]),
  );
  const goalWrites = await Promise.all(
    drafts.map(async (draft, position) => {
      const goal = draft.uuid ? idsByUuid.get(draft.uuid) : undefined;
      return goal
        ? { uuid: goal.uuid, change: { ...(await goalChanges(app, goal, draft)), position } }
        : { made: await goalMade(app, home, draft, position) };
    }),
  );
  const remaining = goalWrites.flatMap((write) => (write.uuid === undefined ? [] : [write.uuid]));
  return [
    activities.deleteGoalsBut(app.db, row.id, remaining),
    ...goalWrites.map((write) =>
      write.made
        ? activities.insertGoalOf(app.db, write.made)
        : activities.updateGoalOf(app.db, row.id, write.uuid, write.change),
    ),
  ];
}
