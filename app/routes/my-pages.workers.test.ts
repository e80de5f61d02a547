// The My pages as the server renders them: for a visitor, empty, long, and as plain forms without JavaScript.
import { expect, test } from "vitest";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { post, type Visited, visit } from "#tests/support/visit";
import { storeQuickLog } from "~/use-cases/goals/logs.server";

const said = async (page: Visited) => (await page.texts("main")).join(" ");

test("U-03 U-14 U-18 U-19 U-22 V-19 a visitor sees examples under a warning that asks to sign in", async () => {
  for (const [path, title, sees] of [
    ["/my/goals", "My Goals", "Read a chapter every evening"],
    ["/my/logs", "My Logs", "Learn ten words of Gaelic"],
    ["/my/notes", "My Notes", "Oil the boots"],
    ["/my/sessions", "My Sessions", "See all sessions"],
    ["/my/groups", "My Groups", "See all huts"],
  ] as const) {
    const page = await visit(null, path);
    expect(await page.texts("h1")).toEqual([title]);
    expect(await page.texts('nav[aria-label="My pages"] a')).toEqual([
      "My Goals",
      "My Logs",
      "My Sessions",
      "My Series",
      "My Groups",
      "My Notes",
    ]);
    expect(await page.texts('nav[aria-label="My pages"] [aria-current=page]')).toEqual([title]);
    expect(await said(page)).toContain(sees);
    expect((await page.links())["Login or register"]).toMatch(/auth=login/);
  }
});

test("M-34 M-35 M-41 M-42 P-15 P-16 P-17 P-19 P-20 U-19 U-23 every empty page says what to do first", async () => {
  const user = await makeUser();
  for (const [path, sentence] of [
    ["/my/goals", "No goals found :("],
    [
      "/my/logs",
      "You don't have any progress logs yet. Log some progress by creating a goal and clicking the Start Progress button.",
    ],
    ["/my/notes", "You haven't created any notes yet."],
    ["/my/sessions", "A session is a stretch of time in which people work on their goals together."],
    ["/my/groups", "You do not belong to any yet."],
  ] as const)
    expect(await said(await visit(user, path))).toContain(sentence);
  expect(await (await visit(user, "/my/sessions")).links()).toMatchObject({
    "Create a New Session": "/challenges/events/create",
  });
  const { id } = await makeGoal(user, { title: "Carve a spoon" });
  for (const [tab, sentence] of [
    ["Details", "You don't have any active progress for this goal..."],
    ["Logs", "You don't have any active progress for this goal..."],
    ["Notes", "You haven't created any notes yet."],
  ] as const) {
    const page = await visit(user, `/my/goals/${id}${tab === "Details" ? "" : `/${tab.toLowerCase()}`}`);
    expect(await page.texts("h1")).toEqual(["Goal: Carve a spoon"]);
    expect(await page.texts('nav[aria-label="Breadcrumb"] a')).toEqual(["Home", "My Goals"]);
    expect(await page.texts('nav[aria-label="Goal"] a')).toEqual(["Details", "Logs", "Notes"]);
    expect(await page.texts('nav[aria-label="Goal"] [aria-current=page]')).toEqual([tab]);
    expect(await said(page)).toContain(sentence);
  }
});

test("U-27 U-28 P-18 a long list of logs has arrows and a page number, on the page of logs and of the goal", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: "Count sheep", amount: 100_000 });
  const app = await appOf(user);
  for (let n = 1; n <= 14; n++) await storeQuickLog(app, { goalId: goal.id, title: `Sheep ${n}.` });
  for (const path of ["/my/logs", `/my/goals/${goal.id}/logs`]) {
    const logs = (page: Visited) => page.texts('main [aria-label="Logs"] > li');
    const arrow = async (page: Visited, name: string) =>
      (await page.all(`nav[aria-label="Pages"] [aria-label="${name}"]`))[0]?.attributes;
    const first = await visit(user, path);
    expect(await logs(first)).toHaveLength(12);
    expect((await logs(first))[0]).toContain("Sheep 14.");
    expect(await arrow(first, "Previous page")).toMatchObject({ "aria-disabled": "true" });
    expect(await arrow(first, "Previous page")).not.toHaveProperty("href");
    const next = await arrow(first, "Next page");
    expect(next?.href).toMatch(/page=2/);
    const second = await visit(user, new URL(next?.href ?? "", `http://x${path}`).href.slice(8));
    expect(await logs(second)).toHaveLength(2);
    expect((await logs(second)).join()).toContain("Sheep 1.");
    expect(await arrow(second, "Next page")).toMatchObject({ "aria-disabled": "true" });
    expect((await arrow(second, "Previous page"))?.href).toBeDefined();
  }
});

/** Posts the first form of the page whose button has this name, with its own hidden fields. */
async function press(user: TestUser, path: string, typed: Record<string, string>): Promise<Visited> {
  const answer = await post(user, path, typed);
  expect([200, 302]).toContain(answer.status);
  return answer.location === null ? answer : visit(user, answer.location, answer);
}

test("U-16 P-14 P-15 P-18 a goal is created, opened for editing and logged by plain forms", async () => {
  const user = await makeUser();
  const create = { intent: "goal.create", title: " " };
  const refused = await post(user, "/my/goals?create=1", create);
  expect(refused.status).toBe(422);
  expect(await said(refused)).toContain("Please give your goal a title.");
  const list = await press(user, "/my/goals?create=1", {
    ...create,
    title: "Sweep the hut",
    "items[0].title": "Under the bunks",
    "quickLogButtons[0].title": "Swept",
    "quickLogButtons[0].status": "2",
  });
  expect(await said(list)).toContain("Goal created successfully!");
  const path = (await list.links())["View goal"] ?? "";
  const goal = path.split("/").at(-1) ?? "";
  const page = await visit(user, path);
  expect(await page.texts("main form button")).toEqual(
    expect.arrayContaining(["Swept", "Start Progress", "Complete Goal"]),
  );
  expect(await page.all('main form[aria-label="Edit goal"]')).toEqual([]);
  const [toEdit] = await (await visit(user, "/my/goals")).all('main a[aria-label="Edit goal"]');
  const open = await visit(user, toEdit?.attributes.href ?? "");
  expect(
    (await open.all('main form[aria-label="Edit goal"] [name="title"]')).map(
      ({ attributes }) => attributes.value,
    ),
  ).toEqual(["Sweep the hut"]);
  const button = (await page.all('main [name="button"]')).find(({ attributes }) => attributes.value);
  const logged = await press(user, path, {
    intent: "log.quick",
    goal,
    button: button?.attributes.value ?? "",
  });
  expect(await said(logged)).toContain("1 of 1 time");
  const byHand = { intent: "log.create", goal, amount: "2", duration: "", title: "Twice more" };
  expect(await said(await press(user, path, byHand))).toContain("Twice more");
  expect(await said(await press(user, path, { intent: "goal.complete", goal }))).toMatch(/Completed on/);
  expect(await (await visit(user, "/my/logs")).texts('main [aria-label="Logs"] > li')).toHaveLength(2);
});

test("R-75 U-17 every log answers with its figures and an Undo that needs no JavaScript", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: "Read", unit: "pages", amount: 300_000 });
  const app = await appOf(user);
  await storeQuickLog(app, { goalId: goal.id, amount: 12_000 });
  const toDo = await storeQuickLog(app, { goalId: goal.id, amount: 10_000, status: 3 });
  const path = `/my/goals/${goal.id}`;
  const id = String(goal.id);
  const FORM = 'main form[aria-label="Undo the log"]';
  for (const [page, form, says] of [
    ["/my/goals", { intent: "log.create", goal: id, amount: "10", duration: "" }, "+10 pages, 22 of 300"],
    ["/my/goals", { intent: "log.quick", goal: id, button: "" }, "+1 page, 13 of 300"],
    [path, { intent: "log.quick", goal: id, button: "" }, "+1 page, 13 of 300"],
    ["/my/logs", { intent: "log.done", log: String(toDo.log.id) }, "+10 pages, 22 of 300"],
  ] as const) {
    const logged = await press(user, page, form);
    expect(await said(logged)).toContain(says);
    const undo = await logged.allWithoutScripts(`${FORM} input`);
    const fields = undo.map(({ attributes }) => [attributes.name, attributes.value]);
    expect(fields).toContainEqual(["intent", "log.delete"]);
    expect(await logged.allWithoutScripts(`${FORM} button`)).toMatchObject([{ text: "Undo" }]);
    const undone = await press(user, page, Object.fromEntries(fields));
    expect(await said(undone)).toContain("The log was deleted.");
    expect(await undone.allWithoutScripts(FORM)).toEqual([]);
    expect(await said(await visit(user, path))).toContain("12 of 300 pages");
  }
});

test("U-20 U-21 P-21 a note is created, opened for editing and deleted by plain forms", async () => {
  const user = await makeUser();
  const toggle = (await (await visit(user, "/my/notes")).links())["Create a Note"] ?? "";
  const open = await visit(user, new URL(toggle, "http://x/my/notes").href.slice(8));
  expect(await open.texts('main form[aria-label="New note"] button')).toContain("Create");
  const note = (title: string) =>
    press(user, "/my/notes?create=1", { intent: "note.create", title, content: "A *plan*.", todo: "Map" });
  await note("First");
  const second = await note("Second");
  const notes = await second.texts('main [aria-label="Notes"] article');
  expect(notes).toHaveLength(2);
  expect(notes[0]).toContain("Second");
  expect(notes[0]).toContain("A plan.");
});
