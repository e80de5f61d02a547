// The filter and the search of a list while they are typed.
import { expect, sidewaysOf, test, waitForHydration, widthOf } from "./fixtures";

test.describe("at 360 pixels", () => {
  test.use({ viewport: { width: 360, height: 800 } });

  test("U-31 U-32 M-32 a list is filtered and searched, and its address holds every choice", async ({
    page,
  }) => {
    await page.goto("/activities");
    await waitForHydration(page);
    await page.getByText("Filter", { exact: true }).click();
    await page.getByLabel("Find a filter").fill("zzz");
    await expect(page.getByText("Sorry, no matching options.")).toBeVisible();
    await page.getByLabel("Find a filter").fill("eas");
    await page.getByLabel("Easy").check();
    await expect(page).toHaveURL(/difficulty=3/);
    const search = page.getByRole("searchbox", { name: "Search activities", exact: true });
    const narrow = await widthOf(search);
    await search.click();
    await expect.poll(() => widthOf(search)).toBeGreaterThan(narrow);
    await search.fill("qqqqqq");
    await expect(page).toHaveURL(/q=qqqqqq/);
    await expect(page).toHaveURL(/difficulty=3/);
    await expect(page.getByText("No results. Try other words.")).toBeVisible();
    await page.getByRole("link", { name: "Clear" }).click();
    await expect(page).not.toHaveURL(/q=|difficulty=/);
    // The page that comes closes the menus of the one before.
    await expect(page.getByText("No results. Try other words.")).toBeHidden();
    await page.getByText("All Activities", { exact: true }).first().click();
    await expect(page.getByRole("link", { name: "All Groups", exact: true })).toBeVisible();
    await expect.poll(() => sidewaysOf(page)).toBeLessThanOrEqual(0);
  });
});

test("K-02 U-32 the search of the home page runs 350 ms after the last key", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/[?&]q=/.test(request.url())) asked.push(request.url());
  });
  await page.clock.install();
  await page.goto("/");
  await waitForHydration(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  const search = page.getByRole("searchbox", { name: "Search activities and sessions", exact: true });
  await search.fill("foc");
  await page.clock.runFor(300);
  // Each letter restarts the debounce.
  await search.fill("focu");
  await page.clock.runFor(349);
  expect(asked).toEqual([]);
  await page.clock.runFor(1);
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]).toMatch(/[?&]q=focu(&|$)/);
  await page.clock.resume();
  await expect(page).toHaveURL(/q=focu/);
});
