// Distances as people type and read them, from the account's choice to sums, calls and the export (H-07).
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { db, makeUser, makeUsers, reload, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { post, visit } from "#tests/support/visit";

const KM = 1_000_000;
const MILE = 1_609_344;
const choose = (user: TestUser, unit: string) => post(user, "/account", { intent: "distance-unit", unit });
const log = (user: TestUser, goal: number, distance: string) =>
  post(user, `/my/goals/${goal}`, { intent: "log.create", goal: String(goal), distance });
const newest = async (goal: number) => {
  const rows = await db.select().from(schema.logs).where(eq(schema.logs.goalId, goal));
  return rows.at(-1);
};

test("H-07 ten logs of 1 km reach a goal of 10 km, and calls answer miles with three places", async () => {
  const user = await makeUser();
  await choose(user, "km");
  const goal = await makeGoal(user, { amount: null, distance: 10 * KM });
  for (let n = 0; n < 10; n++) await log(user, goal.id, "1");
  expect(await goalNow(goal.id)).toMatchObject({ distanceElapsed: 10 * KM });
  const { html } = await visit(user, `/my/goals/${goal.id}`);
  expect(html).toContain("10 of 10 km");
  const { goal: answered } = await dataOf(user, `/api/my/goals/${goal.id}`);
  expect(answered).toMatchObject({ distance: 6.214, distance_elapsed: 6.214, is_progress_complete: 1 });
});

test("H-07 8 km typed is 8 km shown, and reads as miles only for a reader of miles", async () => {
  const [here, there] = await makeUsers(2);
  await choose(here, "km");
  await choose(there, "mi");
  const goal = await makeGoal(here, { amount: null, distance: null });
  await log(here, goal.id, "8");
  expect(await newest(goal.id)).toMatchObject({ distance: 8 * KM, lastDistance: null });
  const page = await visit(here, `/my/goals/${goal.id}`);
  expect(page.html).toContain("8 km");
  expect(page.html).toContain("Distance (km)");
  expect(page.html).not.toContain("7.999");
  const other = await makeGoal(there, { amount: null, distance: 8 * KM });
  const otherPage = await visit(there, `/my/goals/${other.id}`);
  expect(otherPage.html).toContain("4.971 miles");
  expect(otherPage.html).toContain("Distance (miles)");
});

test("H-07 miles that come back as answered change nothing", async () => {
  const user = await makeUser();
  const button = {
    uuid: "a",
    title: "",
    content: "",
    action: "",
    amount: null,
    distance: 3 * KM,
    duration: null,
    status: 2 as const,
    completionsRequired: 1,
    order: 0,
  };
  const goal = await makeGoal(user, { amount: null, distance: 8 * KM, quickLogButtons: [button] });
  const { body } = await callAs(user, "PATCH", `/api/goals/update/${goal.id}`, { title: "Run" });
  const { distance, quick_log_buttons } = body.goal;
  expect([distance, quick_log_buttons[0].distance]).toEqual([4.971, 1.864]);
  await callAs(user, "PATCH", `/api/goals/update/${goal.id}`, { distance, quick_log_buttons });
  const kept = await goalNow(goal.id);
  expect([kept.distance, kept.quickLogButtons[0]?.distance]).toEqual([8 * KM, 3 * KM]);
  const pressed = await callAs(user, "POST", "/api/logs/store-quick-log", {
    goal_id: goal.id,
    ql_button_uuid: "a",
  });
  expect(pressed.body.log).toMatchObject({ distance: 1.864, distance_mm: 3 * KM });
  const path = `/api/challenge-logs/${pressed.body.log.id}/update`;
  await callAs(user, "PATCH", path, { distance: 1.864, title: "Hills" });
  expect((await newest(goal.id))?.distance).toBe(3 * KM);
  await callAs(user, "PATCH", path, { distance: 1.865 });
  expect((await newest(goal.id))?.distance).toBe(3_001_427);
});

test("H-07 a call takes miles of any number of places, so that ten logs of 1 km reach a goal of 10 km", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: null, distance: 10 * KM });
  for (let n = 0; n < 10; n++)
    await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, distance: KM / MILE });
  expect(await goalNow(goal.id)).toMatchObject({ distanceElapsed: 10 * KM });
});

test("H-07 the account keeps the unit of its own, and without a choice the locale decides", async () => {
  const [user, bystander] = await makeUsers(2);
  await choose(user, "mi");
  expect((await choose(bystander, "furlongs")).status).toBe(422);
  const unitOf = async (of: TestUser) => (await reload(of))?.distanceUnit;
  expect([await unitOf(user), await unitOf(bystander)]).toEqual(["mi", null]);
  await choose(user, "");
  expect(await unitOf(user)).toBeNull();
});
