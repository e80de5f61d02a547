// The My pages: for a visitor, empty, full, without JavaScript; and deleting the account.
import {
  alive,
  call,
  expect,
  expectQuiet,
  newPerson,
  PASSWORD,
  signUpQuickly,
  test,
  watchConsole,
} from "./fixtures";
import { field, makeGoal, unfold } from "./goals";

test("U-20 U-21 P-21 notes are created on top, edited by double-click and keyboard, and deleted after a confirmation", async ({
  host: { page },
}) => {
  await page.goto("/my/notes");
  await alive(page);
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

  // A half-written note survives leaving, with every field.
  const half = page.getByRole("form", { name: "New note" });
  await page.goto("/my/notes?create=1");
  await alive(page);
  await field(half, "title").fill("Half");
  await field(half, "todo").fill("the other half");
  await page.goto("/");
  await page.goto("/my/notes?create=1");
  await alive(page);
  await half.getByRole("button", { name: "Restore" }).click();
  await expect(field(half, "title")).toHaveValue("Half");
  await expect(field(half, "todo")).toHaveValue("the other half");
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
    await alive(page);
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

test("U-26 the pills keep the scroll position, and on a phone the current pill is in view", async ({
  browser,
}) => {
  const { page, context } = await newPerson(browser, "phone", { viewport: { width: 360, height: 360 } });
  await page.goto("/my/notes");
  const pill = page.getByRole("navigation", { name: "My pages" }).getByRole("link", { name: "My Notes" });
  await expect(pill).toBeInViewport({ ratio: 1 });
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => window.scrollTo({ top: 120, behavior: "instant" }));
  const before = await page.evaluate(() => window.scrollY);
  // A press that does not itself scroll, as a press on a half-visible pill would.
  await page
    .getByRole("navigation", { name: "My pages" })
    .getByRole("link", { name: "My Groups" })
    .dispatchEvent("click");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Groups");
  expect(before).toBe(120);
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
  await context.close();
});

test("M-34 M-35 M-41 M-42 P-15 P-16 P-17 P-19 P-20 U-19 U-23 every empty page says what to do first", async ({
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
    ["/my/groups", "You do not belong to any yet."],
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

test("U-16 U-24 M-19 each goal of the list is edited in place, and only by its owner", async ({
  host: { page },
  guest,
}) => {
  const first = await makeGoal(page, { title: "Sharpen the axe" });
  await makeGoal(page, { title: "Split the logs" });
  await page.goto("/my/goals");
  await alive(page);
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

test("U-27 U-28 P-18 a long list of logs has arrows and a page number, and the next page opens at its top", async ({
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

test("C-35 M-18 E-27 one press copies a session's goal to one's own goals", async ({ host, guest }) => {
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
    // The browser requires a value; a space satisfies the browser but not the server.
    await field(form, "title").fill(" ");
    await form.getByRole("button", { name: "Create goal" }).click();
    const again = page.getByRole("form", { name: "New goal" });
    await expect(again.getByText("Please give your goal a title.")).toBeVisible();
    await field(again, "title").fill("Sweep the hut");
    await unfold(again, "Checklist");
    await field(again, "items[0].title").fill("Under the bunks");
    await unfold(again, "Quick-log buttons");
    await field(again, "quickLogButtons[0].title").fill("Swept");
    await field(again, "quickLogButtons[0].status").selectOption("2");
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

test("X-17 an account is deleted with its password and kept by signing in again", async ({
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

test("D-01 while typing a log, its author sees the first line that will not be formatted", async ({
  host: { page },
}) => {
  const goal = await makeGoal(page, { title: "Long texts", action: "Write", unit: "lines", amount: 1 });
  const deep = `${"> ".repeat(40)}too deep`;
  await page.goto(`/my/goals/${goal}/logs`);
  await alive(page);
  await unfold(page, "Log by hand");
  const said = page.getByText("From line 2 on, this text is shown unformatted");
  await page.getByLabel("How did it go?").fill("Two good lines");
  await expect(said).toHaveCount(0);
  await page.getByLabel("How did it go?").fill(`First\n${deep}`);
  await expect(said).toBeVisible();
  await page.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByRole("listitem").getByText("too deep")).toBeVisible();
  // The notice disappears with the text of the accepted form.
  await expect(said).toHaveCount(0);
  await page.getByRole("link", { name: "Edit log" }).click();
  await expect(said).toBeVisible();
});
