// By keyboard alone: the skip link, announced headings, menus, and dialogs that trap and return the focus. Also
// system settings: reduced motion, forced colours, zoom.
import type { Page } from "@playwright/test";
import { alive, call, expect, expectQuiet, newName, newPerson, test, watchConsole } from "./fixtures";
import { field, makeGoal } from "./goals";

/** Tab cycles inside the dialog and through the browser's own bars. */
async function expectKept(page: Page, stops: number): Promise<void> {
  for (let step = 0; step < stops; step += 1) {
    await page.keyboard.press("Tab");
    const isOutside = await page.evaluate(() => {
      const here = document.activeElement;
      return here !== null && here !== document.body && !here.closest("dialog");
    });
    expect(isOutside).toBe(false);
  }
}

test("the first stop skips to the content, and navigation announces the page and focuses its heading", async ({
  page,
}) => {
  watchConsole(page);
  await page.goto("/");
  await alive(page);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();

  await page.getByRole("navigation", { name: "Lists" }).getByRole("link").first().focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/events$/);
  await expect(page.locator("main h1")).toBeFocused();
  await expect(page.locator("p[aria-live=polite].sr-only").first()).toContainText("Sessions");
  expectQuiet(page);
});

test("every focusable control shows the focus", async ({ page }) => {
  await page.goto("/pricing");
  for (let step = 0; step < 25; step += 1) {
    await page.keyboard.press("Tab");
    const look = await page.evaluate(() => {
      const here = document.activeElement;
      if (!here || here === document.body) return "nowhere";
      const style = getComputedStyle(here);
      const isSeen = style.outlineStyle !== "none" || style.boxShadow !== "none";
      return isSeen ? "seen" : here.outerHTML.slice(0, 200);
    });
    expect(["seen", "nowhere"]).toContain(look);
  }
});

test("the sign-in dialog traps the focus, closes with Escape and returns the focus", async ({ page }) => {
  await page.goto("/books");
  await alive(page);
  const opener = page.getByRole("banner").getByRole("link", { name: "Login" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("tab", { name: "Login" })).toHaveAttribute("aria-selected", "true");
  await expectKept(page, 20);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test("R-78 the slash opens the palette: arrow keys choose, Enter goes to the best, Escape returns the focus", async ({
  host,
}) => {
  const { page } = host;
  const word = newName("Quartz");
  const made = await call(host.page, "POST", "/challenge-events", {
    challenge: { title: `${word} hour`, duration: 3600, is_manually_started: 1, parts: [] },
  });
  const { path } = (await made.json()) as { path: string };
  await page.goto("/books");
  await alive(page);
  const opener = page.getByRole("banner").getByRole("link", { name: "Sessions", exact: true });
  await opener.focus();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search everything" });
  await expect(field).toBeFocused();
  await field.fill(word.toLowerCase());
  const options = page.getByRole("option");
  await expect(options).toHaveCount(2);
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(options.last()).toHaveAttribute("aria-selected", "true");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await options.last().getAttribute("id"));
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press("/");
  await field.fill(word);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(page.getByRole("dialog")).toBeHidden();

  // Without a result Enter searches the lists, and their page greets nobody.
  await page.getByLabel("Search sessions and activities").first().click();
  await field.fill("zzqqzz");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/\?q=zzqqzz$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sessions and activities with “zzqqzz”");
});

test("U-09 the join-code dialog focuses its field, shows the error there, and returns the focus", async ({
  host,
  browser,
}) => {
  const made = await call(host.page, "POST", "/challenge-events", {
    challenge: {
      title: newName("Walk"),
      duration: 3600,
      is_manually_started: 1,
      join_code: "moss",
      parts: [],
    },
  });
  const { page, context } = await newPerson(browser, "keys");
  await page.goto((await made.json()).path);
  await alive(page);
  const join = page.getByRole("button", { name: "Join", exact: true });
  await join.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Enter the code to join the session" });
  const code = dialog.getByLabel("Join Code");
  await expect(code).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(code).toBeFocused();
  await expect(code).toHaveAccessibleDescription(/Please enter the code/);
  await expect(dialog.getByRole("button", { name: "Continue" })).toBeVisible();
  await expectKept(page, 6);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(join).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("moss");
  await page.keyboard.press("Enter");
  await expect(page.getByText("You have successfully joined this session.")).toBeVisible();
  await context.close();
});

test("S-02 closing the out-of-tokens dialog by keyboard retries once, then only shows the error", async ({
  host: { page },
}) => {
  for (let n = 0; n < 10; n++) await makeGoal(page, { title: `Goal ${n}` });
  await page.goto("/my/goals?create=1");
  await alive(page);
  const form = page.getByRole("form", { name: "New goal" });
  await field(form, "title").fill("One too many");
  const create = form.getByRole("button", { name: "Create goal" });
  await create.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "You're out of tokens" });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await expectKept(page, 6);
  const again = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.keyboard.press("Escape");
  expect((await again).status()).toBe(402);
  await expect(page.locator("[data-sonner-toast]").getByText("You're out of tokens")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(create).toBeFocused();
  await expect(field(form, "title")).toHaveValue("One too many");
});

test("the account menu opens, moves and closes by keyboard", async ({ host }) => {
  const { page, username } = host;
  await page.goto("/about");
  await alive(page);
  const opener = page.locator(`summary[aria-label="Account menu of ${username}"]`);
  const inside = page.getByRole("banner").getByRole("link", { name: "My Account" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(inside).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("banner").getByRole("link", { name: username, exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(inside).toBeHidden();
  await expect(opener).toBeFocused();
});

test("U-24 Escape closes the dialog that a menu opened, and the menu stays", async ({ host: { page } }) => {
  const id = await makeGoal(page, { title: "Mend the net" });
  await page.goto(`/my/goals/${id}`);
  await alive(page);
  const opener = page.locator("main summary[aria-label=More]");
  const item = page.getByRole("main").getByRole("button", { name: "Delete", exact: true });
  await opener.focus();
  await page.keyboard.press("Enter");
  await item.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Delete “Mend the net”?" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("ArrowDown");
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.locator("dialog:modal")).toHaveCount(0);
  await expect(item).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(item).toBeHidden();
  await expect(opener).toBeFocused();
});

test("c opens a new goal and l logs progress, except while a control has the focus or keys are off", async ({
  host: { page },
}) => {
  const id = await makeGoal(page, { title: "Row the loch" });
  await page.goto("/my/goals");
  await alive(page);
  const create = page.getByRole("link", { name: "Create a Goal" });
  await create.focus();
  await page.keyboard.press("c");
  await create.blur();
  await expect(page).not.toHaveURL(/create=1/);
  await page.keyboard.press("c");
  await expect(field(page.getByRole("form", { name: "New goal" }), "title")).toBeFocused();

  await page.goto(`/my/goals/${id}`);
  await alive(page);
  await page.keyboard.press("l");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Start Progress" })).toBeVisible();

  await page.evaluate(() => localStorage.setItem("shortcuts", "off"));
  await page.reload();
  await alive(page);
  await page.keyboard.press("l");
  await page.goto("/my/goals");
  await alive(page);
  await page.keyboard.press("c");
  await expect(page).not.toHaveURL(/create=1/);
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
});

test("with reduced motion nothing moves", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? "", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto("/sessions/12");
  await alive(page);
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 50)
      .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 120)),
  );
  expect(moving).toEqual([]);
  await context.close();
});

test("forced colours keep the edges of buttons and fields, and 200 % zoom needs no sideways scroll", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    forcedColors: "active",
    // 1280 px at 200 % zoom.
    viewport: { width: 640, height: 450 },
  });
  const page = await context.newPage();
  for (const path of ["/", "/activities", "/sessions/12", "/my/goals", "/pricing", "/auth/register"]) {
    await page.goto(path);
    const found = await page.evaluate(() => ({
      isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      bare: [...document.querySelectorAll<HTMLElement>("main button[type=submit], main input.control")]
        .filter((control) => control.checkVisibility() && getComputedStyle(control).borderStyle === "none")
        .map((control) => control.outerHTML.slice(0, 120)),
    }));
    expect(found, path).toEqual({ isWide: false, bare: [] });
  }
  await context.close();
});
