// The My pages: each page and its JSON twin share a use case, and plain forms redirect back and keep typed values.
import { expect, test } from "vitest";
import { dataOf, ORIGIN, type Json as Read } from "#tests/support/ask";
import { appOf, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { action as goalAction, loader as goalLoader } from "~/routes/goals/my-goal";
import { loader as goalLogsLoader } from "~/routes/goals/my-goal-logs";
import { loader as goalNotesLoader } from "~/routes/goals/my-goal-notes";
import { action as goalsAction, loader as goalsLoader } from "~/routes/goals/my-goals";
import { loader as logsLoader } from "~/routes/goals/my-logs";
import { loader as notesLoader } from "~/routes/goals/my-notes";
import { loader as groupsLoader } from "~/routes/huts/my-huts";
import { loader as sessionsLoader } from "~/routes/sessions/my-sessions";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { createNote } from "~/use-cases/goals/notes.server";

type Door = (args: never) => unknown;
const args = async (path: string, user: TestUser | null, form?: Record<string, string>) =>
  ({
    request: new Request(`${ORIGIN}${path}`, form ? { method: "POST", body: new URLSearchParams(form) } : {}),
    params: { ...(/goals\/(\d+)/.exec(path)?.[1] ? { goal: /goals\/(\d+)/.exec(path)?.[1] } : {}) },
    context: { app: user ? await appOf(user) : await testApp(), nonce: "" },
  }) as never;
const at = async (
  door: Door,
  path: string,
  user: TestUser | null,
  form?: Record<string, string>,
): Promise<Read> => Promise.resolve(door(await args(path, user, form))).catch((thrown: unknown) => thrown);

test("C-02 C-29 C-30 C-31 P-14 P-15 P-16 P-17 P-18 P-19 P-20 P-21 each My page and GET /api of its path show the same data", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: "Row" });
  const app = await appOf(user);
  for (let n = 0; n < 3; n++) await storeQuickLog(app, { goalId: goal.id, title: `log ${n}` });
  await createNote(app, { title: "note", goalId: goal.id });
  const twin = (path: string) => dataOf(user, `/api${path}?with-parent=1`);
  const named = (rows: { id: number; title: string }[]) => rows.map(({ id, title }) => [id, title]);
  for (const [loader, path, key] of [
    [goalsLoader, "/my/goals", "goals"],
    [logsLoader, "/my/logs", "logs"],
    [notesLoader, "/my/notes", "notes"],
    [sessionsLoader, "/my/sessions", "sessions"],
    [groupsLoader, "/my/groups", "groups"],
    [goalLogsLoader, `/my/goals/${goal.id}/logs`, "logs"],
    [goalNotesLoader, `/my/goals/${goal.id}/notes`, "notes"],
  ] as const) {
    const page = await at(loader as Door, path, user);
    const rows = page.rows.map((row: Read) => (row.goal?.id === goal.id && key === "goals" ? row.goal : row));
    const data = await twin(path);
    expect(named(rows), path).toEqual(named(data[key]));
    expect([page.page, page.perPage]).toEqual([data.page, data.per_page]);
    // The goal is included on request.
    if (path.includes(String(goal.id)))
      expect([page.goal.goal.title, data.goal.title]).toEqual(["Row", "Row"]);
  }
  const details = await at(goalLoader as Door, `/my/goals/${goal.id}`, user);
  const data = await twin(`/my/goals/${goal.id}`);
  expect(named(details.logs)).toEqual(named(data.logs));
  expect(data.goal).toMatchObject({ id: details.goal.id, amount_elapsed: 3, logs_count: 3 });
});

test("U-17 the default button of a countable goal logs 1, and names no button", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: 3000 });
  const form = { intent: "log.quick", goal: String(goal.id), button: "", uuid: crypto.randomUUID() };
  await at(goalsAction as Door, "/my/goals", user, form);
  const page = await at(goalLoader as Door, `/my/goals/${goal.id}`, user);
  expect(page.goal.amountElapsed).toBe(1000);
  expect(page.logs).toMatchObject([{ amount: 1000, status: 2, qlButtonUuid: null }]);
});

test("R-36 A-10 a visitor sees empty lists and is redirected to sign in from a goal's, and a stranger finds none", async () => {
  const goal = await makeGoal(await makeUser());
  for (const loader of [goalsLoader, logsLoader, notesLoader, sessionsLoader, groupsLoader])
    expect((await at(loader as Door, "/my/goals", null)).rows).toEqual([]);
  for (const [loader, path] of [
    [goalLoader, `/my/goals/${goal.id}`],
    [goalLogsLoader, `/my/goals/${goal.id}/logs`],
    [goalNotesLoader, `/my/goals/${goal.id}/notes`],
  ] as const) {
    const visitor = await at(loader as Door, path, null);
    expect([visitor.status, visitor.headers.get("Location")]).toEqual([
      302,
      `/?auth=login&next=${encodeURIComponent(path)}`,
    ]);
    for (const roleId of [1, 10])
      expect((await at(loader as Door, path, await makeUser({ roleId }))).init.status).toBe(404);
  }
});

test("V-11 V-12 T-17 C-32 a refused goal form shows its errors and typed values, an accepted one redirects", async () => {
  const user = await makeUser();
  const form = {
    intent: "goal.create",
    title: " ",
    unit: "pages",
    amount: "12a",
    actionDuration: "90",
    "items[0].title": "First",
    "items[1].title": "",
    "quickLogButtons[0].title": "One",
    "quickLogButtons[0].status": "2",
    every: "weekdays",
    tags: "Winter, winter ,  Books",
  };
  const refused = await at(goalsAction as Door, "/my/goals?create=1", user, form);
  expect(refused.init.status).toBe(422);
  expect(refused.data.form.error).toMatchObject({
    title: ["Please give your goal a title."],
    "recurrence.weekdays": ["Please choose at least one day of the week."],
  });
  expect(refused.data.form.error.actionDuration).toHaveLength(1);
  expect(refused.data.form.initialValue).toMatchObject({
    unit: "pages",
    amount: "12a",
    actionDuration: "90",
  });

  const taken = await at(goalsAction as Door, "/my/goals?create=1", user, {
    ...form,
    title: "Read",
    actionDuration: "1h 30m",
    weekdays: "1",
  });
  expect([taken.status, taken.headers.get("Location")]).toEqual([
    302,
    expect.stringMatching(/^\/my\/goals\?created=\d+$/),
  ]);
  const { goals } = await dataOf(user, "/api/my/goals");
  expect(goals).toMatchObject([
    {
      title: "Read",
      amount: 12,
      action_duration: 5400,
      is_list: 1,
      items: [{ title: "First", x: 0 }],
      quick_log_buttons: [{ title: "One", amount: 1, status: 2 }],
      recurrence: { every: "weekdays", weekdays: [1] },
      tags: ["books", "winter"],
    },
  ]);
});

test("M-17 M-19 S-14 without JavaScript each form redirects to its page with its message, and a stranger's has no effect", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: "Row" });
  const path = `/my/goals/${goal.id}`;
  const post = (form: Record<string, string>, who = user) => at(goalAction as Door, path, who, form);
  const toast = (answer: Response) => decodeURIComponent(answer.headers.get("Set-Cookie") ?? "");
  const id = String(goal.id);
  const strange = await post({ intent: "goal.complete", goal: id }, await makeUser());
  expect(strange.init.status).toBe(404);
  const begun = await post({ intent: "log.begin", goal: id });
  expect([begun.status, begun.headers.get("Location")]).toEqual([302, path]);
  const logged = await post({ intent: "log.create", goal: id, amount: "2", duration: "" });
  expect(toast(logged)).toContain("toast=+2 times, 2 of 10");
  const ticked = await post({ intent: "log.quick", goal: id, button: "" });
  expect(toast(ticked)).toContain("toast=+1 time, 3 of 10");
  const done = await post({ intent: "goal.complete", goal: id });
  expect(toast(done)).toContain("Congratulations on completing Row!");
  expect((await dataOf(user, `/api${path}`)).goal).toMatchObject({
    status: 2,
    logs_count: 3,
  });
  const reopened = await post({ intent: "goal.reopen", goal: id });
  expect(reopened.status).toBe(302);
  const gone = await post({ intent: "goal.delete", goal: id });
  expect([gone.headers.get("Location"), toast(gone)]).toEqual([
    "/my/goals",
    expect.stringContaining("Row was deleted."),
  ]);
  expect((await post({ intent: "no.such" })).init.status).toBe(404);
});

test("P-16 a goal's page lists the logs of that goal only", async () => {
  const user = await makeUser();
  const [row, swim] = [await makeGoal(user, { title: "Row" }), await makeGoal(user, { title: "Swim" })];
  const app = await appOf(user);
  await storeQuickLog(app, { goalId: row.id, title: "rowed" });
  await storeQuickLog(app, { goalId: swim.id, title: "swam" });
  const logsOf = async (goal: { id: number }) =>
    (await dataOf(user, `/api/my/goals/${goal.id}/logs`)).logs.map(({ title }: { title: string }) => title);
  expect([await logsOf(row), await logsOf(swim)]).toEqual([["rowed"], ["swam"]]);
});
