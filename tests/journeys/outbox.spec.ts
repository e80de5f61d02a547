// Logging without a network: stored pages of the installed app, the outbox, and what becomes of both at a logout (W-05).
import type { Page } from "@playwright/test";
import { withStores } from "../../workers/local/stores.mjs";
import { ask, call, expect, newPerson, PASSWORD, signIn, test, waitForHydration } from "./fixtures";
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

const setTokens = (username: string, remaining: number) =>
  withStores({ isRemote: false, dataDir: process.env.JOURNEY_DATA ?? "" }, ({ db }) =>
    db.batch([
      db
        .prepare(
          "UPDATE token_lots SET remaining = MIN(granted, ?) WHERE user_id = (SELECT id FROM users WHERE username = ?)",
        )
        .bind(remaining, username),
    ]),
  );

/** How many entries this browser holds, also before a page has read them. */
const heldEntries = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const answered = <Result>(asked: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error);
      });
    const db = await answered(indexedDB.open("outbox", 1));
    const count = await answered(db.transaction("entries").objectStore("entries").count());
    db.close();
    return count;
  });

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
  for (const path of ["/", "/my/goals", `/my/goals/${id}/notes`, `/my/goals/${id}`]) await see(page, path);
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

  // A note begins on its stored page, too; its plan has no editor there.
  await page.goto(`/my/goals/${id}/notes`);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Create a Note" }).first().click();
  const note = page.getByRole("form", { name: "New note" });
  await note.getByLabel("Title").fill("Where the path forks");
  await note.getByRole("textbox", { name: "Plan" }).fill("Take the left one");
  await note.getByRole("button", { name: "Create" }).click();
  await expect(outbox(page).getByText("4 entries wait for the connection")).toBeVisible();
  await page.getByRole("link", { name: "Close the form" }).click();
  await expect(note).toBeHidden();

  // W-03: so does a press on the page without scripts.
  await page.goto(`/my/goals/${id}/log`);
  await page.getByRole("button", { name: "Ten pages" }).click();
  await expect(page.getByText("You are offline. This browser keeps your logs")).toBeVisible();
  await page.goto(`/my/goals/${id}`);
  await expect(outbox(page).getByText("5 entries wait for the connection")).toBeVisible();

  await context.setOffline(false);
  await expect(outbox(page)).toBeHidden();
  await expect(page.getByText("5 entries are stored.")).toBeVisible();
  await expect(page.getByText("30 of 300 pages")).toBeVisible();
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 30, logs_count: 3 });
  expect((await readGoal(page, id)).items.map(({ x }) => x)).toEqual([0, 1]);
  await expect(page.getByText("1 of 2 done", { exact: true })).toBeVisible();
  await page.goto(`/my/goals/${id}/notes`);
  await expect(page.getByText("Where the path forks")).toHaveCount(1);
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
  await expect
    .poll(() => page.evaluate(async () => (await caches.keys()).filter((name) => /^pages:/.test(name))))
    .toEqual([]);

  await signIn(page, { email: `${second.username}@example.com`, password: PASSWORD });
  await page.goto("/my/goals");
  await waitForHydration(page);
  await expect(page.getByText("No goals found :(")).toBeVisible();
  await expect(outbox(page)).toBeHidden();
  expect(await heldEntries(page)).toBe(1);
  expect(await ask(second.page, "GET", "/api/my/logs", undefined)).toMatchObject({
    serverData: { logs: [] },
  });

  await signIn(page, { email: `${username}@example.com`, password: PASSWORD });
  await page.goto("/my/goals");
  await expect.poll(async () => (await readGoal(page, id)).logs_count).toBe(1);
  await expect(outbox(page)).toBeHidden();
  await context.close();
  await second.context.close();
});

test("W-05 a change of name asks about waiting entries, and kept ones are sent under their own name", async ({
  browser,
}) => {
  const { page, context, username } = await newPerson(browser, "twofold", { serviceWorkers: "allow" });
  const other = `${username}-b`;
  expect((await call(page, "POST", "/me/persons", { username: other })).ok()).toBe(true);
  const button = { uuid: "one", title: "One mile", status: 2, amount: 1 };
  const id = await makeGoal(page, { title: "Walk", unit: "miles", quick_log_buttons: [button] });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /\/toaster-/.test(name)),
  );
  await setTokens(username, 0);
  await context.setOffline(true);
  await page.getByRole("button", { name: "One mile" }).click();
  await expect(outbox(page).getByText("One entry waits for the connection")).toBeVisible();
  await context.setOffline(false);
  // Too few tokens keep the entry while the browser has a network.
  await expect(outbox(page).getByText(", 1 refused")).toBeVisible();

  const question = page.getByRole("alertdialog", { name: "Change the name with unsent entries?" });
  const actAs = (name: string) => page.getByRole("button", { name: `Act as ${name}`, exact: true }).click();
  await page.goto("/account");
  await waitForHydration(page);
  await expect(outbox(page)).toBeVisible();
  await actAs(other);
  await question.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: `Act as ${other}`, exact: true })).toBeVisible();
  await actAs(other);
  await question.getByRole("button", { name: "Keep and change" }).click();
  await expect(page.getByRole("button", { name: `Act as ${username}`, exact: true })).toBeVisible();
  await expect(question).toBeHidden();
  await expect(outbox(page)).toBeHidden();
  expect(await heldEntries(page)).toBe(1);

  await setTokens(username, 1_000_000);
  await actAs(username);
  await expect.poll(async () => (await readGoal(page, id)).logs_count).toBe(1);
  await expect(outbox(page)).toBeHidden();
  await context.close();
});

test("W-05 a note that waits leaves its page open and the outbox of other tabs in sight, and is sent from there", async ({
  browser,
}) => {
  const { page, context } = await newPerson(browser, "noter", { serviceWorkers: "allow" });
  const button = { uuid: "one", title: "One mile", status: 2, amount: 1 };
  const id = await makeGoal(page, { title: "Walk", unit: "miles", quick_log_buttons: [button] });
  const beside = await context.newPage();
  await beside.goto(`/my/goals/${id}`);
  await waitForHydration(beside);
  await page.goto("/my/notes?create=1");
  await waitForHydration(page);
  await context.setOffline(true);
  await beside.getByRole("button", { name: "One mile" }).click();
  await expect(outbox(beside).getByText("One entry waits for the connection")).toBeVisible();
  const form = page.getByRole("form", { name: "New note" });
  await form.getByLabel("Title").fill("Written on the hill");
  await form.getByLabel("Todo").fill("Boil water");
  await form.getByRole("button", { name: "Create" }).click();
  for (const tab of [page, beside])
    await expect(outbox(tab).getByText("2 entries wait for the connection")).toBeVisible();
  // The page keeps its form, empty, and no tab takes the login for another.
  await expect(form.getByLabel("Title")).toHaveValue("");
  await expect(page.getByRole("heading", { level: 1, name: "My Notes" })).toBeVisible();
  await expect(beside.getByRole("heading", { level: 1, name: "Walk" })).toBeVisible();
  await page.close();
  await context.setOffline(false);
  await expect(outbox(beside)).toBeHidden();
  expect(await readGoal(beside, id)).toMatchObject({ amount_elapsed: 1, logs_count: 1 });
  await beside.goto("/my/notes");
  await expect(beside.getByText("Written on the hill")).toHaveCount(1);
  await context.close();
});

test("W-05 too few tokens keep the entry with the sentence, the rest goes on, and with tokens it is sent", async ({
  browser,
}) => {
  const { page, context, username } = await newPerson(browser, "poor", { serviceWorkers: "allow" });
  const button = { uuid: "one", title: "One mile", status: 2, amount: 1 };
  const id = await makeGoal(page, {
    title: "Walk",
    unit: "miles",
    quick_log_buttons: [button],
    is_list: 1,
    items: [{ uuid: "boots", title: "Boots" }],
  });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /\/toaster-/.test(name)),
  );
  await context.setOffline(true);
  await page.getByRole("button", { name: "One mile" }).click();
  await expect(outbox(page).getByText("One entry waits for the connection")).toBeVisible();
  await page.getByRole("checkbox", { name: "Boots" }).check();
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect(outbox(page).getByText("2 entries wait for the connection")).toBeVisible();
  await setTokens(username, 0);
  await context.setOffline(false);
  await expect(outbox(page).getByText("One entry waits, 1 refused")).toBeVisible();
  await expect(outbox(page).getByText(/tokens/)).toBeVisible();
  const before = await readGoal(page, id);
  expect([before.logs_count, before.items.map(({ x }) => x)]).toEqual([0, [1]]);
  await setTokens(username, 1_000_000);
  await outbox(page).getByRole("button", { name: "Try again" }).click();
  await expect(outbox(page)).toBeHidden();
  expect((await readGoal(page, id)).logs_count).toBe(1);
  await context.close();
});

for (const answer of ["Send now", "Delete and log out"] as const)
  test(`W-05 a logout with a waiting entry: ${answer}`, async ({ browser }) => {
    const { page, context, username } = await newPerson(browser, "leaver", { serviceWorkers: "allow" });
    const button = { uuid: "one", title: "One mile", status: 2, amount: 1 };
    const id = await makeGoal(page, { title: "Walk", unit: "miles", quick_log_buttons: [button] });
    await page.goto(`/my/goals/${id}`);
    await waitForHydration(page);
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => /\/toaster-/.test(name)),
    );
    // The server does not answer the log, so that it waits while the page is online.
    await context.route("**/api/logs/store-quick-log", (route) => route.abort());
    await context.setOffline(true);
    await page.getByRole("button", { name: "One mile" }).click();
    await expect(outbox(page).getByText("One entry waits for the connection")).toBeVisible();
    await context.setOffline(false);
    await expect(outbox(page).getByText("One entry waits to be sent")).toBeVisible();
    await page.locator('summary[aria-label^="Account menu"]').click();
    await page.getByRole("button", { name: "Logout" }).click();
    const question = page.getByRole("alertdialog", { name: "Log out with unsent entries?" });
    await expect(question).toBeVisible();
    await context.unroute("**/api/logs/store-quick-log");
    await question.getByRole("button", { name: answer }).click();
    if (answer === "Send now") {
      await expect(question.getByText("Everything is sent. You can log out now.")).toBeVisible();
      await question.getByRole("button", { name: "Log out" }).click();
    }
    await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
    await signIn(page, { email: `${username}@example.com`, password: PASSWORD });
    await page.goto(`/my/goals/${id}`);
    await waitForHydration(page);
    await expect(outbox(page)).toBeHidden();
    expect(await heldEntries(page)).toBe(0);
    expect((await readGoal(page, id)).logs_count).toBe(answer === "Send now" ? 1 : 0);
    await context.close();
  });

test("W-05 a new version of the app sends what the former one kept, and keeps its stored pages", async ({
  browser,
}) => {
  const { page, context, username } = await newPerson(browser, "updater", { serviceWorkers: "allow" });
  const button = { uuid: "one", title: "One mile", status: 2, amount: 1 };
  const id = await makeGoal(page, { title: "Walk", unit: "miles", quick_log_buttons: [button] });
  await page.goto("/about");
  await install(page);
  await see(page, `/my/goals/${id}`);
  await context.setOffline(true);
  await page.getByRole("button", { name: "One mile" }).click();
  await expect(outbox(page).getByText("One entry waits for the connection")).toBeVisible();
  // Entries as 0.2.0 stores them, by a page and by the service worker: later versions change neither.
  const day = new Date().toISOString().slice(0, 10);
  const stored = await page.evaluate(
    async ({ by, goal, day }) => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open("outbox", 1);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      const store = db.transaction("entries", "readwrite").objectStore("entries");
      const all = await new Promise<Record<string, unknown>[]>((resolve) => {
        const asked = store.getAll();
        asked.onsuccess = () => resolve(asked.result);
      });
      const add = store.add({
        by,
        call: ["POST", "/api/logs/store-quick-log"],
        body: { goal_id: goal, ql_button_uuid: "one", uuid: crypto.randomUUID(), day },
        about: "Walk",
        words: "One mile",
        day,
        refusal: null,
        isRefused: false,
      });
      await new Promise((resolve) => {
        add.onsuccess = resolve;
      });
      db.close();
      return all.map((entry) => Object.keys(entry).sort());
    },
    { by: username, goal: id, day },
  );
  expect(stored).toEqual([["about", "body", "by", "call", "day", "id", "isRefused", "refusal", "words"]]);
  // The page is closed; the deployment brings another service worker and another build.
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  // Two registrations of one scope would replace each other, so the page's own registers the later one.
  await later.addInitScript(() => {
    const register = navigator.serviceWorker.register.bind(navigator.serviceWorker);
    navigator.serviceWorker.register = () => register("/sw.js?later");
  });
  await install(later);
  await later.goto("/about");
  await later.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const look = () =>
          navigator.serviceWorker.controller?.scriptURL.endsWith("?later") ? resolve() : setTimeout(look, 50);
        look();
      }),
  );
  await expect.poll(async () => (await readGoal(later, id)).logs_count).toBe(2);
  await expect(outbox(later)).toBeHidden();
  await expect.poll(() => isStored(later, `/my/goals/${id}`)).toBe(true);
  await context.close();
});
