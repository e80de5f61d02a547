// The personal half as people use it: a goal with everything on it, logged in all four ways, over reloads, in two tabs,
// over a network that fails, without JavaScript, by a visitor; taken out, and the account deleted.
import type { Locator, Page } from "@playwright/test";
import {
  call,
  expect,
  expectQuiet,
  newPerson,
  PASSWORD,
  signUpQuickly,
  test,
  watchConsole,
} from "./fixtures";

type Goal = {
  id: number;
  uuid: string;
  amount_elapsed: number;
  duration_elapsed: number;
  logs_count: number;
  items: { title: string; x: 0 | 1 }[];
};
const readGoal = async (page: Page, id: number): Promise<Goal> =>
  (await (await page.request.get(`/api/my/goals/${id}`)).json()).serverData.goal;

async function makeGoal(page: Page, goal: object): Promise<number> {
  const answer = await call(page, "POST", "/api/goals/store", { challenge: { tasks: [goal] } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).goal.id;
}

/** Opens a folded part of a form. */
const unfold = (within: Page | Locator, title: string) =>
  within.locator("summary").filter({ hasText: title }).first().click();
const field = (within: Page | Locator, name: string) => within.locator(`[name="${name}"]`);

/** Hours, minutes and seconds of a timer on screen. */
async function secondsShown(timer: Locator): Promise<number> {
  const text = ((await timer.textContent()) ?? "").replace(/[^\d:]/g, "");
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

const PLAN = {
  title: "Learn the fiddle",
  unit: "tunes",
  amount: "10",
  lines: ["Tune the strings", "Rosin the bow"],
};

test("P-14 U-15 U-17 U-25 S-16 M-16 M-17 a goal with everything on it is logged in all four ways, completed, and found everywhere", async ({
  host: { page },
}) => {
  test.setTimeout(120_000);
  await page.goto("/my/goals");
  await expect(page.getByText("No goals found :(")).toBeVisible();
  await page.getByRole("link", { name: "Create a Goal" }).click();
  await expect(page).toHaveURL(/create=1/);
  const form = page.getByRole("form", { name: "New goal" });

  // Nothing typed is lost when something is wrong.
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
  await field(form, "quick_log_buttons[0].title").fill("One tune");
  await field(form, "quick_log_buttons[0].status").selectOption("2");
  await field(form, "quick_log_buttons[1].title").fill("Three tunes");
  await field(form, "quick_log_buttons[1].status").selectOption("2");
  await field(form, "quick_log_buttons[1].amount").fill("3");
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

  // One: a quick-log button, and another.
  await page.getByRole("button", { name: "One tune" }).click();
  await page.getByRole("button", { name: "Three tunes" }).click();
  await expect(page.getByText("4 of 10 tunes")).toBeVisible();
  await expect.poll(async () => (await readGoal(page, id)).amount_elapsed).toBe(4);

  // Two: the interval timer, paused and resumed over reloads.
  await page.getByRole("list", { name: "Timers" }).getByRole("button", { name: "Start" }).click();
  const face = page.getByRole("timer");
  await expect(page.getByText(/Set 1 of 2 · Scales/)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await expect.poll(async () => (await readGoal(page, id)).duration_elapsed).toBeGreaterThan(0);
  const paused = await secondsShown(face);
  await page.reload();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  expect(Math.abs((await secondsShown(face)) - paused)).toBeLessThanOrEqual(1);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  // It runs on: twelve minutes in all, some of it gone.
  await expect.poll(() => secondsShown(face)).toBeLessThan(Math.min(paused, 12 * 60));
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await expect(page.getByRole("button", { name: "Start Progress" })).toBeVisible();

  // Three: the checklist; what is ticked is sent when the page is left.
  await page.getByRole("checkbox", { name: PLAN.lines[0] }).check();
  await expect(page.getByText("1 of 2 done · not saved yet")).toBeVisible();
  await page.getByRole("navigation", { name: "Goal" }).getByRole("link", { name: "Logs" }).click();
  await expect.poll(async () => (await readGoal(page, id)).items.map(({ x }) => x)).toEqual([1, 0]);

  // Four: by hand, on the page of logs.
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

  // Enough: complete it.
  await page.getByRole("navigation", { name: "Goal" }).getByRole("link", { name: "Details" }).click();
  await expect(page.getByText("10 of 10 tunes")).toBeVisible();
  await page.getByRole("button", { name: "Complete Goal" }).click();
  await expect(page.getByText(`Congratulations on completing ${PLAN.title}!`)).toBeVisible();
  await expect(page.getByText(/^Completed on/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Start Progress" })).toHaveCount(0);

  // On the heat map, with its table beside.
  await expect(page.getByRole("img", { name: /Calendar: 10 tunes on 1 day in the last year/ })).toBeVisible();
  await unfold(page, "Week by week");
  await expect(page.getByRole("table")).toContainText("10 tunes");

  // In My Logs.
  await page.goto("/my/logs");
  const logs = page.getByRole("list", { name: "Logs" }).locator("> li");
  await expect(logs).toHaveCount(4);
  await expect(logs.first()).toContainText("At the ceilidh");
  await expect(logs.nth(1)).toContainText("Practice");

  // And in what one takes away.
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

test("X-07 C-06 two tabs and a network that fails lose nothing and double nothing", async ({
  host: { page, context },
}) => {
  test.setTimeout(90_000);
  const id = await makeGoal(page, {
    title: "Drink water",
    unit: "glasses",
    amount: 8,
    quick_log_buttons: [{ uuid: "glass", title: "One glass", status: 2, amount: 1 }],
    items: [{ uuid: "a", title: "Fill the jug" }],
    is_list: 1,
  });
  await page.goto(`/my/goals/${id}`);
  const other = await context.newPage();
  watchConsole(other);
  await other.goto(`/my/goals/${id}`);

  // The first request never leaves, the second arrives but its answer is lost, the third is answered.
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
  // It shows at once, long before the answer.
  await expect(page.getByText("1 of 8 glasses")).toBeVisible();
  await expect.poll(() => tries, { timeout: 20_000 }).toBe(3);
  await expect(page.getByText("1 of 8 glasses")).toBeVisible();
  // The other tab hears of it, and logs on.
  await expect(other.getByText("1 of 8 glasses")).toBeVisible();
  await other.getByRole("button", { name: "One glass" }).click();
  await expect(page.getByText("2 of 8 glasses")).toBeVisible();
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 2, logs_count: 2 });
  await page.unroute("**/api/logs/store-quick-log");

  // Both start the timer: one log runs, both show it.
  await Promise.all([
    page.getByRole("button", { name: "Start Progress" }).click(),
    other.getByRole("button", { name: "Start Progress" }).click(),
  ]);
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.poll(async () => (await readGoal(page, id)).logs_count).toBe(3);
  // Done in the one is done in the other.
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await expect(other.getByRole("button", { name: "Start Progress" })).toBeVisible();

  // A refusal takes back what was shown, and says why.
  await page.route("**/api/logs/store-quick-log", (route) =>
    route.fulfill({
      status: 409,
      json: {
        message: "Not now.",
        error: "Not now.",
        error_code: "CONFLICT",
        errors: ["Not now."],
        fields: {},
      },
    }),
  );
  await page.getByRole("button", { name: "One glass" }).click();
  await expect(page.getByText("Not now.")).toBeVisible();
  await expect(page.getByText("2 of 8 glasses")).toBeVisible();
  await page.unroute("**/api/logs/store-quick-log");

  // Ticks that could not be sent are sent by the next look at the page.
  await context.setOffline(true);
  await other.getByRole("checkbox", { name: "Fill the jug" }).check();
  await other.close();
  await context.setOffline(false);
  expect((await readGoal(page, id)).items.map(({ x }) => x)).toEqual([0]);
  await page.goto(`/my/goals/${id}`);
  await expect(page.getByRole("checkbox", { name: "Fill the jug" })).toBeChecked();
  await expect.poll(async () => (await readGoal(page, id)).items.map(({ x }) => x)).toEqual([1]);
});

test("S-02 U-08 without a token the modal opens, what was typed stays, and with tokens the goal is made when it closes", async ({
  host: { page },
}) => {
  test.setTimeout(90_000);
  for (let n = 0; n < 10; n++) await makeGoal(page, { title: `Goal ${n}` });
  await page.goto("/my/goals?create=1");
  const form = page.getByRole("form", { name: "New goal" });
  await field(form, "title").fill("One too many");
  await form.getByRole("button", { name: "Create goal" }).click();
  const modal = page.getByRole("dialog");
  await expect(modal).toContainText("You're out of tokens");
  await expect(field(form, "title")).toHaveValue("One too many");
  const intent = await (await call(page, "GET", "/tokens/get-payment-intent")).json();
  const card = { number: "4242 4242 4242 4242", exp_month: 12, exp_year: 2040, cvc: "123" };
  const paid = await call(page, "POST", "/practice/confirm", { client_secret: intent.client_secret, card });
  const { payment_intent } = await paid.json();
  const bought = await call(page, "POST", "/tokens/purchase", {
    paymentIntent: payment_intent,
    token_pool: 0,
  });
  expect(bought.status(), await bought.text()).toBeLessThan(300);
  await page.keyboard.press("Escape");
  await expect(page.getByText("Goal created successfully!")).toBeVisible();
  await expect(page.getByRole("list", { name: "Goals" })).toContainText("One too many");
});

test("U-20 U-21 P-21 notes: the created one on top, edited by double-click and by keyboard, deleted after a question", async ({
  host: { page },
}) => {
  await page.goto("/my/notes");
  await expect(page.getByText("You haven't created any notes yet.")).toBeVisible();
  const write = async (title: string) => {
    await page.getByRole("link", { name: "Create a Note" }).click();
    const form = page.getByRole("form", { name: "New note" });
    await field(form, "title").fill(title);
    await field(form, "todo").fill("Find the map\nOil the boots");
    await form.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("list", { name: "Notes" }).getByRole("article").first()).toContainText(title);
  };
  await write("First");
  await write("Second");
  const notes = page.getByRole("list", { name: "Notes" }).getByRole("article");
  await expect(notes).toHaveCount(2);
  await notes.first().dblclick();
  const edit = page.getByRole("form", { name: "Edit note" });
  await field(edit, "done").fill("Monday");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(notes.first()).toContainText("Monday");
  await notes.nth(1).locator("xpath=..").focus();
  await page.keyboard.press("Enter");
  await expect(edit).toBeVisible();
  await edit.getByRole("button", { name: "Cancel" }).click();
  await notes.nth(1).getByRole("button", { name: "Delete note" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(notes).toHaveCount(1);
  await expect(notes.first()).toContainText("Second");
  expectQuiet(page);
});

test("U-03 U-14 U-18 U-19 U-22 V-19 a visitor sees examples under a warning that opens the auth modal", async ({
  page,
}) => {
  watchConsole(page);
  for (const [path, title, sees] of [
    ["/my/goals", "My Goals", "Read a chapter every evening"],
    ["/my/logs", "My Logs", "Learn ten words of Gaelic"],
    ["/my/notes", "My Notes", "Oil the boots"],
    ["/my/sessions", "My Sessions", "See all sessions"],
    ["/my/groups", "My Groups", "See all huts"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    const pills = page.getByRole("navigation", { name: "My pages" }).getByRole("link");
    await expect(pills).toHaveText(["My Goals", "My Logs", "My Sessions", "My Groups", "My Notes"]);
    await expect(page.getByText(sees).first()).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Login or register" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("tab", { name: "Login" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
  expectQuiet(page);
});

test("U-26 the pills keep the scroll, the present pill is in view on a phone", async ({ browser }) => {
  const { page, context } = await newPerson(browser, "phone", { viewport: { width: 360, height: 360 } });
  await page.goto("/my/notes");
  const pill = page.getByRole("navigation", { name: "My pages" }).getByRole("link", { name: "My Notes" });
  await expect(pill).toBeInViewport({ ratio: 1 });
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => window.scrollTo({ top: 120, behavior: "instant" }));
  const before = await page.evaluate(() => window.scrollY);
  // A press that does not itself scroll, as one on a pill half in view.
  await page
    .getByRole("navigation", { name: "My pages" })
    .getByRole("link", { name: "My Groups" })
    .dispatchEvent("click");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Groups");
  expect(before).toBe(120);
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
  await context.close();
});

test("M-34 M-35 M-41 M-42 P-15 P-16 P-17 P-19 P-20 U-19 U-23 who has nothing yet is told what to do, on every page", async ({
  host: { page },
}) => {
  for (const [path, sentence] of [
    ["/my/goals", "No goals found :("],
    [
      "/my/logs",
      "You don't have any progress logs yet. Log some progress by creating a goal and clicking the Start Progress button.",
    ],
    ["/my/notes", "You haven't created any notes yet."],
    ["/my/sessions", "A session is a stretch of time in which people work on their goals together."],
    ["/my/groups", "You belong to none yet."],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await page.goto("/my/sessions");
  await expect(page.getByRole("link", { name: "Create a New Session" })).toHaveAttribute(
    "href",
    "/challenges/events/create",
  );
  const id = await makeGoal(page, { title: "Carve a spoon" });
  for (const [tab, sentence] of [
    ["Details", "You don't have any active progress for this goal..."],
    ["Logs", "You don't have any active progress for this goal..."],
    ["Notes", "You haven't created any notes yet."],
  ] as const) {
    await page.goto(`/my/goals/${id}${tab === "Details" ? "" : `/${tab.toLowerCase()}`}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Goal: Carve a spoon");
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link");
    await expect(crumbs).toHaveText(["Home", "My Goals"]);
    const pills = page.getByRole("navigation", { name: "Goal" });
    await expect(pills.getByRole("link")).toHaveText(["Details", "Logs", "Notes"]);
    await expect(pills.locator("[aria-current=page]")).toHaveText(tab);
    await expect(page.getByText(sentence)).toBeVisible();
  }
  expectQuiet(page);
});

test("U-16 U-24 M-19 each goal of the list is edited in place by itself, and by its owner alone", async ({
  host: { page },
  guest,
}) => {
  const first = await makeGoal(page, { title: "Sharpen the axe" });
  await makeGoal(page, { title: "Split the logs" });
  await page.goto("/my/goals");
  const cards = page.getByRole("list", { name: "Goals" }).locator("> li");
  await cards.nth(1).getByRole("link", { name: "Edit goal" }).click();
  await cards.nth(0).getByRole("link", { name: "Edit goal" }).click();
  await expect(page.getByRole("form", { name: "Edit goal" })).toHaveCount(2);
  const edit = cards.nth(1).getByRole("form", { name: "Edit goal" });
  await expect(field(edit, "title")).toHaveValue("Sharpen the axe");
  await field(edit, "title").fill("Sharpen both axes");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Success!")).toBeVisible();
  await expect(cards.nth(1).getByRole("heading")).toHaveText("Sharpen both axes");
  await expect(page.getByRole("form", { name: "Edit goal" })).toHaveCount(1);
  await cards.nth(0).getByRole("button", { name: "Cancel" }).click();
  await expect(cards.nth(0).getByRole("heading")).toHaveText("Split the logs");
  expect((await guest.page.goto(`/my/goals/${first}`))?.status()).toBe(404);
});

test("U-27 U-28 P-18 more logs than a page holds: arrows and the number, at the top of the next", async ({
  host: { page },
}) => {
  const id = await makeGoal(page, { title: "Count sheep" });
  for (let n = 1; n <= 14; n++) {
    const answer = await call(page, "POST", "/api/logs/store-quick-log", {
      goal_id: id,
      title: `Sheep ${n}`,
    });
    expect(answer.status()).toBe(201);
  }
  for (const path of ["/my/logs", `/my/goals/${id}/logs`]) {
    await page.goto(path);
    const pages = page.getByRole("navigation", { name: /page/i }).last();
    const rows = page.getByRole("list", { name: "Logs" }).locator("> li");
    await expect(rows).toHaveCount(12);
    await expect(rows.first()).toContainText("Sheep 14");
    await pages.getByRole("link", { name: /next/i }).click();
    await expect(page).toHaveURL(/[?&]page=2/);
    await expect(rows).toHaveCount(2);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect(pages.getByRole("link", { name: /next/i })).toHaveAttribute("aria-disabled", "true");
    await pages.getByRole("link", { name: /previous/i }).click();
    await expect(rows).toHaveCount(12);
  }
});

test("C-35 M-18 E-27 a goal seen in a session becomes one's own with a press", async ({ host, guest }) => {
  const made = await call(host.page, "POST", "/challenge-events", {
    challenge: {
      title: "Carving together",
      is_manually_started: 1,
      duration: 3600,
      tasks: [{ title: "Carve a spoon", unit: "spoons" }],
    },
  });
  const { id } = (await made.json()).challenge_event;
  await guest.page.goto(`/sessions/${id}/goals`);
  await guest.page.getByRole("button", { name: /Copy/ }).first().click();
  await expect(guest.page.getByText("Goal copied successfully!")).toBeVisible();
  await guest.page.goto("/my/goals");
  await expect(guest.page.getByRole("list", { name: "Goals" })).toContainText("Carve a spoon");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("P-14 P-15 P-18 P-21 goals, logs and notes work as plain forms", async ({ page }) => {
    await signUpQuickly(page, "plain");
    await page.goto("/my/goals?create=1");
    const form = page.getByRole("form", { name: "New goal" });
    // The browser itself asks for something; a space gets past it, not past the server.
    await field(form, "title").fill(" ");
    await form.getByRole("button", { name: "Create goal" }).click();
    const again = page.getByRole("form", { name: "New goal" });
    await expect(again.getByText("Please give your goal a title.")).toBeVisible();
    await field(again, "title").fill("Sweep the hut");
    await unfold(again, "Checklist");
    await field(again, "items[0].title").fill("Under the bunks");
    await unfold(again, "Quick-log buttons");
    await field(again, "quick_log_buttons[0].title").fill("Swept");
    await field(again, "quick_log_buttons[0].status").selectOption("2");
    await again.getByRole("button", { name: "Create goal" }).click();
    await expect(page.getByText("Goal created successfully!")).toBeVisible();
    await page.getByRole("link", { name: "View goal" }).click();

    await page.getByRole("button", { name: "Swept" }).click();
    await expect(page.getByText("1 of 1 time")).toBeVisible();
    await page.getByRole("button", { name: "Start Progress" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Done", exact: true }).click();
    await page.getByRole("checkbox", { name: "Under the bunks" }).check();
    await page
      .getByRole("form", { name: /Checklist/ })
      .getByRole("button", { name: "Save" })
      .click();
    await expect(page.getByRole("checkbox", { name: "Under the bunks" })).toBeChecked();
    await unfold(page, "Log by hand");
    const byHand = page.getByRole("form", { name: "Log by hand" });
    await field(byHand, "amount").fill("2");
    await field(byHand, "title").fill("Twice more");
    await byHand.getByRole("button", { name: "Log it" }).click();
    await expect(page.getByText("Twice more")).toBeVisible();
    await page.getByRole("button", { name: "Complete Goal" }).click();
    await expect(page.getByText(/^Completed on/)).toBeVisible();

    await page.goto("/my/logs");
    await expect(page.getByRole("list", { name: "Logs" }).locator("> li")).toHaveCount(3);
    await page.getByRole("link", { name: "Edit log" }).first().click();
    const edit = page.getByRole("form", { name: "Edit log" });
    await field(edit, "title").fill("Three times more");
    await edit.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Three times more")).toBeVisible();

    await page.goto("/my/notes?create=1");
    const note = page.getByRole("form", { name: "New note" });
    await field(note, "title").fill("Plain");
    await field(note, "content").fill("A *plan*.");
    await note.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("article")).toContainText("A plan.");
    await page.getByRole("link", { name: "Edit note" }).click();
    const change = page.getByRole("form", { name: "Edit note" });
    await field(change, "done").fill("It");
    await change.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("article")).toContainText("It");
  });
});

test("X-17 an account is deleted with its password and kept by signing in", async ({
  host: { page, username },
}) => {
  await page.goto("/account");
  await page.locator("summary", { hasText: "Delete my account" }).click();
  const danger = page.locator("#danger");
  await danger.getByLabel("Your password").fill("a guess");
  await danger.getByRole("button", { name: "Delete my account" }).click();
  await expect(danger.getByText("This is not your current password.")).toBeVisible();
  await danger.getByLabel("Your password").fill(PASSWORD);
  await danger.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByText(/Your account will be deleted on/)).toBeVisible();
  expect((await page.request.get("/get-user")).status()).toBe(401);
  await page.goto("/auth/login?next=/my/goals");
  await page.getByLabel("Email", { exact: false }).fill(`${username}@example.com`);
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Welcome back. Your account stays: it will not be deleted.")).toBeVisible();
  await expect(page).toHaveURL(/\/my\/goals$/);
});
