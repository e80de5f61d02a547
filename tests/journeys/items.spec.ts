// Items: sorted by their handles, found as parents, collapsed when long.
import { alive, call, expect, expectQuiet, newName, signUpQuickly, test, watchConsole } from "./fixtures";
import { confirm } from "./sessions";

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
  await alive(page);
  const order = () => page.getByRole("list", { name: "Items" }).getByRole("heading").allTextContents();
  expect(await order()).toEqual(["First", "Second", "Third"]);
  const drag = async (from: { x: number; y: number; width: number; height: number } | null) => {
    const to = await page.getByRole("button", { name: "Drag Third" }).boundingBox();
    if (!from || !to) throw new Error("nothing to drag");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + to.height / 2, { steps: 12 });
    await page.mouse.move(to.x + 5, to.y + to.height, { steps: 4 });
    await page.mouse.up();
  };
  await drag(await page.getByRole("heading", { name: "First" }).boundingBox());
  expect(await order()).toEqual(["First", "Second", "Third"]);
  const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
  await drag(await page.getByRole("button", { name: "Drag First" }).boundingBox());
  await expect.poll(order).toEqual(["Second", "Third", "First"]);
  await saved;
  await page.reload();
  await alive(page);
  expect(await order()).toEqual(["Second", "Third", "First"]);

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
  await alive(page);
  const search = page.getByRole("searchbox", { name: "Search parents" });
  const found = () => page.getByRole("list", { name: "Parents" }).getByRole("link").allTextContents();
  await expect(search).toBeVisible();
  await search.fill("lNTrn");
  await expect.poll(found).toEqual([`${name}, hut`]);
  // By its title and its parents' titles.
  await search.fill("WALKS › c");
  await expect.poll(found).toEqual(["Long Walks › Cold Baths"]);
  await search.fill("zzzzz");
  await expect(page.getByText("Sorry, no matching options.")).toBeVisible();
  await search.fill("");
  expect(await found()).toContain("None");
  await search.fill("lantern");
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
  await expect(search).toBeHidden();
  await page.getByText("Go to a parent").click();
  await expect(search).toBeVisible();
});

test("U-50 a long item is collapsed to 300 px, and a short item has no Read More", async ({ page }) => {
  const username = await signUpQuickly(page, "teller");
  await make(page, { title: "Short", content: "A line.", status: 1 });
  await make(page, { title: "Long", content: "A line.\n\n".repeat(30), status: 1 });
  await page.context().clearCookies();
  await page.goto(`/${username}`);
  await alive(page);
  const rows = page.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 2 }) });
  const long = rows.filter({ hasText: "Long" });
  await expect(rows.filter({ hasText: "Short" }).getByRole("button")).toHaveCount(0);
  const height = async () => (await long.locator(".read-more").boundingBox())?.height ?? 0;
  const more = long.getByRole("button", { name: "Read More" });
  await expect(more).toHaveAttribute("aria-expanded", "false");
  expect(Math.round(await height())).toBe(300);
  await more.click();
  expect(await height()).toBeGreaterThan(600);
  await long.getByRole("button", { name: "Read Less" }).click();
  expect(Math.round(await height())).toBe(300);
});

test("U-48 U-51 S-20 A-11 D-09 C-91 to C-93 an item is written, published, moved, nested and deleted, and others see what is published", async ({
  host: { page, username },
  guest,
}) => {
  const second = await make(page, { title: "Second", status: 1 });
  await page.goto("/me");
  await alive(page);
  await page.getByRole("link", { name: "Create an Item" }).click();
  const form = page.getByRole("form", { name: "New item" });
  await form.getByLabel("Title").fill("First");
  await form.getByRole("button", { name: "Create" }).click();
  const board = page.getByRole("list", { name: "Items" });
  const order = () => board.getByRole("heading").allTextContents();
  await expect.poll(order).toEqual(["First", "Second"]);
  await expect(form).toHaveCount(0);

  // Others see the published items in the same order.
  const visitor = guest.page;
  const shown = () => visitor.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
  await visitor.goto(`/${username}`);
  expect(await shown()).toEqual(["Second"]);
  const published = page.waitForResponse((answer) => answer.request().method() === "POST");
  await board.getByRole("button", { name: "First: Unpublished" }).click();
  await expect(board.getByRole("button", { name: "First: Published" })).toBeVisible();
  await published;
  // The list moves at once, and others see it when it is saved.
  const moved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
  await board.getByRole("button", { name: "Move First down" }).click();
  await expect.poll(order).toEqual(["Second", "First"]);
  await expect(board.getByRole("button", { name: "Move First down" })).toBeFocused();
  await moved;
  await visitor.reload();
  await expect.poll(shown).toEqual(["Second", "First"]);
  await expect(visitor.getByRole("button", { name: /Published|Move|Delete/ })).toHaveCount(0);

  // A nested item leaves the list and appears on its parent's page.
  await board.getByRole("link", { name: "Edit First" }).click();
  const edit = page.getByRole("form", { name: "Edit First" });
  await edit.locator("summary").click();
  await edit.getByRole("radio", { name: "Second" }).check();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect.poll(order).toEqual(["Second"]);
  await board.getByRole("link", { name: "Second", exact: true }).click();
  await board.getByRole("link", { name: "First", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "First" })).toBeVisible();
  const path = new URL(page.url()).pathname;
  await expect(page.getByRole("main").getByRole("link", { name: "Second" }).first()).toHaveAttribute(
    "href",
    second.path,
  );
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(crumbs.getByRole("link", { name: username })).toHaveAttribute("href", `/${username}`);
  await visitor.goto(second.path);
  await visitor.getByRole("list", { name: "Items below" }).getByRole("link", { name: "First" }).click();
  await expect(visitor.getByRole("heading", { level: 1, name: "First" })).toBeVisible();
  await expect(visitor).toHaveURL(path);

  // Deleted on its own page, after a confirmation.
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("button", { name: "Delete First" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("form", { name: "Edit First" })).toBeVisible();
  await confirm(page, page.getByRole("button", { name: "Delete First" }), "Delete");
  await expect(page.getByText("The item was deleted.")).toBeVisible();
  await expect(page).toHaveURL(/\/me$/);
  await expect.poll(order).toEqual(["Second"]);
  expect((await visitor.reload())?.status()).toBe(404);
  for (const one of [page, visitor]) expectQuiet(one);
});
