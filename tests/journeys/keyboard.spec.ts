// By keyboard alone: skipping to the content, arriving at a heading that is announced, menus, dialogs that keep and give
// back the focus; and the looks people ask their system for: no motion, forced colours, twice the size.
import { expect, expectQuiet, test, watchConsole } from "./fixtures";

test("the first stop skips to the content; a page one goes to is announced and its heading has the focus", async ({
  page,
}) => {
  watchConsole(page);
  await page.goto("/");
  await page.waitForFunction(() => "__remixRouteModules" in window);
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

test("everything one tabs to shows where the focus is", async ({ page }) => {
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

test("the sign-in dialog keeps the focus inside, closes with Escape and gives it back", async ({ page }) => {
  await page.goto("/about");
  await page.waitForFunction(() => "__remixRouteModules" in window);
  const opener = page.getByRole("banner").getByRole("link", { name: "Login" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("tab", { name: "Login" })).toHaveAttribute("aria-selected", "true");
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press("Tab");
    const isOutside = await page.evaluate(() => {
      const here = document.activeElement;
      return here !== null && here !== document.body && !here.closest("dialog");
    });
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test("the account menu opens, moves and closes by keyboard", async ({ host }) => {
  const { page, username } = host;
  await page.goto("/about");
  await page.waitForFunction(() => "__remixRouteModules" in window);
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

test("nothing moves for who asks for less motion", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? "", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto("/sessions/12");
  await page.waitForFunction(() => "__remixRouteModules" in window);
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 50)
      .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 120)),
  );
  expect(moving).toEqual([]);
  await context.close();
});

test("forced colours keep buttons and fields with an edge; twice the size needs no sideways scroll", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    forcedColors: "active",
    // 1280 px at 200 %.
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
