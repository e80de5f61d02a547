// Lists as people use them: filter, search, nothing found, without JavaScript, at 360 and 1280 pixels.
import { expect, test } from "@playwright/test";

for (const width of [360, 1280])
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("P-03 U-30 U-31 U-32 a list is filtered and searched, and all of it stands in the address", async ({
      page,
    }) => {
      await page.goto("/activities");
      await page.waitForLoadState("networkidle");
      await page.getByText("Filter", { exact: true }).click();
      await page.getByLabel("Find a filter").fill("zzz");
      await expect(page.getByText("Sorry, no matching options.")).toBeVisible();
      await page.getByLabel("Find a filter").fill("eas");
      await page.getByLabel("Easy").check();
      await expect(page).toHaveURL(/difficulty=3/);
      const search = page.getByRole("searchbox", { name: "Search activities", exact: true });
      const narrow = (await search.boundingBox())?.width ?? 0;
      await search.click();
      await expect.poll(async () => (await search.boundingBox())?.width).toBeGreaterThan(narrow);
      await search.fill("qqqqqq");
      await expect(page).toHaveURL(/q=qqqqqq/);
      await expect(page).toHaveURL(/difficulty=3/);
      await expect(page.getByText("Nothing fits. Try other words.")).toBeVisible();
      await page.getByRole("link", { name: "Clear" }).click();
      await expect(page).not.toHaveURL(/q=|difficulty=/);
      await page.getByText("All Activities", { exact: true }).first().click();
      await expect(page.getByRole("link", { name: "All Groups" })).toBeVisible();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    });
  });

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("U-31 U-32 the same forms filter and search", async ({ page }) => {
    await page.goto("/events");
    await page.getByText("Filter", { exact: true }).click();
    await page.getByLabel("Difficult", { exact: true }).check();
    await page.getByRole("searchbox", { name: "Search sessions", exact: true }).fill("qqqqqq");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page).toHaveURL(/q=qqqqqq.*difficulty=6/);
    await expect(
      page.getByText("We couldn't find any active sessions. Create a session using a template below!"),
    ).toBeVisible();
    await expect(page.getByRole("heading", { name: "Templates" })).toBeVisible();
  });
});
