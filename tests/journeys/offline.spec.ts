// Without a network, our offline page is shown; the requested page loads once the network is back.
import { expect, test } from "@playwright/test";
import { newPerson, waitForHydration } from "./fixtures";
import { makeGoal, readGoal } from "./goals";

test.use({ serviceWorkers: "allow" });

test("without a connection the offline page is shown, and it reloads when the connection is back", async ({
  page,
  context,
}) => {
  await page.goto("/books");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  await page.goto("/activities");
  await expect(page.getByRole("heading", { name: "The path is out of reach" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toHaveAttribute("href", /\/activities$/);
  await context.setOffline(false);
  // Without any press, the requested page loads.
  await expect(page.getByRole("heading", { name: "Activities", level: 1 })).toBeVisible();
});

test("S-16 ticks leave with a page that the service worker controls", async ({ browser }) => {
  const { page, context } = await newPerson(browser, "ticker", { serviceWorkers: "allow" });
  const titles = ["Matches", "Rope", "Lamp", "Tea"];
  const items = titles.map((title) => ({ uuid: title, title }));
  const id = await makeGoal(page, { title: "Pack", is_list: 1, items });
  await page.goto("/books");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  for (const [index, title] of titles.entries()) {
    await page.goto(`/my/goals/${id}`);
    await waitForHydration(page);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await page.getByRole("checkbox", { name: title }).check();
    await page.goto("/about");
    // From another page, so that nothing stored in this one is sent again.
    await expect
      .poll(async () => (await readGoal(page, id)).items.filter(({ x }) => x === 1).length)
      .toBe(index + 1);
  }
  await context.close();
});
