// Recomputes the stored totals of goals, days and sessions, user by user, in stretches that may be repeated.
import { runBatch } from "#db/connect.server";
import * as goalRecount from "#db/queries/goals/recount";
import type { App } from "~/use-cases/app.server";

/** Recounts the next `limit` users after the id `after`. `after` null: all users are done. */
export async function recountGoals(
  app: App,
  input: { after: number; limit?: number },
): Promise<{ after: number | null; users: number }> {
  const { after, limit = 50 } = input;
  const users = await goalRecount.listUserIds(app.db, after, limit);
  for (const { id } of users) await runBatch(app.db, goalRecount.recountUser(app.db, id));
  return { after: users.length < limit ? null : (users.at(-1)?.id ?? null), users: users.length };
}
