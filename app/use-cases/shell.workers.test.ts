// The shell of every page: the installation's name and page size come from its settings, and lists use them.
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { appOf, makeUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { viewMyGoals } from "./my.server";
import { viewShell } from "./shell.server";

test("E-22 app_name and per_page come from the settings, and lists use and report that page size", async () => {
  const user = await makeUser();
  for (let n = 0; n < 5; n++) await makeGoal(user, { title: `Goal ${n}` });
  const app = await appOf(user);
  const settings = { ...app.settings, appName: "Howff", perPage: 3 };
  const shell = await viewShell({ ...app, settings });
  expect([shell.appName, shell.perPage]).toEqual(["Howff", 3]);
  const few = await viewMyGoals({ ...app, settings }, { page: 1 });
  // The extra row indicates a next page.
  expect([few.rows.length, few.perPage]).toEqual([4, 3]);
  const all = await viewMyGoals(app, { page: 1 });
  expect([all.rows.length, all.perPage]).toEqual([5, app.settings.perPage]);
  const { body } = await callAs(user, "GET", "/api/my/goals");
  expect(body.serverData).toMatchObject({ page: 1, per_page: app.settings.perPage });
});

test("a visitor's shell has no viewer, and marks practice payments and local runs", async () => {
  const shell = await viewShell(await testApp());
  expect(shell).toMatchObject({ viewer: null, isPracticeProvider: true, theme: "system" });
});
