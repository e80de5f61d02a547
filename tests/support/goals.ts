// Inserts goals and logs straight into D1, for tests that do not depend on their creation.
import { schema } from "#db/connect.server";
import { findGoalById } from "#db/queries/goals/logs";
import type { Goal } from "~/domain/goals/goals";
import { db, NOW, type TestUser } from "./factories";

/** A goal of `user`; `over` sets any column. */
export async function makeGoal(
  user: TestUser,
  over: Partial<typeof schema.goals.$inferInsert> = {},
): Promise<Goal> {
  const [goal] = await db
    .insert(schema.goals)
    .values({
      uuid: crypto.randomUUID(),
      userId: user.id,
      title: "Read a book",
      amount: 10_000,
      createdAt: NOW,
      updatedAt: NOW,
      ...over,
    })
    .returning();
  if (!goal) throw new Error("no goal");
  return goal;
}

/** The goal with its totals, as every answer shows it. */
export async function goalNow(id: number): Promise<Goal> {
  const [goal] = await findGoalById(db, id);
  if (!goal) throw new Error("no goal");
  return goal;
}
