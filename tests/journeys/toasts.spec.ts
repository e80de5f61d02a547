// A toast with Undo, the highest that pages show, on every page that has a button for its main act.
import { ask, expect, test, waitForHydration } from "./fixtures";
import { makeGoal } from "./goals";
import { expectNoneCovered, MAIN_CONTROLS, shownToasts } from "./toasts";

const PATHS = [
  "/",
  "/events",
  "/activities",
  "/groups",
  "/groups/create",
  "/challenges/create",
  "/challenges/events/create",
  "/my/goals",
  "/my/goals?create=1",
  "/my/logs",
  "/my/notes",
  "/my/notes?create=1",
  "/my/sessions",
  "/my/groups",
  "/my/notices",
  "/me",
  "/tokens",
  "/account",
  "/account/tokens",
  "/account/security",
  "/account/notifications",
  "/account/api",
  "/group/the-long-bench",
];

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])
  test(`K-01 no toast covers a main button of any page, at ${viewport.width}`, async ({
    host: { page, context },
    baseURL,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto("/my/goals");
    const goal = await makeGoal(page, { title: "Read the almanac", unit: "pages", amount: 300 });
    await ask(page, "POST", "/api/notes", { title: "Autumn", content: "A plan." });
    const value = `${encodeURIComponent("+10 pages, 22 of 300")}&log=1`;
    for (const path of [...PATHS, `/my/goals/${goal}`, `/my/goals/${goal}/notes`])
      await test.step(path, async () => {
        await context.addCookies([{ name: "toast", value, url: baseURL ?? "" }]);
        await page.goto(path);
        await waitForHydration(page);
        await expect(shownToasts(page)).toHaveCount(1);
        await expectNoneCovered(page, MAIN_CONTROLS);
        // In a wide window a heading is as wide as its line, and its words are beside the toasts.
        if (viewport.width < 640) await expectNoneCovered(page, "h1");
      });
  });

test("K-01 on a phone the newest toast is one line, and its number opens the others", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/styleguide");
  await waitForHydration(page);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).first().press("Enter");
  for (const name of ["Validation", "Error", "Info"]) await press(name);
  await expect(shownToasts(page)).toHaveText([/The session has started!/]);
  expect((await shownToasts(page).boundingBox())?.height).toBeLessThan(56);
  await page.getByRole("button", { name: "Show 3 more" }).click();
  await expect(shownToasts(page)).toHaveCount(4);
  await expect(shownToasts(page).getByText(/^\+/)).toHaveCount(0);
  for (const left of [3, 2, 1, 0]) {
    await shownToasts(page).first().getByRole("button", { name: "Dismiss" }).click();
    await expect(shownToasts(page)).toHaveCount(left);
  }
});

test("K-01 on a phone the toast of a sign-in covers neither the heading nor a control of its sheet", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/activities");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Follow" }).first().click();
  const sheet = page.getByRole("dialog");
  const inSheet = "dialog :is(h2, button, input, [role=tab])";
  await expect(shownToasts(page)).toHaveCount(1);
  for (const title of ["Sign in", "Join"]) {
    if (title === "Join") await sheet.getByRole("tab", { name: "Register" }).click();
    await expect(sheet.getByRole("heading", { name: title })).toBeVisible();
    await expectNoneCovered(page, `${inSheet}:not(#toasts *)`);
    expect((await shownToasts(page).boundingBox())?.height).toBeLessThan(56);
  }
});
