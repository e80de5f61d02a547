// Logging without a network: stored pages of the installed app, the outbox, and what becomes of both at a logout (W-05).
import type { Page } from "@playwright/test";
import { ask, expect, newPerson, PASSWORD, signIn, test, waitForHydration } from "./fixtures";
import { makeGoal, readGoal } from "./goals";

test.use({ serviceWorkers: "allow" });

/** Tells the page that it is an installed app, which browsers under test cannot be. */
const install = (page: Page) =>
  page.addInitScript(() => {
    const match = window.matchMedia.bind(window);
    window.matchMedia = (query) =>
      query === "(display-mode: browser)" ? match("(max-width: 0px)") : match(query);
  });

const isStored = (page: Page, path: string) =>
  page.evaluate(async (path) => {
    const names = (await caches.keys()).filter((name) => name.startsWith("pages:"));
    const stored = await Promise.all(names.map(async (name) => (await caches.open(name)).match(path)));
    return stored.some(Boolean);
  }, path);

/** Opens a page and waits until it is stored. */
async function see(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await expect.poll(() => isStored(page, path)).toBe(true);
}

const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });

test("W-05 R-69 in the installed app pages open without a network, and logs, ticks and a note are sent once it is back", async ({
  browser,
}) => {
  const { page, context } = await newPerson(browser, "offliner", { serviceWorkers: "allow" });
  const id = await makeGoal(page, {
    title: "Read the map",
    amount: 300,
    unit: "pages",
    is_list: 1,
    items: ["Legend", "Scale"].map((title) => ({ uuid: title, title })),
    quick_log_buttons: [{ uuid: "ten", title: "Ten pages", status: 2, amount: 10 }],
  });
  await page.goto("/about");
  await install(page);
  for (const path of ["/", "/my/goals", `/my/goals/${id}`]) await see(page, path);
  await expect.poll(() => isStored(page, `/my/goals/${id}/log`)).toBe(true);

  await context.setOffline(true);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: /^Good to see you/ })).toBeVisible();
  await page.goto("/my/goals?tag=map");
  await expect(page.getByRole("heading", { level: 1, name: "My Goals" })).toBeVisible();
  await waitForHydration(page);
  // A page that was never seen stays closed, and this one stays.
  await expect(page.getByText(/^You are offline/)).toBeVisible();
  const openedAt = () => page.evaluate(() => performance.timeOrigin);
  const opened = await openedAt();
  const notes = page.getByRole("link", { name: "My Notes" }).first();
  await notes.hover();
  await expect(page.locator('link[rel="modulepreload"][href*="/my-notes-"]').first()).toBeAttached();
  await notes.click();
  await expect(page.getByText("You are still offline.")).toBeVisible();
  expect(await openedAt()).toBe(opened);
  await page.getByRole("link", { name: "Read the map" }).last().click();
  await expect(page.getByRole("heading", { level: 1, name: "Read the map" })).toBeVisible();
  await waitForHydration(page);

  const ten = page.getByRole("button", { name: "Ten pages" });
  for (const sum of ["10 of 300 pages", "20 of 300 pages", "30 of 300 pages"]) {
    await ten.click();
    await expect(page.getByText(sum)).toBeVisible();
  }
  await expect(outbox(page).getByText("3 entries wait for the connection")).toBeVisible();
  await page.getByRole("button", { name: "Start Progress" }).click();
  await expect(page.getByText("A timer needs a connection to start, pause or be done.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Scale" }).check();
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect(page.getByText("1 of 2 done · waits for the connection")).toBeVisible();

  // The outbox outlives the page. An entry that is deleted is never sent.
  await page.goto(`/my/goals/${id}`);
  await expect(outbox(page).getByText("4 entries wait for the connection")).toBeVisible();
  await waitForHydration(page);
  await expect(page.getByRole("checkbox", { name: "Scale" })).toBeChecked();
  await outbox(page).locator("summary").click();
  await outbox(page).getByRole("button", { name: "Delete +10 pages" }).first().click();
  await expect(outbox(page).getByText("3 entries wait for the connection")).toBeVisible();

  // W-03: so does a press on the page without scripts.
  await page.goto(`/my/goals/${id}/log`);
  await page.getByRole("button", { name: "Ten pages" }).click();
  await expect(page.getByText("You are offline. This browser keeps your logs")).toBeVisible();
  await page.goto(`/my/goals/${id}`);
  await expect(outbox(page).getByText("4 entries wait for the connection")).toBeVisible();

  await context.setOffline(false);
  await expect(outbox(page)).toBeHidden();
  await expect(page.getByText("4 entries are stored.")).toBeVisible();
  await expect(page.getByText("30 of 300 pages")).toBeVisible();
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 30, logs_count: 3 });
  expect((await readGoal(page, id)).items.map(({ x }) => x)).toEqual([0, 1]);
  await expect(page.getByText("1 of 2 done", { exact: true })).toBeVisible();
  await context.close();
});

test("W-05 a note without a network waits, and an entry of a deleted goal shows its refusal until it is deleted", async ({
  browser,
}) => {
  const { page, context } = await newPerson(browser, "noter", { serviceWorkers: "allow" });
  const button = { uuid: "one", title: "One mile", status: 2, amount: 1 };
  const id = await makeGoal(page, { title: "Walk", unit: "miles", quick_log_buttons: [button] });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /\/toaster-/.test(name)),
  );
  await context.setOffline(true);
  await page.getByRole("button", { name: "One mile" }).click();
  await expect(outbox(page).getByText("One entry waits for the connection")).toBeVisible();
  await context.setOffline(false);
  await expect(outbox(page)).toBeHidden();
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 1, logs_count: 1 });

  await context.setOffline(true);
  await page.getByRole("button", { name: "One mile" }).click();
  await expect(outbox(page).getByText("One entry waits for the connection")).toBeVisible();
  // Another device deletes the goal.
  const headers = { Origin: new URL(page.url()).origin };
  const form = { intent: "goal.delete", goal: String(id), stay: "1" };
  expect((await page.request.post("/my/goals", { form, headers })).status()).toBe(200);
  await context.setOffline(false);
  await expect(outbox(page).getByText(", 1 refused")).toBeVisible();
  await outbox(page).getByRole("button", { name: "Delete +1 mile" }).click();
  await expect(outbox(page)).toBeHidden();
  await context.close();
});

test("R-58 W-05 a logout asks about waiting entries, stored pages go with it, and another account sees and sends nothing", async ({
  browser,
}) => {
  const { page, context, username } = await newPerson(browser, "leaver", { serviceWorkers: "allow" });
  const second = await newPerson(browser, "second");
  const button = { uuid: "one", title: "One mile", status: 2, amount: 1 };
  const id = await makeGoal(page, { title: "Walk", unit: "miles", quick_log_buttons: [button] });
  await page.goto("/about");
  await install(page);
  await see(page, `/my/goals/${id}`);
  // The page believes that it has no network, so that nothing is sent.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "onLine", { get: () => false, configurable: true });
    dispatchEvent(new Event("offline"));
  });
  await page.getByRole("button", { name: "One mile" }).click();
  await expect(outbox(page).getByText("One entry waits for the connection")).toBeVisible();
  await page.locator('summary[aria-label^="Account menu"]').click();
  await page.getByRole("button", { name: "Logout" }).click();
  const question = page.getByRole("alertdialog", { name: "Log out with unsent entries?" });
  await question.getByRole("button", { name: "Keep and log out" }).click();
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  expect(
    await page.evaluate(async () => (await caches.keys()).filter((name) => /^pages:/.test(name))),
  ).toEqual([]);

  await signIn(page, { email: `${second.username}@example.com`, password: PASSWORD });
  await page.goto("/my/goals");
  await waitForHydration(page);
  await expect(page.getByText("No goals found :(")).toBeVisible();
  await expect(outbox(page)).toBeHidden();
  expect(await ask(second.page, "GET", "/api/my/logs", undefined)).toMatchObject({ serverData: {} });

  await signIn(page, { email: `${username}@example.com`, password: PASSWORD });
  await page.goto("/my/goals");
  await expect.poll(async () => (await readGoal(page, id)).logs_count).toBe(1);
  await expect(outbox(page)).toBeHidden();
  await context.close();
  await second.context.close();
});
