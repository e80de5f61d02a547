// Finds ids of people in answers, under any name.
import type { TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makePost } from "#tests/support/sessions";
import { type Actor, type Cast, must, type Thing } from "./cast";

/** No other number of an answer is among the thousand ids from here on. */
export const FIRST_ID = 734_000_000;
const IDS = /\b734000\d{3}\b/g;
const NAMES = /\b(userId|ownerId|user_id|owner_id)\b/;

/** The first id of another person in an answer, or its name. A page holds the viewer's own as its owner's mark. */
export const userIdIn = (text: string, { user }: Actor): string | undefined =>
  NAMES.exec(text)?.[0] ?? text.match(IDS)?.find((id) => Number(id) !== user?.id);

export async function addLogAndNote(owner: TestUser, goal: string | number = 0): Promise<void> {
  await must(owner, "POST", "/api/logs/store-quick-log", { goal_id: goal });
  await must(owner, "POST", "/api/notes", { title: "A plan", goal_id: goal });
}

/** Adds what the pages of a new thing list, mostly of a user whom no role plays. */
export async function furnish(kind: string, thing: Thing, owner: TestUser, { other }: Cast): Promise<void> {
  const { session, hutId, activityId, goal } = thing;
  if (session !== undefined) await makePost(other, { sessionId: Number(session) });
  if (hutId !== undefined) await makePost(other, { hutId: Number(hutId) });
  if (activityId !== undefined) await makeGoal(other, { activityId: Number(activityId) });
  if (kind === "goal") await addLogAndNote(owner, goal);
}
