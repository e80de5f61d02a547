// A goal whose target, repetition or unit changes: earlier days stay done or missed.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { plusDays } from "~/domain/days";
import type { GoalDraft, Recurrence } from "~/domain/goals/goals";
import { viewGoal, viewMyGoals } from "~/use-cases/my.server";
import { updateGoal } from "./goals.server";
import { storeQuickLog } from "./logs.server";

const TODAY = "2026-11-21";
const DAILY: Recurrence = { every: "day" };
const logOn = async (user: TestUser, goalId: number, ...daysAgo: number[]) => {
  for (const ago of daysAgo) await storeQuickLog(await appOf(user), { goalId, day: plusDays(TODAY, -ago) });
};
const change = async (user: TestUser, goal: number, draft: GoalDraft) =>
  updateGoal(await appOf(user), { goal, ...draft });
const streakNow = async (user: TestUser, goal: number) =>
  (await viewGoal(await appOf(user), { goal })).streak;
const measuresOf = (goalId: number) =>
  db.select().from(schema.goalMeasures).where(eq(schema.goalMeasures.goalId, goalId));

test("R-79 seven done days stay seven when the target doubles and then only Mondays count", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: 1000, recurrence: DAILY });
  const other = await makeGoal(user, { amount: 1000, recurrence: DAILY });
  await logOn(user, goal.id, 0, 1, 2, 3, 4, 5, 6);
  await logOn(user, other.id, 0);
  await change(user, goal.id, { amount: 2000 });
  expect(await streakNow(user, goal.id)).toMatchObject({ current: 7, best: 7 });
  await change(user, goal.id, { recurrence: { every: "weekdays", weekdays: [1] } });
  expect(await streakNow(user, goal.id)).toMatchObject({ current: 7, best: 7 });
  // Today was done, so both changes count from tomorrow, and the later of a day is the one that counts.
  expect(
    (await measuresOf(goal.id)).map(({ day, target, recurrence }) => [day, target.amount, recurrence]),
  ).toEqual([
    ["0000-01-01", 1000, DAILY],
    ["2026-11-22", 2000, { every: "weekdays", weekdays: [1] }],
  ]);
  expect(await measuresOf(other.id)).toEqual([]);
});

test("R-79 a change counts from today while today is not done, and the total stays", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: 1000, recurrence: DAILY });
  await logOn(user, goal.id, 1, 2);
  await change(user, goal.id, { amount: 3000, unit: "pages" });
  const page = await viewGoal(await appOf(user), { goal: goal.id });
  expect(page.measures.map(({ day }) => day)).toEqual(["0000-01-01", TODAY]);
  expect([page.streak?.current, page.goal.amountElapsed, page.goal.unit]).toEqual([2, 2000, "pages"]);
  await logOn(user, goal.id, 0);
  expect(await streakNow(user, goal.id)).toMatchObject({ current: 2, isDoneNow: false });
  const { rows, goalsOfToday } = await viewMyGoals(await appOf(user), { page: 1 });
  expect(rows.map(({ measures }) => measures.map(({ target }) => target.amount))).toEqual([[1000, 3000]]);
  expect(goalsOfToday?.goals).toMatchObject([{ amount: 3000, place: "due", streak: { current: 2 } }]);
});

test("R-79 a new title, and a change of a goal that does not repeat, write no measure", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: 1000, recurrence: DAILY });
  const once = await makeGoal(user, { amount: 1000 });
  await change(user, goal.id, { title: "Swim", amount: 1000 });
  await change(user, once.id, { amount: 5000 });
  expect([await measuresOf(goal.id), await measuresOf(once.id)]).toEqual([[], []]);
});
