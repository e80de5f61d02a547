// `npm run tasks` plays ten tasks at 390 and 1280 pixels and prints how many presses, fields and swipes each takes.
import { type Browser, type Page, test } from "@playwright/test";
import {
  ask,
  expect,
  newName,
  newPerson,
  PASSWORD,
  type Person,
  waitForHydration,
  watchConsole,
} from "../journeys/fixtures";
import { makeGoal } from "../journeys/goals";
import { inSession, makeSession } from "../journeys/sessions";
import { coveredByToasts, shownToasts } from "../journeys/toasts";
import { Hand } from "./hand";

const SIZES = {
  390: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  1280: { viewport: { width: 1280, height: 800 } },
};
type Width = keyof typeof SIZES;
const WIDTHS: Width[] = [390, 1280];

/** Leaves the row of a task to the reporter of tests/tasks.config.ts. */
const report = (name: string, at: Width, hand: Hand, note: string) => {
  const swipes = hand.swipes === 0 ? "0" : `${hand.swipes} (${hand.pixels})`;
  const cells = [name, at, `${hand.presses} + ${hand.fields}`, swipes, hand.keys || "", note];
  test.info().annotations.push({ type: "row", description: `| ${cells.join(" | ")} |` });
};

/** A task that one person plays at both widths; what it returns is its note. */
const task = (
  name: string,
  play: (hand: Hand, me: Person, at: Width, browser: Browser) => Promise<string | undefined>,
) => {
  for (const at of WIDTHS)
    test(`${name}, ${at}`, async ({ browser }) => {
      const me = await newPerson(browser, "ten", SIZES[at]);
      const hand = new Hand(me.page);
      const note = (await play(hand, me, at, browser)) ?? "";
      report(name, at, hand, note);
      await me.context.close();
    });
};

const open = async (page: Page, path: string) => {
  await page.goto(path);
  await waitForHydration(page);
};
/** A link of the header, on phones of the bottom bar. */
const list = (page: Page, at: Width, label: RegExp) =>
  page.getByRole("navigation", { name: at === 390 ? "Main" : "Lists" }).getByRole("link", { name: label });
const SPRINTS = {
  uuid: "sprints",
  title: "Sprints",
  is_interval: 1,
  sets: 3,
  timers: [{ title: "Work", duration: 300 }],
};
const heightOf = (page: Page) => page.evaluate(() => `page ${document.documentElement.scrollHeight} px`);

for (const at of WIDTHS)
  test(`1 newcomer, home to seated, ${at}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL: baseURL ?? "", ...SIZES[at] });
    const page = await context.newPage();
    watchConsole(page);
    await open(page, "/");
    const hand = new Hand(page);
    const main = page.getByRole("main");
    await hand.press(
      await hand.either(
        main.getByRole("link", { name: /^Sit in/ }),
        main.getByRole("link", { name: "Open all day: quiet work" }),
      ),
    );
    await page.waitForURL(/sessions\/\d+/);
    await waitForHydration(page);
    // On a phone, Leave is in the session's menu, which is closed.
    const leave = page.locator("main button", { hasText: /^Leave$/ });
    await expect(leave).toHaveCount(0);
    await hand.press(page.getByRole("button", { name: "Join", exact: true }));
    const dialog = page.getByRole("dialog");
    await hand.press(dialog.getByRole("tab", { name: "Register" }));
    const name = newName("ten");
    const email = dialog.getByRole("textbox", { name: "Email" });
    await hand.write(email, `${name}@example.com`);
    await hand.write(dialog.getByLabel("Username"), name);
    await hand.write(dialog.getByLabel(/^Password/).first(), PASSWORD);
    await hand.write(dialog.getByLabel(/^Confirm/).first(), PASSWORD);
    await hand.press(dialog.getByRole("checkbox"));
    await hand.press(dialog.getByRole("button", { name: "Register" }));
    await expect(dialog).toBeHidden();
    const again = page.getByRole("button", { name: "Join", exact: true });
    // The page joins by itself, or offers the button again.
    const seated = leave.first();
    await seated.waitFor({ state: "attached", timeout: 8000 }).catch(() => hand.press(again));
    await expect(seated).toBeAttached();
    await expect(page.getByText("You have successfully joined this session.")).toBeVisible();
    const covered = await coveredByToasts(page);
    const toasts = await shownToasts(page).count();
    report(
      "1 newcomer, home to seated",
      at,
      hand,
      `${toasts} toasts over ${covered.join(", ") || "no button"}`,
    );
    await context.close();
  });

task("2 first log of a new goal", async (hand, { page }, at) => {
  await open(page, "/");
  await hand.press(list(page, at, /^(My )?Goals$/));
  await hand.press(page.getByRole("main").getByRole("link", { name: "Create a Goal" }).first());
  await waitForHydration(page);
  await hand.write(page.getByRole("textbox", { name: "Title" }).first(), "Sweep the hearth");
  await hand.press(page.getByRole("button", { name: "Create goal" }));
  const goal = page.getByRole("main").getByRole("listitem").filter({ hasText: "Sweep the hearth" }).first();
  await hand.press(goal.getByRole("button", { name: /^(Done, |(\+ ?)?1\b)/ }).first());
  await expect(page.getByRole("main")).toContainText(/1 (of 1|time)|Reached/i);
  return undefined;
});

/** Fills the day of tomorrow into the form of a session, and creates it. */
async function createAtNine(hand: Hand, page: Page): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await hand.writeDate(page.locator('[name="startedAt"]'), `${tomorrow}T09:00`);
  await hand.press(page.getByRole("button", { name: "Create session" }));
  await page.waitForURL(/sessions\/\d+/);
}

task("3 session tomorrow at 9:00", async (hand, { page }) => {
  await open(page, "/activities/morning-pages");
  await hand.press(page.getByRole("main").getByRole("link", { name: "Create a Session" }).first());
  await page.waitForURL(/create/);
  await page.getByRole("button", { name: "Change" }).waitFor();
  await waitForHydration(page);
  const note = await heightOf(page);
  await createAtNine(hand, page);
  return note;
});

task("3 Focus 25/5 × 4 tomorrow at 9:00, from home", async (hand, { page }) => {
  await open(page, "/");
  await hand.press(page.getByRole("main").getByRole("link", { name: "Create a Session" }).first());
  await page.waitForURL(/create/);
  await waitForHydration(page);
  const note = await heightOf(page);
  await hand.press(page.locator("summary").filter({ hasText: "Begin from" }));
  await hand.press(page.getByRole("main").getByRole("link", { name: "Focus 25/5" }));
  await page.waitForURL(/activity=focus/);
  await createAtNine(hand, page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Focus 25/5");
  return note;
});

const answerOnMyTurn = (people: number) =>
  task(`4 answer on my turn, ${people} people`, async (hand, me, _at, browser) => {
    const others: Person[] = [];
    for (let n = 1; n < people; n++) others.push(await newPerson(browser, "other"));
    const host = others[0];
    if (!host) throw new Error("no host");
    const session = await makeSession(host.page, {
      prompt: "What did you hear on the way?",
      parts: [
        { uuid: "plan", auto_start: 1, parts: [{ uuid: "r", title: "R", duration: 8, per_participant: 1 }] },
      ],
    });
    await inSession(me.page, session, "join");
    for (const other of others.slice(1)) await inSession(other.page, session, "join");
    await open(me.page, session.path);
    await inSession(host.page, session, "start");
    const stage = me.page.getByRole("region", { name: "Timer" });
    await expect(stage).toContainText("Your turn", { timeout: 20_000 });
    await inSession(host.page, session, "parts/r/pause");
    const form = me.page.getByRole("form", { name: "Your contribution" });
    await hand.write(form.getByRole("textbox", { name: "Your contribution" }), "An owl, twice.");
    await hand.press(form.getByRole("button", { name: "Add it" }));
    await expect(me.page.getByText("An owl, twice.").first()).toBeVisible();
    for (const other of others) await other.context.close();
    return heightOf(me.page);
  });
answerOnMyTurn(2);
answerOnMyTurn(8);

task("5 an old note by a word, 42 newer", async (hand, { page }, at) => {
  const write = (content: string) =>
    ask(page, "POST", "/api/notes", { title: content.slice(0, 30), content });
  await write("The curlew came back to the lochan.");
  for (let n = 1; n <= 42; n++) await write(`Day ${n}: rain, then less rain.`);
  await open(page, "/");
  // The keys listen once all scripts have loaded.
  await page.waitForLoadState("networkidle");
  if (at === 1280) await hand.key("/");
  else await hand.press(page.getByRole("banner").getByLabel("Search", { exact: true }));
  const palette = page.getByRole("combobox", { name: "Search everything" });
  await hand.write(palette, "curlew");
  const found = page.getByRole("option", { name: /curlew/ }).filter({ hasText: "note" });
  await expect(found).toBeVisible();
  await hand.press(found);
  await expect(page.getByRole("main")).toContainText("The curlew came back");
  return "and the word";
});

const repeat = (title: string, about: () => object) =>
  task(`6 repeat next week, ${title}`, async (hand, { page }) => {
    const session = await makeSession(page, about());
    await inSession(page, session, "start");
    await inSession(page, session, "end");
    await open(page, session.path);
    const before = page.url();
    await hand.press(
      await hand.either(
        page.getByRole("button", { name: /^(Again next week|Repeat|Repeat next week)( \(|$)/ }),
      ),
    );
    await page.waitForURL((url) => url.href !== before);
    await expect(
      page.getByText("Starts when the host starts it").or(page.getByText("Starts in")).first(),
    ).toBeVisible();
    return (await page.getByText("Starts when the host starts it").count()) > 0 ? "has no date" : undefined;
  });
repeat("a session with a date", () => ({
  is_manually_started: 0,
  started_at: new Date(Date.now() + 3_600_000).toISOString(),
}));
repeat("a session started by hand", () => ({}));

task("7 undo a quick log", async (hand, { page }) => {
  await makeGoal(page, {
    title: "Read by the stove",
    unit: "pages",
    amount: 300,
    quick_log_buttons: [{ uuid: "ten", title: "Ten pages", amount: 10, status: 2 }],
  });
  await open(page, "/my/goals");
  await page
    .getByRole("button", { name: /Ten pages/ })
    .first()
    .click();
  await expect(page.getByRole("main")).toContainText(/10 (of|\/) ?300/);
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  // The figures may change before the answer offers Undo.
  await undo
    .first()
    .waitFor({ timeout: 5000 })
    .catch(() => {});
  if ((await undo.count()) > 0) {
    await hand.press(undo.first());
  } else {
    await hand.press(page.getByRole("link", { name: "Read by the stove" }).first());
    await hand.press(page.getByRole("link", { name: "Logs", exact: true }).first());
    await waitForHydration(page);
    await hand.press(page.getByRole("button", { name: /^Delete log/ }).first());
    await hand.press(page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
  }
  return undefined;
});

task("8 invite by link, waiting room, host", async (hand, { page }) => {
  const session = await makeSession(page);
  await open(page, session.path);
  await hand.press(
    await hand.either(
      page.getByRole("main").locator("summary").filter({ hasText: "Invite", visible: true }),
      page.getByRole("main").getByRole("link", { name: /^Invite/ }),
    ),
  );
  const copy = page.getByRole("button", { name: /^Copy/ }).first();
  await hand.press(copy);
  return undefined;
});

const aMinuteMore = (name: string, uuid: string, part: object) =>
  task(`9 a minute more, ${name}`, async (hand, { page }) => {
    const session = await makeSession(page, {
      parts: [{ uuid: "plan", auto_start: 1, parts: [{ uuid, title: "Part", ...part }] }],
    });
    await inSession(page, session, "start");
    await open(page, session.path);
    const left = async () => {
      const text = await page.getByRole("region", { name: "Timer" }).getByRole("timer").first().textContent();
      return (/[\d:]+/.exec(text ?? "")?.[0] ?? "")
        .split(":")
        .reduce((sum, digits) => sum * 60 + Number(digits), 0);
    };
    const before = await left();
    await hand.press(
      page
        .getByRole("toolbar", { name: "Host controls" })
        .getByRole("button", { name: /\+1m|minute more/i })
        .first(),
    );
    // Right is a minute more on the clock at once, less the seconds since.
    const isRight = async () => (await left()) - before > 40 && (await left()) - before <= 60;
    await expect
      .poll(isRight, { timeout: 5000 })
      .toBe(true)
      .catch(() => {});
    return (await isRight()) ? "right" : `wrong: ${(await left()) - before} s`;
  });
aMinuteMore("plain part", "plain", { duration: 600 });
aMinuteMore("interval part", "sprints", SPRINTS);
aMinuteMore("turns part", "turns", { duration: 60, per_participant: 1 });

task("10 leave a hut, from home", async (hand, { page }, at) => {
  await ask(page, "POST", "/groups/by-the-stove/join", {});
  await open(page, "/");
  await hand.press(list(page, at, /^Huts$/));
  await page.waitForURL(/groups/);
  await waitForHydration(page);
  await hand.press(page.locator('summary[aria-label="More: By the Stove"]'));
  await hand.press(page.getByRole("button", { name: "Leave: By the Stove" }));
  await expect(page.getByText("You have successfully left the hut.").first()).toBeVisible();
  return (await page.getByRole("button", { name: "Undo", exact: true }).count()) > 0
    ? "with Undo"
    : "no Undo";
});
