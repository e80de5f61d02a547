// The screen that logs by one press (W-03), as a browser without scripts has it.
import { expect, test } from "vitest";
import { appOf, makeUser, reload, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { post, type Visited, visit } from "#tests/support/visit";
import { instant } from "~/domain/time";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { markOf } from "~/use-cases/made-for.server";

const BUTTON = { title: "", content: "", action: "", distance: null, duration: null, completionsRequired: 1 };
const TEN = { ...BUTTON, uuid: "ten", amount: 10_000, status: 2 as const, order: 0 };

const readingGoal = (user: TestUser) =>
  makeGoal(user, { title: "Read", unit: "pages", amount: 300_000, quickLogButtons: [TEN] });

/** The fields of the form around this button. */
async function fieldsOf(page: Visited, form: string): Promise<Record<string, string>> {
  const inputs = await page.all(`${form} input`);
  return Object.fromEntries(inputs.map(({ attributes }) => [attributes.name ?? "", attributes.value ?? ""]));
}
const QUICK = 'main ul[aria-label="Quick log"] form';
const UNDO = 'main form[aria-label="Last log"]';
const textOf = async (page: Visited) => (await page.texts("main")).join(" ");

/** Presses, and follows the redirect. */
async function press(user: TestUser, path: string, fields: Record<string, string>): Promise<Visited> {
  const answer = await post(user, path, fields);
  expect([answer.status, answer.location]).toEqual([302, path]);
  return visit(user, path, answer);
}

test("W-03 R-75 one press stores a log and another takes it back, on a page without a script", async () => {
  const user = await makeUser();
  const goal = await readingGoal(user);
  const path = `/my/goals/${goal.id}/log`;
  const page = await visit(user, path);
  expect(page.status).toBe(200);
  expect(page.html).not.toMatch(/<script/);
  expect(page.html.length).toBeLessThan(64_000);
  expect(await page.texts("h1")).toEqual(["Read"]);
  expect(await page.texts(`${QUICK} button`)).toEqual(["10 pages"]);
  const logged = await press(user, path, await fieldsOf(page, QUICK));
  expect(await textOf(logged)).toContain("+10 pages, 10 of 300");
  expect([(await goalNow(goal.id)).amountElapsed, (await reload(user))?.tokens]).toEqual([10_000, 999]);
  expect(await logged.all(UNDO)).toEqual([]);
  const undone = await press(user, path, await fieldsOf(logged, 'main form[aria-label="Undo the log"]'));
  expect(await textOf(undone)).toContain("The log was deleted.");
  expect(await undone.all(UNDO)).toEqual([]);
  expect([(await goalNow(goal.id)).amountElapsed, (await reload(user))?.tokens]).toEqual([0, 1000]);
});

test("W-03 C-06 a press that is sent twice stores one log", async () => {
  const user = await makeUser();
  const goal = await readingGoal(user);
  const path = `/my/goals/${goal.id}/log`;
  const fields = await fieldsOf(await visit(user, path), QUICK);
  await Promise.all([post(user, path, fields), post(user, path, fields)]);
  expect(await goalNow(goal.id)).toMatchObject({ amountElapsed: 10_000, logsCount: 1 });
  // The next page has a press of its own.
  const next = await fieldsOf(await visit(user, path), QUICK);
  await post(user, path, next);
  expect(await goalNow(goal.id)).toMatchObject({ amountElapsed: 20_000, logsCount: 2 });
});

test("W-03 R-58 B-12 a press without tokens, or of a page made for another login, says why and stores nothing", async () => {
  const poor = await makeUser({ tokens: 0 });
  const goal = await readingGoal(poor);
  const path = `/my/goals/${goal.id}/log`;
  const fields = await fieldsOf(await visit(poor, path), QUICK);
  const refused = await post(poor, path, fields);
  expect(refused.status).toBe(402);
  expect(await refused.texts("main > .page-refusal a")).toEqual(["Buy tokens"]);
  const other = await readingGoal(await makeUser());
  const theirs = await post(poor, `/my/goals/${other.id}/log`, fields);
  expect(theirs.status).toBe(404);
  const foreign = await post(poor, path, {
    ...fields,
    madeFor: markOf((await appOf(await makeUser())).user) ?? "",
  });
  expect(foreign.status).toBe(409);
  expect(await textOf(foreign)).toContain(`You are signed in as ${poor.username} now.`);
  for (const { id } of [goal, other]) expect(await goalNow(id)).toMatchObject({ logsCount: 0 });
});

test("R-54 W-03 a running log has its Done instead of an Undo, and a completed goal has no buttons", async () => {
  const user = await makeUser();
  const goal = await readingGoal(user);
  const path = `/my/goals/${goal.id}/log`;
  await post(user, `/my/goals/${goal.id}`, { intent: "log.begin", goal: String(goal.id) });
  const page = await visit(user, path);
  expect(await page.all(UNDO)).toEqual([]);
  const [log] = await page.all('main form input[name="log"]');
  const done = await press(user, path, { intent: "log.done", log: log?.attributes.value ?? "" });
  expect(await done.texts('main form[aria-label="Undo the log"] button')).toEqual(["Undo"]);
  expect(await (await visit(user, path)).texts(`${UNDO} button`)).toEqual(["Undo"]);
  await post(user, `/my/goals/${goal.id}`, { intent: "goal.complete", goal: String(goal.id) });
  const completed = await visit(user, path);
  expect(await completed.all(QUICK)).toEqual([]);
  expect(await textOf(completed)).toContain("This goal is completed.");
});

test("W-03 R-75 the Undo goes once the price no longer returns, and the goal's page leads here", async () => {
  const user = await makeUser();
  const goal = await readingGoal(user);
  const path = `/my/goals/${goal.id}/log`;
  for (const [ageMs, undoes] of [
    [601_000, 0],
    [590_000, 1],
  ] as const) {
    const app = await appOf(user, instant(Date.now() - ageMs));
    await storeQuickLog(app, { goalId: goal.id, qlButtonUuid: "ten" });
    expect(await (await visit(user, path)).all(UNDO)).toHaveLength(undoes);
  }
  expect(Object.values(await (await visit(user, `/my/goals/${goal.id}`)).links())).toContain(path);
});
