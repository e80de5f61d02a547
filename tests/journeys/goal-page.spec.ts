// The page of a goal: when ticks are sent, and quick logs that are taken back.
import type { Page } from "@playwright/test";
import { ask, expect, expectQuiet, holdRequests, test, waitForHydration, watchConsole } from "./fixtures";
import { makeGoal, readGoal } from "./goals";
import { inSession, makeSession } from "./sessions";

test("S-16 C-83 ticks are sent together 50 seconds after the last, or at once when the tab is hidden or left", async ({
  host: { page, context },
}) => {
  await test.step("when the tab is hidden, navigated away or closed", async () => {
    const titles = ["Matches", "Rope", "Lamp"];
    const id = await makeGoal(page, {
      title: "Pack",
      is_list: 1,
      items: titles.map((title) => ({ uuid: title, title })),
    });
    const ticked = async () =>
      (await readGoal(page, id)).items.filter(({ x }) => x === 1).map(({ title }) => title);
    const open = async () => {
      const tab = await context.newPage();
      watchConsole(tab);
      await tab.goto(`/my/goals/${id}`);
      await waitForHydration(tab);
      return tab;
    };
    const hidden = await open();
    await hidden.getByRole("checkbox", { name: "Matches" }).check();
    await expect(hidden.getByText("1 of 3 done · not saved yet")).toBeVisible();
    expect(await ticked()).toEqual([]);
    // A browser under test never hides a tab by itself.
    await hidden.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect.poll(ticked).toEqual(["Matches"]);
    await expect(hidden.getByText("1 of 3 done", { exact: true })).toBeVisible();
    await hidden.close();

    const left = await open();
    await left.getByRole("checkbox", { name: "Rope" }).check();
    await left.goto("about:blank");
    await expect.poll(ticked).toEqual(["Matches", "Rope"]);

    await left.goto(`/my/goals/${id}`);
    await waitForHydration(left);
    await expect(left.getByText("2 of 3 done", { exact: true })).toBeVisible();
    await left.getByRole("checkbox", { name: "Lamp" }).check();
    await left.close({ runBeforeUnload: true });
    await expect.poll(ticked).toEqual(titles);
  });

  await test.step("together, 50 seconds after the last", async () => {
    const id = await makeGoal(page, {
      title: "Pack",
      is_list: 1,
      items: ["Matches", "Rope"].map((title) => ({ uuid: title, title })),
    });
    await page.clock.install();
    await page.goto(`/my/goals/${id}`);
    await waitForHydration(page);
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().includes("save-task-list-progress")) sent.push(request.postDataJSON());
    });
    // From here on no time passes but that of the test.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole("checkbox", { name: "Matches" }).check();
    await page.clock.runFor(30_000);
    await page.getByRole("checkbox", { name: "Rope" }).check();
    await page.clock.runFor(49_000);
    expect(sent).toEqual([]);
    await expect(page.getByText("2 of 2 done · not saved yet")).toBeVisible();
    await page.clock.runFor(2000);
    await page.clock.resume();
    await expect.poll(() => sent).toEqual([{ goal_id: id, items: ["Matches", "Rope"], base: [] }]);
    await expect(page.getByText("2 of 2 done", { exact: true })).toBeVisible();
  });
});

/** A browser under test never hides a tab by itself. */
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
const CONFLICT = {
  status: 409,
  json: {
    ...{ message: "Refused.", error: "Refused.", error_code: "CONFLICT", errors: ["Refused."] },
    ...{ fields: {}, request_id: "test" },
  },
};
const SAVES = "**/save-task-list-progress";

test("S-16 R-69 refused ticks are sent no more before another tick, and then all together", async ({
  host: { page },
}) => {
  await page.goto("/my/goals");
  const items = ["Matches", "Rope"].map((title) => ({ uuid: title, title }));
  const id = await makeGoal(page, { title: "Pack", is_list: 1, items });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  let refused = 0;
  await page.route(SAVES, (route) => {
    refused++;
    return route.fulfill(CONFLICT);
  });
  await page.getByRole("checkbox", { name: "Matches" }).check();
  await hide(page);
  await expect(page.getByText("1 of 2 done · not saved", { exact: true })).toBeVisible();
  for (let time = 0; time < 3; time++) await hide(page);
  // A later request would be counted before the answer to this one.
  await readGoal(page, id);
  expect(refused).toBe(1);
  await page.unroute(SAVES);
  await page.getByRole("checkbox", { name: "Rope" }).check();
  await hide(page);
  await expect(page.getByText("2 of 2 done", { exact: true })).toBeVisible();
  expect((await readGoal(page, id)).items.map(({ x }) => x)).toEqual([1, 1]);
});

test("S-16 ticks of a tab that closed before the session's end are sent once by the next page", async ({
  host: { page: host },
  guest: { page: guest, username },
}) => {
  await guest.goto("/my/goals");
  const items = ["Matches", "Rope"].map((title) => ({ uuid: title, title }));
  for (const isTaken of [true, false]) {
    const session = await makeSession(host, { tasks: [{ title: "Pack", is_list: 1, items }] });
    await inSession(guest, session, "join");
    await inSession(host, session, "start");
    const readGoals = () =>
      ask<{ serverData: { goals: { id: number }[] } }>(guest, "GET", `/api/sessions/${session.id}`);
    const [goal] = (await readGoals()).serverData.goals;
    await inSession(host, session, "end");
    const key = `bothy:ticks:${goal?.id}`;
    await guest.evaluate(
      ([name, by]) => localStorage.setItem(name, JSON.stringify({ ticked: ["Rope"], base: "", by })),
      [key, username] as const,
    );
    let sent = 0;
    await guest.route(SAVES, (route) => {
      sent++;
      return isTaken ? route.continue() : route.fulfill(CONFLICT);
    });
    const goals = `/sessions/${session.id}/goals`;
    const boxes = guest.getByRole("checkbox", { name: "Rope" });
    await guest.goto(goals);
    await waitForHydration(guest);
    await expect.poll(() => guest.evaluate((name) => localStorage.getItem(name), key)).toBeNull();
    await (isTaken ? expect(boxes).toBeChecked() : expect(boxes).not.toBeChecked());
    await hide(guest);
    await guest.goto(goals);
    await waitForHydration(guest);
    await (isTaken ? expect(boxes).toBeChecked() : expect(boxes).not.toBeChecked());
    expect(sent).toBe(1);
    await guest.unroute(SAVES);
  }
});

test("R-75 U-17 C-06 a quick log says its figures, is undone with one press, and takes no second press while it is sent", {
  tag: "@main",
}, async ({ host: { page } }) => {
  await test.step("it is still being sent", async () => {
    await page.goto("/my/goals");
    const button = { status: 2, amount: 1 };
    const id = await makeGoal(page, {
      title: "Two quick logs",
      unit: "tunes",
      amount: 10,
      quick_log_buttons: [
        { ...button, uuid: "one", title: "One tune" },
        { ...button, uuid: "three", title: "Three tunes", amount: 3 },
      ],
    });
    await page.goto(`/my/goals/${id}`);
    await waitForHydration(page);
    const release = await holdRequests(page, /store-quick-log/, "POST");
    await page.getByRole("button", { name: "One tune" }).click();
    await expect(page.getByText("1 of 10 tunes")).toBeVisible();
    await expect(page.getByRole("button", { name: "Three tunes" })).toBeDisabled();
    await release();
    await page.getByRole("button", { name: "Three tunes" }).click();
    await expect(page.getByText("4 of 10 tunes")).toBeVisible();
    await expect.poll(async () => (await readGoal(page, id)).amount_elapsed).toBe(4);
  });

  await test.step("undone and discarded", async () => {
    await page.goto("/my/goals");
    const id = await makeGoal(page, { title: "Read the almanac", unit: "pages", amount: 300 });
    await page.goto(`/my/goals/${id}`);
    await waitForHydration(page);
    await page.getByRole("button", { name: "1 page", exact: true }).click();
    await expect(page.getByText("+1 page, 1 of 300")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("0 of 300 pages")).toBeVisible();
    await expect.poll(() => readGoal(page, id)).toMatchObject({ amount_elapsed: 0, logs_count: 0 });
    await page.getByRole("button", { name: "Start Progress" }).click();
    await page.getByLabel("More for Read the almanac").click();
    await expect(page.getByRole("button", { name: /^Stop/ })).toBeVisible();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
    await expect(page.getByRole("button", { name: "Start Progress" })).toBeVisible();
    await expect.poll(() => readGoal(page, id)).toMatchObject({ logs_count: 0 });
  });
});

test("C-06 while one goal's log is sent, another goal's is sent too", async ({ host: { page } }) => {
  await page.goto("/my/goals");
  const button = { uuid: "one", title: "One tune", status: 2, amount: 1 };
  const make = (title: string) =>
    makeGoal(page, { title, unit: "tunes", amount: 10, quick_log_buttons: [button] });
  const ids = [await make("Fiddle"), await make("Pipes")];
  await page.goto("/my/goals");
  await waitForHydration(page);
  const release = await holdRequests(page, /store-quick-log/, "POST");
  const cardOf = (title: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  for (const title of ["Fiddle", "Pipes"]) {
    await cardOf(title).getByRole("button", { name: "One tune" }).click();
    await expect(cardOf(title).getByText("1 of 10 tunes")).toBeVisible();
  }
  await release();
  for (const id of ids) await expect.poll(async () => (await readGoal(page, id)).amount_elapsed).toBe(1);
});

test("R-85 a second clock asks whether the first goes on, and the header of every page has the newest", async ({
  host: { page },
}) => {
  await page.goto("/my/goals");
  const cello = await makeGoal(page, { title: "Cello by the stove" });
  const walk = await makeGoal(page, { title: "Walk to the cairn" });
  const clock = (title: string) =>
    page.getByRole("banner").getByRole("link", { name: new RegExp(`^Running: ${title}`) });
  const start = page.getByRole("button", { name: "Start Progress" });
  await page.goto(`/my/goals/${cello}`);
  await waitForHydration(page);
  await start.click();
  await expect(clock("Cello by the stove")).toHaveText(/00:\d\d/);
  await page.goto(`/my/goals/${walk}`);
  await waitForHydration(page);
  await start.click();
  const question = page.getByRole("alertdialog", { name: "Cello by the stove is running" });
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(start).toBeFocused();
  expect(await readGoal(page, walk)).toMatchObject({ logs_count: 0 });
  await start.click();
  await question.getByRole("button", { name: "Pause it and start" }).click();
  await expect(clock("Walk to the cairn")).toBeVisible();
  await page.goto(`/my/goals/${cello}`);
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Resume" }).click();
  await page
    .getByRole("alertdialog", { name: "Walk to the cairn is running" })
    .getByRole("button", { name: "Let both run" })
    .click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(clock(".* and 1 more")).toBeVisible();
  for (const goal of [cello, walk]) {
    await page.goto(`/my/goals/${goal}`);
    await waitForHydration(page);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Done", exact: true }).click();
    await answered;
  }
});

test("R-75 a log of a plain form shows its figures and Undo, without JavaScript and once it runs", {
  tag: "@main",
}, async ({ host: { page, context }, browser, baseURL }) => {
  await page.goto("/my/goals");
  const id = await makeGoal(page, { title: "Read the tide table", unit: "pages", amount: 300 });
  await test.step("without JavaScript", async () => {
    const plain = await browser.newContext({
      baseURL: baseURL ?? "",
      javaScriptEnabled: false,
      storageState: await context.storageState(),
    });
    const here = await plain.newPage();
    await here.goto(`/my/goals/${id}`);
    await here.getByRole("button", { name: "1 page", exact: true }).click();
    // Searches by text and role pass over noscript.
    const notice = here.locator("main > noscript > div");
    await expect(notice).toContainText("+1 page, 1 of 300");
    await notice.locator("button").click();
    await expect(notice).toHaveText("The log was deleted.");
    expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 0, logs_count: 0 });
    await plain.close();
  });

  await test.step("a submit before the scripts ran leads to a toast with Undo", async () => {
    await page.route(/\/assets\//, (route) =>
      route.request().resourceType() === "script" ? route.abort() : route.continue(),
    );
    await page.goto(`/my/goals/${id}`);
    await page.unroute(/\/assets\//);
    await page.getByRole("button", { name: "1 page", exact: true }).click();
    const toast = page.locator("#toasts");
    await expect(toast.getByText("+1 page, 1 of 300")).toBeVisible();
    await toast.getByRole("button", { name: "Undo" }).click();
    await expect(toast.getByText("Undone.")).toBeVisible();
    await expect.poll(() => readGoal(page, id)).toMatchObject({ amount_elapsed: 0, logs_count: 0 });
  });
});

test("U-25 R-75 a timer is paused and resumed while the code of lazy parts loads, and their HTML stays", async ({
  host: { page },
}) => {
  const timers = [
    {
      title: "Practice",
      sets: 2,
      timers: [
        { title: "Scales", duration: 300 },
        { title: "Rest", duration: 60 },
      ],
    },
  ];
  const id = await makeGoal(page, { title: "Wait for the menu", timers });
  await ask(page, "POST", "/api/logs/store-quick-log", { goal_id: id });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  const isStarted = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("list", { name: "Timers" }).getByRole("button", { name: "Start" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  // Pause shows before the server has stored the start; the reload reads what is stored.
  await isStarted;
  const release = await holdRequests(page, /(log-cues|log-forms-chunk|heat-map-chart)[^/]*\.js/);
  await page.reload({ waitUntil: "commit" });
  for (const [press, next] of [
    ["Pause", "Resume"],
    ["Resume", "Pause"],
  ] as const) {
    const isStored = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: press }).click();
    await expect(page.getByRole("button", { name: next })).toBeVisible();
    await isStored;
  }
  await expect(page.getByRole("heading", { name: "The last year" })).toBeVisible();
  await release();
  await page.locator("summary[aria-label^='More for ']").first().click();
  await expect(page.getByRole("button", { name: "Stop (time only)" })).toBeVisible();
  expectQuiet(page);
});
