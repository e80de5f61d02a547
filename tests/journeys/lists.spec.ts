// Lists: filters, search, empty results, without JavaScript, at 360 and 1280 pixels.
import { alive, call, expect, newName, PASSWORD, signUpQuickly, test } from "./fixtures";

for (const width of [360, 1280])
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("U-31 U-32 M-32 a list is filtered and searched, and its address holds every choice", async ({
      page,
    }) => {
      await page.goto("/activities");
      await alive(page);
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
      await expect(page.getByText("No results. Try other words.")).toBeVisible();
      await page.getByRole("link", { name: "Clear" }).click();
      await expect(page).not.toHaveURL(/q=|difficulty=/);
      await page.getByText("All Activities", { exact: true }).first().click();
      await expect(page.getByRole("link", { name: "All Groups", exact: true })).toBeVisible();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    });
  });

test("K-02 U-32 the search of the home page runs 350 ms after the last key", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/[?&]q=/.test(request.url())) asked.push(request.url());
  });
  await page.clock.install();
  await page.goto("/");
  await alive(page);
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

test("U-27 U-28 U-30 a list corrects a typing mistake, opens page two, and shows My instead of All", async ({
  page,
}) => {
  await signUpQuickly(page, "lister");
  const word = newName("quern").replaceAll("-", "");
  const slugs: string[] = [];
  for (let i = 1; i <= 14; i++) {
    const answer = await call(page, "POST", "/challenges", { challenge: { title: `${word} number ${i}` } });
    slugs.push((await answer.json()).challenge.slug);
  }
  const shown = () =>
    page.getByRole("list", { name: "Activities", exact: true }).getByRole("heading").allTextContents();
  // Without its first letter, and with two letters swapped.
  await page.goto(`/activities?q=${word.slice(1)}`);
  await expect(page.getByText(`Showing results for ${word}.`)).toBeVisible();
  await page.goto(`/activities?q=uq${word.slice(2)}`);
  await expect(page.getByText(`Showing results for ${word}.`)).toBeVisible();
  expect(await shown()).toHaveLength(12);

  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect.poll(shown).toEqual([`${word} number 2`, `${word} number 1`]);
  await expect(page.getByRole("link", { name: "Next page" })).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("link", { name: "Previous page" }).click();
  await expect.poll(async () => (await shown()).length).toBe(12);
  // A page beyond the last says so and links back.
  await page.goto(`/activities?q=${word}&page=400`);
  await expect(page.getByText("No results. Try other words.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Previous page" })).toBeVisible();

  await call(page, "POST", `/challenges/${slugs[4]}/join`, {});
  await page.goto("/activities");
  await alive(page);
  await page.locator("main summary", { hasText: "All Activities" }).click();
  await page.getByRole("link", { name: "My Activities" }).click();
  await expect(page).toHaveURL(/joined=1/);
  await expect.poll(shown).toEqual([`${word} number 5`]);
  await expect(page.locator("main summary", { hasText: "My Activities" })).toBeVisible();
});

test("U-37 V-19 M-27 M-20 M-22 Follow and Join Hut on a card take a visitor through sign-in, act, and confirm", async ({
  page,
  host,
  guest,
}) => {
  const word = newName("larch").replaceAll("-", "");
  await call(host.page, "POST", "/challenges", { challenge: { title: `${word} activity` } });
  await call(host.page, "POST", "/groups/store", { hut: { title: `${word} hut` } });
  await page.goto(`/activities?q=${word}`);
  await alive(page);
  await page.getByRole("button", { name: `Follow: ${word} activity` }).click();
  await expect(page.getByText("Please sign in to use that feature.")).toBeVisible();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(`${guest.username}@example.com`);
  await dialog.getByLabel(/^Password/).fill(PASSWORD);
  await dialog.getByLabel(/^Password/).press("Enter");
  await expect(page.getByText("You have successfully followed this activity.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Follow/ })).toHaveCount(0);
  await expect(page).toHaveURL(`/activities?q=${word}`);

  await page.goto(`/groups?q=${word}`);
  await alive(page);
  await page.getByRole("button", { name: `Join Hut: ${word} hut` }).click();
  await expect(page.getByText("You have successfully joined this hut.")).toBeVisible();
  await expect(page.getByText("2 members")).toBeVisible();
});

test("a book is read snippet by snippet", async ({ page }) => {
  await page.goto("/books");
  await page.getByRole("link", { name: "The Book of Small Huts" }).click();
  await page.getByRole("link", { name: "Passage 1", exact: true }).click();
  await page.getByRole("link", { name: "Next passage" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /passage 2$/ })).toBeVisible();
  await page.goto("/about");
  await page.getByRole("link", { name: "Say it in your own words" }).click();
  await expect(page).toHaveURL(/\/books\/[^/]+\/snippets\/\d+#paraphrase$/);
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
