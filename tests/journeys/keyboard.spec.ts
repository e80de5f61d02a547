// By keyboard alone: the skip link, announced headings, menus, and dialogs that trap and return the focus. Also
// system settings: reduced motion, forced colours, zoom.
import { expectFocusTrapped } from "./dialogs";
import {
  call,
  expect,
  expectQuiet,
  holdRequests,
  newName,
  newPerson,
  sidewaysOf,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";
import { field, makeGoal } from "./goals";

test("a visitor skips to the content, sees the focus everywhere, and gets it back on the opener of the sign-in dialog", async ({
  page,
}) => {
  await test.step("the first stop skips to the content, and navigation announces the page", async () => {
    watchConsole(page);
    await page.goto("/");
    await waitForHydration(page);
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

  await test.step("every focusable control shows the focus", async () => {
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

  await test.step("the sign-in dialog traps the focus, closes with Escape and returns it", async () => {
    await page.goto("/books");
    await waitForHydration(page);
    const opener = page.getByRole("banner").getByRole("link", { name: "Login" });
    const homeLink = page.getByRole("banner").getByRole("link").first();
    const before = await homeLink.boundingBox();
    await opener.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    // The page behind does not move.
    await expect.poll(() => homeLink.boundingBox()).toEqual(before);
    await expect(dialog.getByRole("tab", { name: "Login" })).toHaveAttribute("aria-selected", "true");
    await expectFocusTrapped(page, 20);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

test("Y-01 the slash opens the palette: arrow keys choose, Enter opens the best match, Escape returns the focus", async ({
  host,
}) => {
  const { page } = host;
  const word = newName("Quartz");
  const response = await call(host.page, "POST", "/challenge-events", {
    challenge: { title: `${word} hour`, duration: 3600, is_manually_started: 1, parts: [] },
  });
  const { path } = (await response.json()) as { path: string };
  await page.goto("/books");
  await waitForHydration(page);
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
  await expect(options.last()).toHaveId((await field.getAttribute("aria-activedescendant")) ?? "none");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press("/");
  await field.fill(word);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(page.getByRole("dialog")).toBeHidden();

  // Without a result Enter searches the lists, and the results have no welcome above them.
  await page.getByLabel("Search sessions and activities").first().click();
  await field.fill("zzqqzz");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/\?q=zzqqzz$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sessions and activities with “zzqqzz”");
});

test("Y-01 the text after the slash is not lost while the palette loads", async ({ host: { page } }) => {
  const release = await holdRequests(page, /\/palette-/);
  await page.goto("/my/goals");
  await waitForHydration(page);
  await page.keyboard.type("/cup");
  await release();
  const field = page.getByRole("combobox", { name: "Search everything" });
  await expect(field).toBeFocused();
  await page.keyboard.type("board");
  await expect(field).toHaveValue("cupboard");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("c");
  await expect(page.getByRole("form", { name: "New goal" })).toBeVisible();
});

test("U-09 the join-code dialog focuses its field, shows the error there, and returns the focus", async ({
  host,
  browser,
}) => {
  const response = await call(host.page, "POST", "/challenge-events", {
    challenge: {
      title: newName("Walk"),
      duration: 3600,
      is_manually_started: 1,
      join_code: "moss",
      parts: [],
    },
  });
  const { page, context } = await newPerson(browser, "keys");
  await page.goto((await response.json()).path);
  await waitForHydration(page);
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
  await expectFocusTrapped(page, 6);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(join).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(code).toBeFocused();
  await page.keyboard.type("moss");
  await page.keyboard.press("Enter");
  await expect(page.getByText("You have successfully joined this session.")).toBeVisible();
  await context.close();
});

test("U-24 menus and a dialog open and close by keyboard, and c and l open a goal and log", async ({
  host,
}) => {
  await test.step("the account menu", async () => {
    const { page, username } = host;
    await page.goto("/about");
    await waitForHydration(page);
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

  await test.step("Escape closes the dialog that a menu opened, and the menu stays", async () => {
    const { page } = host;
    const id = await makeGoal(page, { title: "Mend the net" });
    await page.goto(`/my/goals/${id}`);
    await waitForHydration(page);
    const opener = page.locator("main summary[aria-label=More]");
    const item = page.getByRole("main").getByRole("button", { name: "Delete", exact: true });
    await opener.focus();
    await page.keyboard.press("Enter");
    await expect(item).toBeVisible();
    await item.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog", { name: "Delete “Mend the net”?" });
    await expect(dialog).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => dialog.evaluate((it) => it.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.locator("dialog:modal")).toHaveCount(0);
    await expect(item).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(item).toBeHidden();
    await expect(opener).toBeFocused();
  });

  await test.step("c and l, except while a control has the focus or keys are off", async () => {
    const { page } = host;
    const id = await makeGoal(page, { title: "Row the loch" });
    await page.goto("/my/goals");
    await waitForHydration(page);
    const create = page.getByRole("link", { name: "Create a Goal" });
    await create.focus();
    await page.keyboard.press("c");
    await create.blur();
    await expect(page).not.toHaveURL(/create=1/);
    await page.keyboard.press("c");
    await expect(field(page.getByRole("form", { name: "New goal" }), "title")).toBeFocused();

    await page.goto(`/my/goals/${id}`);
    await waitForHydration(page);
    await page.keyboard.press("l");
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("button", { name: "Start Progress" })).toBeVisible();

    await page.evaluate(() => localStorage.setItem("shortcuts", "off"));
    await page.reload();
    await waitForHydration(page);
    await page.keyboard.press("l");
    await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
    await page.goto("/my/goals");
    await waitForHydration(page);
    await page.keyboard.press("c");
    await expect(page).not.toHaveURL(/create=1/);
    await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  });
});

test("with reduced motion nothing moves, forced colours keep edges, and 200 % zoom needs no sideways scroll", async ({
  browser,
  baseURL,
  host,
}) => {
  await test.step("reduced motion", async () => {
    const context = await browser.newContext({ baseURL: baseURL ?? "", reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto("/sessions/12");
    await waitForHydration(page);
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 50)
        .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 120)),
    );
    expect(moving).toEqual([]);
    await context.close();
  });

  await test.step("text of twice the size on a phone", async () => {
    await host.page.setViewportSize({ width: 390, height: 844 });
    await host.page.addInitScript(() =>
      addEventListener("DOMContentLoaded", () => {
        document.documentElement.style.fontSize = "200%";
      }),
    );
    for (const path of [
      "/",
      "/my/goals",
      "/my/logs",
      "/challenges/create",
      "/challenges/events/create",
      "/sessions/9",
      "/account/notifications",
    ]) {
      await host.page.goto(path);
      await waitForHydration(host.page);
      await expect.poll(() => sidewaysOf(host.page), path).toBe(0);
    }
  });

  await test.step("forced colours at 200 % zoom", async () => {
    const context = await browser.newContext({
      baseURL: baseURL ?? "",
      forcedColors: "active",
      // 1280 px at 200 % zoom.
      viewport: { width: 640, height: 450 },
    });
    const page = await context.newPage();
    for (const path of ["/", "/activities", "/sessions/12", "/my/goals", "/pricing", "/auth/register"]) {
      await page.goto(path);
      const defects = await page.evaluate(() => ({
        isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        bare: [...document.querySelectorAll<HTMLElement>("main button[type=submit], main input.control")]
          .filter((control) => control.checkVisibility() && getComputedStyle(control).borderStyle === "none")
          .map((control) => control.outerHTML.slice(0, 120)),
      }));
      expect(defects, path).toEqual({ isWide: false, bare: [] });
    }
    await context.close();
  });
});
