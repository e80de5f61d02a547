// Every form survives an event between press and answer. The events: a reload of the page's data, a network failure,
// an ended login, missing tokens, a page not yet hydrated.
import type { Page } from "@playwright/test";
import {
  call,
  expect,
  expectQuiet,
  holdRequests,
  newName,
  newPerson,
  PASSWORD,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";
import { field, makeGoal, unfold } from "./goals";
import { inSession, makeSession } from "./sessions";

test("R-36 a form that redirects does so even when the page's data reloads meanwhile, a registration too", async ({
  host,
  page: visitor,
}) => {
  await test.step("a new hut", async () => {
    const { page, username } = host;
    await page.goto("/groups/create");
    await waitForHydration(page);
    const release = await holdRequests(page, /\/groups\/create\.data/, "POST");
    const title = newName("Hut");
    await field(page, "title").fill(title);
    await page.getByRole("button", { name: "Create hut" }).click();
    await page.locator(`summary[aria-label="Account menu of ${username}"]`).click();
    await page.getByRole("group", { name: "Theme" }).getByRole("button", { name: "Dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await release();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`h/${title}`);
    await expect(page.getByText("Success!")).toBeVisible();
    expectQuiet(page);
  });

  await test.step("a registration", async () => {
    const page = visitor;
    watchConsole(page);
    const release = await holdRequests(page, /\/auth\/register\.data/, "POST");
    const username = newName("look");
    await page.goto("/auth/register?next=/account");
    await waitForHydration(page);
    const form = page.getByRole("tabpanel");
    await form.getByLabel("Username").fill(username);
    await form.getByLabel("Email").fill(`${username}@example.com`);
    for (const label of [/^Password/, /^Confirm/]) await form.getByLabel(label).first().fill(PASSWORD);
    await form.getByRole("checkbox").check();
    await form.getByRole("button", { name: "Register" }).click();
    // Choosing a theme reloads the page's data while the registration is under way.
    await page.getByRole("group", { name: "Theme" }).getByRole("button", { name: "Dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await release();
    await expect(page).toHaveURL(/\/account$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Account");
    expectQuiet(page);
  });
});

test("Y-02 the forms of a session and an activity are short, a refused field under More takes the focus, and a draft survives a lost post", async ({
  host: { page },
}) => {
  await test.step("a refused field under More opens it, also after it was closed again", async () => {
    await page.goto("/challenges/events/create");
    await waitForHydration(page);
    await page.getByLabel("Title").first().fill("Behind the fold");
    await page.getByLabel("When the host starts it").check();
    await field(page, "duration").fill("1h");
    await unfold(page, "More");
    await field(page, "meetingLink").fill("http://insecure.example/room");
    for (let time = 0; time < 2; time++) {
      await unfold(page, "More");
      await expect(field(page, "meetingLink")).toBeHidden();
      await page.getByRole("button", { name: "Create session" }).click();
      await expect(field(page, "meetingLink")).toBeFocused();
    }
  });

  await test.step("a draft is kept until the form is accepted", async () => {
    const path = "/challenges/events/create";
    await page.goto(path);
    await waitForHydration(page);
    await page.getByLabel("Title").first().fill("Lost on the way");
    await page.getByLabel("When the host starts it").check();
    await field(page, "duration").fill("1h");
    await page.waitForFunction(() =>
      Object.keys(localStorage).some((key) => localStorage.getItem(key)?.includes("Lost on the way")),
    );
    await page.route(/events\/create\.data/, (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Create session" }).click();
    await expect(page.getByRole("button", { name: "Create session" })).toBeHidden();
    await page.goto(path);
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByLabel("Title").first()).toHaveValue("Lost on the way");
    await page.getByRole("button", { name: "Create session" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Lost on the way" })).toBeVisible();
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft"))),
    ).toEqual([]);
  });

  await test.step("their heights", async () => {
    for (const [width, height, most] of [
      [1280, 800, 900],
      [390, 844, 1200],
    ] as const) {
      await page.setViewportSize({ width, height });
      // The offer of a draft would make the page higher.
      await page.evaluate(() => localStorage.clear());
      const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
      // On the first screen, and above the bottom bar of a phone.
      const expectSubmit = (name: string) =>
        expect
          .poll(async () => {
            const at = await page.getByRole("button", { name }).boundingBox();
            return at ? at.y + at.height : Number.NaN;
          }, name)
          .toBeLessThanOrEqual(width === 390 ? height - 65 : height);
      await page.goto("/my/goals?create=1");
      await waitForHydration(page);
      await expect(page.getByRole("button", { name: "Create goal" })).toBeVisible();
      await expectSubmit("Create goal");
      await page.goto("/challenges/events/create?activity=focus-rounds");
      await waitForHydration(page);
      await expect(page.getByRole("button", { name: "Change" })).toBeVisible();
      await expectSubmit("Create session");
      await expect.poll(pageHeight).toBeLessThan(most);
      for (const name of ["Repeats", "Joining is free", "Participant limit", "Join code"])
        await expect(page.getByLabel(name)).toBeVisible();
      // The whole date and time is readable.
      const date = field(page, "startedAt");
      await expect(date).toHaveValue(/T\d\d:00$/);
      await expect
        .poll(() => date.evaluate((input) => input.scrollWidth - input.clientWidth))
        .toBeLessThanOrEqual(0);

      await page.goto("/challenges/create");
      await waitForHydration(page);
      await expect(page.getByRole("button", { name: "Add a timer" })).toBeVisible();
      await expect.poll(pageHeight).toBeLessThan(most);
      await expectSubmit("Create activity");
      await expect(page.getByLabel("Linked")).toBeHidden();
      await page.getByRole("button", { name: "Add a timer" }).click();
      await expect(page.getByLabel("Linked")).toBeHidden();
      await page.getByRole("button", { name: "Add a group of timers" }).click();
      await expect(page.getByLabel("Linked").first()).toBeVisible();
    }
  });
});

test("a half-written hut, item and activity survive leaving and closing, with every field", async ({
  host: { page, context },
}) => {
  const drafts = (of: Page) =>
    of.evaluate(() =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith("draft:"))
        .map((key) => key.slice(key.indexOf(" ") + 1))
        .sort(),
    );
  await page.goto("/groups/create");
  await waitForHydration(page);
  await field(page, "title").fill("Hut half built");
  await page.getByLabel("Private").check();
  await page.goto("/challenges/create");
  await waitForHydration(page);
  await field(page, "title").fill("Half a walk");
  await page.locator("summary", { hasText: /^More/ }).click();
  await field(page, "duration").fill("45m");
  await page.getByLabel("The host starts each session manually").check();
  await page.goto("/me?create=1");
  await waitForHydration(page);
  await field(page.getByRole("form", { name: "New item" }), "title").fill("Half an item");
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;

  const later = await context.newPage();
  await later.goto("/groups/create");
  await expect.poll(() => drafts(later)).toEqual(["activity new", "hut new", "item new"]);
  await later.getByRole("button", { name: "Restore" }).click();
  await expect(field(later, "title")).toHaveValue("Hut half built");
  await expect(field(later, "title")).toBeFocused();
  await expect(later.getByLabel("Private")).toBeChecked();
  await later.goto("/challenges/create");
  await later.getByRole("button", { name: "Restore" }).click();
  await expect(field(later, "title")).toHaveValue("Half a walk");
  await expect(field(later, "duration")).toHaveValue("45m");
  await expect(later.getByLabel("The host starts each session manually")).toBeChecked();
  await later.goto("/me?create=1");
  const item = later.getByRole("form", { name: "New item" });
  await item.getByRole("button", { name: "Restore" }).click();
  await expect(field(item, "title")).toHaveValue("Half an item");
  await item.getByRole("button", { name: "Create" }).click();
  await expect.poll(() => drafts(later)).toEqual(["activity new", "hut new"]);
  await later.goto("/account");
  await waitForHydration(later);
  await later.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await expect(later).toHaveURL(/\/$/);
  expect(await drafts(later)).toEqual([]);
});

test("S-01 R-12 a form sent after its login ended, or without tokens, is sent again", async ({
  host: { page, context, username },
}) => {
  await test.step("after signing in", async () => {
    await page.goto("/my/goals?create=1");
    await waitForHydration(page);
    const form = page.getByRole("form", { name: "New goal" });
    await field(form, "title").fill("Made after signing in");
    await context.clearCookies();
    await form.getByRole("button", { name: "Create goal" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    await dialog.getByLabel("Email").fill(`${username}@example.com`);
    await dialog.getByLabel("Password", { exact: false }).first().fill(PASSWORD);
    await dialog.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page.getByText("Goal created successfully!")).toBeVisible();
    const goals = page.getByRole("list", { name: "Goals", exact: true });
    await expect(goals.getByText("Made after signing in", { exact: true })).toHaveCount(1);
  });

  await test.step("after a purchase on another page", async () => {
    for (let n = 0; n < 9; n++) await makeGoal(page, { title: `Goal ${n}` });
    await page.goto("/my/goals?create=1");
    await waitForHydration(page);
    const form = page.getByRole("form", { name: "New goal" });
    await field(form, "title").fill("Paid for meanwhile");
    await form.getByRole("button", { name: "Create goal" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Buy tokens" }).click();
    await expect(page).toHaveURL(/\/tokens/);
    await page.getByLabel("Card number").fill("4242 4242 4242 4242");
    await page.getByLabel("Expires").fill("12 / 30");
    await page.getByLabel("Security code").fill("123");
    await page.getByRole("button", { name: "Buy 10 tokens" }).click();
    await expect(page).toHaveURL(/\/my\/goals/);
    await expect(page.getByText("Goal created successfully!").first()).toBeVisible();
    await expect(page.getByRole("list", { name: "Goals", exact: true })).toContainText("Paid for meanwhile");
  });
});

test("V-09 U-03 S-02 S-03 before hydration a press submits natively, typed values count afterwards, and a key ends nothing", {
  tag: "@main",
}, async ({ host, browser, page: visitor }) => {
  const { page, context } = await newPerson(browser, "quick");
  await test.step("an address and a search", async () => {
    const release = await holdRequests(page, /\/assets\/.*\.js/);
    await page.goto("/account", { waitUntil: "commit" });
    const profile = page.locator("#profile");
    await profile.getByRole("textbox", { name: "Email" }).fill("quick@elsewhere.example");
    await expect(profile.getByLabel("Current password")).toHaveCount(0);
    await release();
    await expect(profile.getByLabel("Current password")).toBeVisible();

    const releaseList = await holdRequests(page, /\/assets\/.*\.js/);
    await page.goto("/activities", { waitUntil: "commit" });
    await page.getByRole("searchbox", { name: "Search activities", exact: true }).fill("qqqqqq");
    await releaseList();
    await expect(page).toHaveURL(/q=qqqqqq/);
    await expect(page.getByText("No results. Try other words.")).toBeVisible();
  });

  await test.step("Join opens the dialog for its refusal", async () => {
    const make = async (join_code: string) => {
      const made = await call(host.page, "POST", "/challenge-events", {
        challenge: { title: newName("Walk"), duration: 3600, is_manually_started: 1, join_code, parts: [] },
      });
      return (await made.json()).path as string;
    };
    const joinEarly = async (path: string): Promise<void> => {
      const release = await holdRequests(page, /\/assets\/.*\.js/);
      await page.goto(path, { waitUntil: "commit" });
      const answer = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Join", exact: true }).click();
      expect((await answer).request().isNavigationRequest()).toBe(true);
      await release();
    };
    await joinEarly(await make("moss"));
    const code = page.getByRole("dialog", { name: "Enter the code to join the session" });
    await code.getByLabel("Join Code").fill("moss");
    await code.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("You have successfully joined this session.")).toBeVisible();

    for (let n = 0; n < 9; n++) await makeGoal(page, { title: `Goal ${n}` });
    await joinEarly(await make(""));
    const dialog = page.getByRole("dialog", { name: "You're out of tokens" });
    await expect(dialog).toBeVisible();
    // Closing the dialog retries by the call.
    const again = page.waitForResponse((response) => response.request().method() === "POST");
    await page.keyboard.press("Escape");
    expect((await again).status()).toBe(402);
    await expect(dialog).toBeHidden();
    await context.close();
  });

  await test.step("a visitor searches", async () => {
    const page = visitor;
    watchConsole(page);
    const release = await holdRequests(page, /\/assets\/[^/]+\.js$/);
    await page.goto("/events", { waitUntil: "domcontentloaded" });
    const search = page.locator("main").getByRole("searchbox").first();
    await search.fill("tidy");
    await search.press("Enter");
    await expect(page).toHaveURL(/q=tidy/);
    await release();
    await waitForHydration(page);
    expectQuiet(page);
  });

  await test.step("a key as the hydration begins", async () => {
    const page = visitor;
    // React listens from the beginning of the hydration on, and renders in a later task.
    await page.addInitScript(() => {
      const { addEventListener } = document;
      let hasPressed = false;
      document.addEventListener = (...listening: Parameters<typeof addEventListener>) => {
        addEventListener.apply(document, listening);
        if (listening[0] !== "keydown" || hasPressed) return;
        hasPressed = true;
        queueMicrotask(() =>
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true })),
        );
      };
    });
    await page.goto("/events");
    await waitForHydration(page);
    expectQuiet(page);
  });
});

test("X-07 a form that stays on its page takes one record after another, with the same text too", async ({
  host: { page },
}) => {
  const parts = [{ uuid: "g", auto_start: 0, parts: [{ uuid: "t", duration: 600, edit_content: 1 }] }];
  const session = await makeSession(page, { parts });
  await inSession(page, session, "start");
  await inSession(page, session, "parts/t/start");
  const goal = await makeGoal(page, { title: "Twice", action: "Write", unit: "lines", amount: 9 });
  const main = page.getByRole("main");
  const forms = [
    {
      at: session.path,
      name: "Your contribution",
      press: "Add it",
      records: main.getByRole("list", { name: "Contributions", exact: true }).getByRole("listitem"),
    },
    { at: `${session.path}/hut`, name: "Post", press: "Post", records: main.getByRole("article") },
    { at: `${session.path}/people`, name: "Message", press: "Send" },
    {
      at: `/my/goals/${goal}`,
      fold: "Log by hand",
      name: "Title",
      press: "Log it",
      records: main.getByText("The same words", { exact: true }),
    },
  ];
  for (const { at, fold, name, press, records } of forms)
    await test.step(at, async () => {
      await page.goto(at);
      await waitForHydration(page);
      if (fold) await unfold(main, fold);
      const form = main.locator("form", { has: page.getByRole("button", { name: press, exact: true }) });
      const box = form.getByRole("textbox", { name, exact: name === "Post" });
      for (const count of [1, 2]) {
        await box.fill("The same words");
        await form.getByRole("button", { name: press, exact: true }).click();
        const text = () => box.evaluate((one: HTMLInputElement) => one.value ?? one.textContent);
        await expect.poll(text).toBe("");
        if (records) await expect(records).toHaveCount(count);
      }
    });
  expectQuiet(page);
});

test("R-58 U-45 a chat line, a log by hand, a message to all and a report survive leaving and a reload, only for their person", async ({
  host,
  guest,
}) => {
  const session = await makeSession(host.page, {
    title: "Drafts",
    tasks: [{ title: "Pages", amount: 10, unit: "page" }],
  });
  await inSession(guest.page, session, "join");
  await inSession(host.page, session, "start");
  const { page } = host;

  await test.step("a chat line", async () => {
    const line = (of: Page) => of.getByRole("textbox", { name: "Message", exact: true });
    await page.goto(`${session.path}/chat`);
    await waitForHydration(page);
    await line(page).fill("half a thou");
    await page.getByRole("link", { name: "Forum", exact: true }).click();
    await expect(page).toHaveURL(/\/hut$/);
    await page.getByRole("link", { name: "Chat", exact: true }).click();
    await expect(line(page)).toHaveValue("half a thou");
    await page.reload();
    await expect(line(page)).toHaveValue("half a thou");
    // Another person at the same browser sees nothing of it.
    await guest.page.goto(`${session.path}/chat`);
    const kept = await page.evaluate(() => ({ ...localStorage }));
    await guest.page.evaluate((all) => {
      for (const [key, value] of Object.entries(all)) localStorage.setItem(key, String(value));
    }, kept);
    await guest.page.reload();
    await waitForHydration(guest.page);
    await expect(line(guest.page)).toHaveValue("");
    await line(page).press("Enter");
    await expect(page.getByRole("log", { name: "Chat" })).toContainText("half a thou");
    // The socket may show the line before the answer to the form has ended the draft.
    await expect(line(page)).toHaveValue("");
    await page.reload();
    await waitForHydration(page);
    await expect(line(page)).toHaveValue("");
  });

  await test.step("a message to all", async () => {
    const text = page.getByRole("textbox", { name: "Message", exact: false });
    await page.goto(`${session.path}/people`);
    await waitForHydration(page);
    await text.fill("Bring a lamp");
    await page.reload();
    await waitForHydration(page);
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(text).toHaveValue("Bring a lamp");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(text).toHaveValue("");
  });

  await test.step("a log by hand", async () => {
    const form = page.getByRole("form", { name: "Log by hand for Pages" });
    const open = async () => {
      await page.goto(`${session.path}/goals`);
      await waitForHydration(page);
      await page.getByText("Log by hand", { exact: true }).first().click();
    };
    await open();
    await form.getByLabel("What did you do?").fill("Read the first chapter");
    await open();
    await form.getByRole("button", { name: "Restore" }).click();
    await expect(form.getByLabel("What did you do?")).toHaveValue("Read the first chapter");
  });

  await test.step("a report", async () => {
    const { page: other } = guest;
    await other.goto(`/account/report/person/${host.username}`);
    await waitForHydration(other);
    await other.getByLabel(/^More about it/).fill("Rude in every line");
    await other.reload();
    await waitForHydration(other);
    await other.getByRole("button", { name: "Restore" }).click();
    await expect(other.getByLabel(/^More about it/)).toHaveValue("Rude in every line");
  });
});

test("U-45 Cancel of a session's goal closes the forms that the address opened, and clears it at once", async ({
  host: { page },
}) => {
  const session = await makeSession(page, {
    title: "Two forms",
    tasks: [{ title: "Pages", amount: 10, unit: "page" }],
  });
  await page.goto(`${session.path}/goals`);
  await waitForHydration(page);
  const edit = page.getByRole("main").getByRole("link", { name: "Edit", exact: true });
  const uuid = (await edit.getAttribute("href"))?.split("=")[1];
  await page.goto(`${session.path}/goals?edit=${uuid}&log=${uuid}`);
  await waitForHydration(page);
  const loads: string[] = [];
  page.on("framenavigated", (frame) => loads.push(frame.url()));
  await page.getByRole("form", { name: "Edit goal" }).getByRole("button", { name: "Cancel" }).click();
  await expect(edit).toBeVisible();
  await expect(page.getByRole("form", { name: "Log by hand for Pages" })).toHaveCount(0);
  await expect(page).toHaveURL(/\/goals$/);
  expect(loads).toHaveLength(1);
});
