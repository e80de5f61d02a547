// What is heard and what is never hidden: the tree that Chromium hands to screen readers, sentences that are read out as
// they come, and focus that stays in sight under bars that stay.
import type { Page } from "@playwright/test";
import { call, expect, test } from "./fixtures";
import { accounts } from "./pages";

const ready = (page: Page) => page.waitForFunction(() => "__remixRouteModules" in window);

/** Whether nothing is seen of what has the focus: its place and, of five points, what lies on top. */
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
  ["/challenges/focus-rounds/update", 60],
  ["/my/goals?create=1", 50],
  ["/account", 50],
  ["/pricing", 20],
  ["/challenges/events/create?activity=focus-rounds", 50],
];

test("on a phone nothing one tabs to lies wholly under the bars, forwards or backwards", async ({
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
    await ready(page);
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
