// The accessibility tree as Chromium gives it to screen readers, live regions, and focus that no fixed bar covers.
import type { Page } from "@playwright/test";
import { call, expect, newName, newPerson, test, waitForHydration, widthOf } from "./fixtures";
import { accounts } from "./pages";

/** The focused element, if fixed bars hide it completely; tested by its box and five points. */
const hiddenFocus = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const here = document.activeElement;
    if (!(here instanceof HTMLElement) || here === document.body) return null;
    const seen = (element: Element) =>
      [...element.getClientRects()].some(({ left, right, top, bottom }) =>
        [
          [(left + right) / 2, (top + bottom) / 2],
          [left + 3, top + 3],
          [right - 3, top + 3],
          [left + 3, bottom - 3],
          [right - 3, bottom - 3],
        ].some(([x = 0, y = 0]) => {
          const above = document.elementFromPoint(x, y);
          return above !== null && (element.contains(above) || above.contains(element));
        }),
      );
    return seen(here) ? null : here.outerHTML.slice(0, 160);
  });

const LONG_PAGES: readonly [string, number][] = [
  ["/", 40],
  ["/events", 40],
  ["/activities/focus-rounds", 30],
  ["/sessions/12", 50],
  ["/group/hill-folk", 30],
  ["/challenges/focus-rounds/update", 45],
  ["/my/goals?create=1", 40],
  ["/account", 40],
  ["/pricing", 20],
  ["/challenges/events/create?activity=focus-rounds", 40],
];

test("on a phone Tab and Shift+Tab never focus anything completely under the bars", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    viewport: { width: 360, height: 640 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await call(page, "POST", "/login", accounts.host);
  const hidden: string[] = [];
  for (const [path, stops] of LONG_PAGES) {
    await page.goto(path);
    await waitForHydration(page);
    // The editor replaces its text area when it has loaded.
    if (path.endsWith("/update")) await page.locator(".ProseMirror").waitFor();
    for (const key of ["Tab", "Shift+Tab"])
      for (let stop = 0; stop < stops; stop += 1) {
        await page.keyboard.press(key);
        const what = await hiddenFocus(page);
        if (what) hidden.push(`${path} ${key} ${stop}: ${what}`);
      }
  }
  expect(hidden).toEqual([]);
  await context.close();
});

test("in a low window menus fit, bars scroll away, and the full-screen timer is still large", async ({
  host: { page },
}) => {
  await page.setViewportSize({ width: 640, height: 450 });
  await page.goto("/sessions/12");
  await waitForHydration(page);
  const menu = page.locator('summary[aria-label^="Account menu"]');
  await menu.click();
  await page.keyboard.press("ArrowUp");
  const last = page.getByRole("button", { name: "Logout" });
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");

  // 1280 × 1024 px at 400 % zoom.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.getByRole("button", { name: "Full screen" }).click();
  const numerals = page.getByRole("dialog").locator(".timer-face-numerals");
  await expect(numerals).toBeInViewport();
  await expect.poll(() => widthOf(numerals)).toBeGreaterThan(120);
  await page.keyboard.press("Escape");
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await expect(page.getByRole("banner")).not.toBeInViewport();
  const covered = await page.evaluate(() => {
    const bar = document.querySelector("nav[aria-label=Main]");
    return bar && getComputedStyle(bar).position === "fixed" ? bar.clientHeight / innerHeight : 0;
  });
  expect(covered).toBe(0);
});

type Look = { fill: string; words: string; line: string; hasPlate: boolean };
const lookOf = (page: Page, selector: string): Promise<Look> =>
  page
    .locator(selector)
    .filter({ visible: true })
    .first()
    .evaluate((element) => {
      const style = getComputedStyle(element);
      return {
        fill: style.backgroundColor,
        words: style.color,
        line: `${style.borderBottomWidth} ${style.borderBottomColor}`,
        hasPlate: style.getPropertyValue("forced-color-adjust") !== "none",
      };
    });

test("with forced colours a selected control differs from the others and is readable", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL: baseURL ?? "", forcedColors: "active" });
  const page = await context.newPage();
  await call(page, "POST", "/login", accounts.host);
  const expectFilled = async (chosen: string, other: string) => {
    const [one, two] = [await lookOf(page, chosen), await lookOf(page, other)];
    expect(one.fill, chosen).not.toBe(two.fill);
    expect(one.fill, chosen).not.toBe(one.words);
    // The browser puts a plate in the page's colour behind text, which would cover the fill.
    expect(one.hasPlate, chosen).toBe(false);
  };

  await page.goto("/my/goals");
  await expectFilled("nav a[aria-current].rounded-full", "nav a.rounded-full:not([aria-current])");
  await waitForHydration(page);
  await page.locator('summary[aria-label^="Account menu"]').click();
  await expectFilled("fieldset [aria-pressed=true]", "fieldset [aria-pressed=false]");

  await page.goto("/challenges/focus-rounds/update");
  await expectFilled("button.bg-ember", "button:not(.bg-ember, :disabled)");
  await page.locator(".ProseMirror").click();
  await page.keyboard.press("Control+b");
  await expectFilled(".editor-tool[aria-pressed=true]", ".editor-tool[aria-pressed=false]");

  await page.goto("/styleguide");
  await expectFilled(".switch:checked", ".switch:not(:checked)");

  await page.goto("/sessions/12");
  const tab = "nav[aria-label] a.border-b-3";
  expect((await lookOf(page, `${tab}[aria-current]`)).line).not.toBe(
    (await lookOf(page, `${tab}:not([aria-current])`)).line,
  );
  expect((await lookOf(page, `${tab}:not([aria-current])`)).line).toContain("rgba(0, 0, 0, 0)");
  await context.close();
});

type Heard = { role: string; name: string; live: string };
/** The accessibility tree. */
async function heardTree(page: Page): Promise<Heard[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties = [] }) => ({
      role: String(role?.value ?? ""),
      name: String(name?.value ?? ""),
      live: String(properties.find((property) => property.name === "live")?.value.value ?? ""),
    }));
}

test("chat is a live log, the timer is silent, and a toast enters a live region that existed before", async ({
  browser,
  host,
}) => {
  const made = await call(host.page, "POST", "/challenge-events", {
    challenge: { title: newName("Heard"), duration: 3600, started_at: new Date().toISOString() },
  });
  const { path } = await made.json();
  const { page, context } = await newPerson(browser, "listener");
  // Records for each toast whether its region existed before it, and for how long.
  await page.addInitScript(() => {
    const regions = new Map<Element, number>();
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element)) continue;
        for (const region of [node, ...node.querySelectorAll("*")].filter((one) =>
          one.matches("section[aria-live]"),
        ))
          regions.set(region, regions.get(region) ?? performance.now());
        const toast = node.closest("[data-sonner-toast]") ?? node.querySelector("[data-sonner-toast]");
        const region = toast?.closest("[aria-live=polite]");
        if (region)
          document.documentElement.dataset.stood ??= String(
            performance.now() - (regions.get(region) ?? Infinity),
          );
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(path);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await expect(page.locator("[data-sonner-toast]").first()).toBeVisible();
  expect(Number(await page.evaluate(() => document.documentElement.dataset.stood))).toBeGreaterThan(100);
  await expect(page.getByRole("log", { name: "Chat" })).toBeVisible();
  // Parts of the page may still be on their way.
  await expect(async () => {
    const tree = await heardTree(page);
    const find = (role: string) => tree.filter((node) => node.role === role);
    expect(find("log")).toEqual([{ role: "log", name: "Chat", live: "polite" }]);
    expect(find("timer").length).toBeGreaterThan(0);
    for (const timer of find("timer")) expect(timer.live).not.toMatch(/polite|assertive/);
    expect(tree.some(({ role, live }) => role === "status" && live === "polite")).toBe(true);
  }).toPass({ timeout: 20_000 });
  await context.close();
});
