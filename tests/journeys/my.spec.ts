// A goal with all its features, logged in all four ways. It survives reloads, two tabs, a failing network and a
// second device.
import type { Page } from "@playwright/test";
import {
  call,
  expect,
  expectQuiet,
  newPerson,
  PASSWORD,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";
import { field, makeGoal, readGoal, secondsShown, unfold } from "./goals";

const PLAN = {
  title: "Learn the fiddle",
  unit: "tunes",
  amount: "10",
  lines: ["Tune the strings", "Rosin the bow"],
};

test("P-14 U-15 U-17 U-25 S-16 M-16 M-17 a goal with every feature is logged in all four ways, completed, and found everywhere", async ({
  host: { page },
}) => {
  const today = () =>
    ["UTC", test.info().project.use.timezoneId]
      .map((timeZone) => new Date().toLocaleDateString("en", { timeZone }))
      .join();
  const begun = today();
  await page.goto("/my/goals");
  await waitForHydration(page);
  await expect(page.getByText("No goals found :(")).toBeVisible();
  await page.getByRole("link", { name: "Create a Goal" }).click();
  await expect(page).toHaveURL(/create=1/);
  const form = page.getByRole("form", { name: "New goal" });

  // A refused form loses nothing typed.
  await field(form, "unit").fill(PLAN.unit);
  await form.getByRole("button", { name: "Create goal" }).click();
  await expect(form.getByText("Please give your goal a title.")).toBeVisible();
  await expect(field(form, "unit")).toHaveValue(PLAN.unit);

  await field(form, "title").fill(PLAN.title);
  await field(form, "amount").fill("1x0");
  await expect(field(form, "amount")).toHaveValue(PLAN.amount);
  await unfold(form, "Checklist");
  for (const [index, line] of PLAN.lines.entries()) await field(form, `items[${index}].title`).fill(line);
  await unfold(form, "Timers");
  await field(form, "timers[0].title").fill("Practice");
  await field(form, "timers[0].sets").fill("2");
  await unfold(form, "Intervals that run in order");
  await field(form, "timers[0].timers[0].title").fill("Scales");
  await field(form, "timers[0].timers[0].duration").fill("5m");
  await field(form, "timers[0].timers[1].title").fill("Rest");
  await field(form, "timers[0].timers[1].duration").fill("1:00");
  await unfold(form, "Quick-log buttons");
  await field(form, "quickLogButtons[0].title").fill("One tune");
  await field(form, "quickLogButtons[0].status").selectOption("2");
  await field(form, "quickLogButtons[1].title").fill("Three tunes");
  await field(form, "quickLogButtons[1].status").selectOption("2");
  await field(form, "quickLogButtons[1].amount").fill("3");
  await form.getByRole("button", { name: "Create goal" }).click();
  await expect(page.getByText("Goal created successfully!")).toBeVisible();
  await page
    .getByRole("button", { name: "View goal" })
    .or(page.getByRole("link", { name: "View goal" }))
    .first()
    .click();

  await expect(page).toHaveURL(/\/my\/goals\/\d+$/);
  const id = Number(page.url().split("/").at(-1));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Goal: ${PLAN.title}`);
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("My Goals");

  // The first way: quick-log buttons.
  await page.getByRole("button", { name: "One tune" }).click();
  await page.getByRole("button", { name: "Three tunes" }).click();
  await expect(page.getByText("4 of 10 tunes")).toBeVisible();
  await expect.poll(async () => (await readGoal(page, id)).amount_elapsed).toBe(4);

  // The second: the interval timer, paused and resumed over reloads.
  await page.getByRole("list", { name: "Timers" }).getByRole("button", { name: "Start" }).click();
  // The row in which it was started shows it as well.
  const face = page.getByRole("timer").first();
  await expect(page.getByText(/Set 1 of 2 · Scales/)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await expect.poll(async () => (await readGoal(page, id)).duration_elapsed).toBeGreaterThan(0);
  const paused = await secondsShown(face);
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await expect.poll(async () => Math.abs((await secondsShown(face)) - paused)).toBeLessThanOrEqual(1);
  const resumed = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await resumed;
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  // It keeps running: twelve minutes in total, some of them gone.
  await expect.poll(() => secondsShown(face)).toBeLessThan(Math.min(paused, 12 * 60));
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await expect(page.getByRole("button", { name: "Start Progress" })).toBeVisible();

  // The third: the checklist; ticks are sent when the page is left.
  await page.getByRole("checkbox", { name: PLAN.lines[0] }).check();
  await expect(page.getByText("1 of 2 done · not saved yet")).toBeVisible();
  await page.getByRole("navigation", { name: "Goal" }).getByRole("link", { name: "Logs" }).click();
  await expect.poll(async () => (await readGoal(page, id)).items.map(({ x }) => x)).toEqual([1, 0]);

  // The fourth: by hand, on the page of logs.
  await unfold(page, "Log by hand");
  const byHand = page.getByRole("form", { name: "Log by hand" });
  await field(byHand, "amount").fill("6");
  await field(byHand, "duration").fill("soon");
  await byHand.getByRole("button", { name: "Log it" }).click();
  await expect(field(byHand, "duration")).toHaveAttribute("aria-invalid", "true");
  await expect(field(byHand, "amount")).toHaveValue("6");
  await field(byHand, "duration").fill("1h30");
  await field(byHand, "title").fill("At the ceilidh");
  await byHand.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByRole("list", { name: "Logs" }).getByRole("listitem").first()).toContainText(
    "At the ceilidh",
  );

  // The goal is reached: complete it.
  await page.getByRole("navigation", { name: "Goal" }).getByRole("link", { name: "Details" }).click();
  await expect(page.getByText("10 of 10 tunes")).toBeVisible();
  await page.getByRole("button", { name: "Complete Goal" }).click();
  await expect(page.getByText(`Congratulations on completing ${PLAN.title}!`)).toBeVisible();
  await expect(page.getByText(/^Completed on/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Start Progress" })).toHaveCount(0);

  // On the heat map and its table; a log over midnight counts for two days.
  const days = begun === today() ? "1 day" : "(1 day|2 days)";
  await expect(
    page.getByRole("img", { name: new RegExp(`Calendar: 10 tunes on ${days} in the last year`) }),
  ).toBeVisible();
  await unfold(page, "Week by week");
  await expect(page.getByRole("table")).toContainText("10 tunes");

  // In My Logs.
  await page.goto("/my/logs");
  const logs = page.getByRole("list", { name: "Logs" }).locator("> li");
  await expect(logs).toHaveCount(4);
  await expect(logs.first()).toContainText("At the ceilidh");
  await expect(logs.nth(1)).toContainText("Practice");

  // The export has the logs, too.
  await page.goto("/account");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download everything (JSON)" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^bothy-host-.*\.json$/);
  const all = await (await page.request.get("/account/export/everything.json")).json();
  expect(all.goals).toMatchObject([{ title: PLAN.title, amount_elapsed: 10, status: 2 }]);
  expect(all.logs.map((log: { title: string }) => log.title).sort()).toEqual([
    "At the ceilidh",
    "One tune",
    "Practice",
    "Three tunes",
  ]);
  expect(await (await page.request.get("/account/export/logs.csv")).text()).toContain("At the ceilidh");
  expectQuiet(page);
});

test("X-07 C-06 two tabs and a failing network neither lose nor double a log", async ({
  host: { page, context },
}) => {
  const id = await makeGoal(page, {
    title: "Drink water",
    unit: "glasses",
    amount: 8,
    quick_log_buttons: [{ uuid: "glass", title: "One glass", status: 2, amount: 1 }],
    items: [{ uuid: "a", title: "Fill the jug" }],
    is_list: 1,
  });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  const other = await context.newPage();
  watchConsole(other);
  await other.goto(`/my/goals/${id}`);
  await waitForHydration(other);

  // The first request never leaves, the second loses its answer, and the third is answered.
  let tries = 0;
  await page.route("**/api/logs/store-quick-log", async (route) => {
    tries++;
    if (tries === 1) return route.abort("internetdisconnected");
    if (tries === 2) {
      await route.fetch();
      return route.abort("connectionreset");
    }
    return route.continue();
  });
  await page.getByRole("button", { name: "One glass" }).click();
  // The page shows it at once, long before the answer.
  await expect(page.getByText("1 of 8 glasses")).toBeVisible();
  await expect.poll(() => tries).toBe(3);
  await expect(page.getByText("1 of 8 glasses")).toBeVisible();
  // The other tab receives it, and logs on.
  await expect(other.getByText("1 of 8 glasses")).toBeVisible();
  await other.getByRole("button", { name: "One glass" }).click();
  await expect(page.getByText("2 of 8 glasses")).toBeVisible();
  await expect.poll(() => readGoal(page, id)).toMatchObject({ amount_elapsed: 2, logs_count: 2 });
  await page.unroute("**/api/logs/store-quick-log");

  // Both tabs start the timer: one log runs, both show it.
  const starts = await Promise.all(
    [page, other].map((tab) => tab.getByRole("button", { name: "Start Progress" }).elementHandle()),
  );
  await Promise.all(starts.map((button) => button?.evaluate((element) => (element as HTMLElement).click())));
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.poll(async () => (await readGoal(page, id)).logs_count).toBe(3);
  // Done in one tab is done in the other.
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await expect(other.getByRole("button", { name: "Start Progress" })).toBeVisible();

  // A refusal reverts the optimistic update and says why. A second press during the first request sends nothing.
  let sent = 0;
  await page.route("**/api/logs/store-quick-log", (route) => {
    sent++;
    return route.fulfill({
      status: 409,
      json: {
        message: "Not now.",
        error: "Not now.",
        error_code: "CONFLICT",
        errors: ["Not now."],
        fields: {},
      },
    });
  });
  await page.getByRole("button", { name: "One glass" }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByText("Not now.")).toBeVisible();
  await expect(page.getByText("2 of 8 glasses")).toBeVisible();
  expect(sent).toBe(1);
  await page.unroute("**/api/logs/store-quick-log");

  // Unsent ticks are sent with the next load of the page.
  await context.setOffline(true);
  await other.getByRole("checkbox", { name: "Fill the jug" }).check();
  await other.close();
  await context.setOffline(false);
  expect((await readGoal(page, id)).items.map(({ x }) => x)).toEqual([0]);
  await page.goto(`/my/goals/${id}`);
  await expect(page.getByRole("checkbox", { name: "Fill the jug" })).toBeChecked();
  await expect.poll(async () => (await readGoal(page, id)).items.map(({ x }) => x)).toEqual([1]);
});

test("X-07 a reload that the network drops keeps the page and what is typed there, and ends when the network is back", async ({
  host: { page },
}) => {
  const id = await makeGoal(page, {
    title: "Sweep the floor",
    quick_log_buttons: [{ uuid: "floor", title: "One floor", status: 2, amount: 1 }],
    items: [{ uuid: "a", title: "Fetch the broom" }],
    amount: 4,
    unit: "floors",
    is_list: 1,
  });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  let dropped = 0;
  await page.route(`**/my/goals/${id}.data*`, (route) => {
    dropped++;
    return route.abort("internetdisconnected");
  });
  await page.getByRole("checkbox", { name: "Fetch the broom" }).check();
  await page.getByRole("button", { name: "One floor" }).click();
  await expect.poll(() => dropped).toBeGreaterThan(1);
  await expect(page.getByRole("checkbox", { name: "Fetch the broom" })).toBeChecked();
  await expect(page.getByText("1 of 4 floors")).toBeVisible();
  await page.unroute(`**/my/goals/${id}.data*`);
  const reloaded = page.waitForResponse((answer) => answer.url().includes(`/my/goals/${id}.data`));
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  expect((await reloaded).status()).toBe(200);
  await expect(page.getByRole("checkbox", { name: "Fetch the broom" })).toBeChecked();
  // A link to another page says at once that the page cannot be reached.
  await page.route("**/my/goals.data*", (route) => route.abort("internetdisconnected"));
  await page.getByRole("link", { name: "My Goals" }).first().click();
  await expect(page.getByText("This page could not be reached.")).toBeVisible();
});

test("U-25 a running timer shows the same second on another device, whose clock is five minutes wrong", async ({
  host: { page, username },
  browser,
}) => {
  const id = await makeGoal(page, { title: "Watch the kettle", action_duration: 3600 });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  // A press shows at once; the other device learns of it after the write.
  const written = (tab: Page) => tab.waitForResponse((answer) => answer.request().method() === "POST");
  const started = written(page);
  await page.getByRole("button", { name: "Start Progress" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await started;
  const { page: other, context } = await newPerson(browser, "device");
  await call(other, "POST", "/logout");
  const answer = await call(other, "POST", "/login", {
    email: `${username}@example.com`,
    password: PASSWORD,
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await context.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 300_000;
  });
  await other.goto(`/my/goals/${id}`);
  await waitForHydration(other);
  await expect(other.getByRole("button", { name: "Pause" })).toBeVisible();
  const faces = [page, other].map((one) => one.getByRole("timer").first());
  const apart = async () => {
    const [here, there] = await Promise.all(faces.map(secondsShown));
    return Math.abs((here ?? 0) - (there ?? 999));
  };
  await expect.poll(apart).toBeLessThanOrEqual(1);
  // A pause on the other device shows here when the window gets the focus.
  const paused = written(other);
  await other.getByRole("button", { name: "Pause" }).click();
  await expect(other.getByRole("button", { name: "Resume" })).toBeVisible();
  await paused;
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await expect.poll(apart).toBe(0);
  await context.close();
});
