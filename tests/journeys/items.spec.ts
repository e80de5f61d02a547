// Items: sorted by their handles, and found as parents.
import type { Locator } from "@playwright/test";
import {
  boxesOf,
  call,
  expect,
  expectQuiet,
  newName,
  signUpQuickly,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";

const make = async (page: Parameters<typeof call>[0], itemData: object) => {
  const answer = await call(page, "POST", "/items", { itemData });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).item as { id: number; path: string };
};

test("U-48 U-49 a row moves only by its handle, and its form counts any edit as a change", async ({
  page,
}) => {
  watchConsole(page);
  await signUpQuickly(page, "mover");
  for (const title of ["Third", "Second", "First"]) await make(page, { title });
  await page.goto("/me");
  await waitForHydration(page);
  const items = page.getByRole("list", { name: "Items" }).getByRole("heading");
  await expect(items).toHaveText(["First", "Second", "Third"]);
  const place = page.getByText("First is over place 3 of 3.");
  const drag = async (what: Locator, isMoved: boolean) => {
    const [from, to] = await boxesOf(page, [what, page.getByRole("button", { name: "Drag Third" })]);
    if (!from || !to) throw new Error("nothing to drag");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + to.height / 2, { steps: 12 });
    await page.mouse.move(to.x + 5, to.y + to.height, { steps: 4 });
    // A busy page draws the moves after they have ended.
    await expect(place).toHaveCount(isMoved ? 1 : 0);
    await page.mouse.up();
  };
  await drag(page.getByRole("heading", { name: "First" }), false);
  await expect(items).toHaveText(["First", "Second", "Third"]);
  const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
  await drag(page.getByRole("button", { name: "Drag First" }), true);
  await expect(items).toHaveText(["Second", "Third", "First"]);
  await saved;
  await page.reload();
  await waitForHydration(page);
  await expect(items).toHaveText(["Second", "Third", "First"]);

  await page.getByRole("link", { name: "Edit Second" }).click();
  const form = page.getByRole("form", { name: "Edit Second" });
  await expect(form).toBeVisible();
  await expect(form).not.toHaveAttribute("data-changed", /./);
  await form.getByLabel("Title").fill("Second of all");
  await expect(page.getByText("Changed, not saved yet.")).toBeVisible();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Second of all" })).toBeVisible();
  await expect(page.getByRole("form")).toHaveCount(0);
  expectQuiet(page);
});

test("U-52 U-54 M-32 parents are found by a few letters of any case, always shown on wide screens and collapsed on narrow ones", async ({
  page,
}) => {
  await signUpQuickly(page, "finder");
  const name = newName("Lantern Bearers");
  const made = await call(page, "POST", "/groups/store", { hut: { title: name } });
  const { hut } = await made.json();
  const above = await make(page, { title: "Long Walks", status: 1 });
  await make(page, { title: "Cold Baths", status: 1, parent_id: above.id });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/me");
  await waitForHydration(page);
  const search = page.getByRole("searchbox", { name: "Search parents" });
  const found = page.getByRole("list", { name: "Parents" }).getByRole("link");
  await expect(search).toBeVisible();
  await search.fill("lNTrn");
  await expect(found).toHaveText([`${name}, hut`]);
  // By its title and its parents' titles.
  await search.fill("WALKS › c");
  await expect(found).toHaveText(["Long Walks › Cold Baths"]);
  await search.fill("zzzzz");
  await expect(page.getByText("Sorry, no matching options.")).toBeVisible();
  await search.fill("");
  await expect(found.filter({ hasText: /^None$/ })).toHaveCount(1);
  await search.fill("lantern");
  await expect(found).toHaveText([`${name}, hut`]);
  await search.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/me/${hut.slug}$`));

  // A hut created from this form opens its own page.
  await page.getByRole("link", { name: "New hut" }).click();
  const other = newName("Made here");
  await page.getByLabel("Name of the hut").fill(other);
  await page.getByRole("button", { name: "Create hut" }).click();
  await expect(page.getByRole("heading", { level: 1, name: other })).toBeVisible();

  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/me");
  await waitForHydration(page);
  await expect(search).toBeHidden();
  await page.getByText("Go to a parent").click();
  await expect(search).toBeVisible();
});
