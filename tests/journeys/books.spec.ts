// A book and its snippets, paraphrases and favourites.
import type { Page } from "@playwright/test";
import { alive, ask, expect, expectQuiet, newName, test } from "./fixtures";

const PASSAGE = "/books/the-book-of-small-huts/snippets/2";
const open = async (page: Page, path = PASSAGE) => {
  await page.goto(path);
  await alive(page);
};

test("C-44 C-45 C-47 P-22 D-10 a snippet is paraphrased, only the author edits the paraphrase, and snippet and item are marked as favourites", async ({
  host,
  guest,
}) => {
  const { page } = host;
  const title = newName("By the stove");
  await open(page);
  const form = page.getByRole("form", { name: "New paraphrase" });
  await form.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("textbox", { name: "In your own words" })).toHaveAccessibleDescription(/./);
  await form.getByLabel("Title").fill(title);
  const surface = form.getByRole("textbox", { name: "In your own words" });
  await expect(form.getByRole("button", { name: "Bold" })).toBeEnabled();
  await surface.click();
  await page.keyboard.type("A small house keeps warm.");
  await form.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Success!")).toBeVisible();
  const mine = page
    .getByRole("list", { name: "Paraphrases" })
    .getByRole("listitem")
    .filter({ hasText: title });
  await expect(mine).toContainText("A small house keeps warm.");
  await expect(form.getByLabel("Title")).toHaveValue("");

  await mine.getByRole("link", { name: "Edit your paraphrase" }).click();
  const edit = page.getByRole("form", { name: "Edit your paraphrase" });
  await edit.getByLabel("Title").fill(`${title}, late`);
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toHaveCount(0);

  const theirs = guest.page;
  await open(theirs);
  const seen = theirs
    .getByRole("list", { name: "Paraphrases" })
    .getByRole("listitem")
    .filter({ hasText: title });
  await expect(seen.getByRole("heading")).toHaveText(`${title}, late`);
  await expect(seen).toContainText(host.username);
  await expect(seen).toContainText("A small house keeps warm.");
  await expect(seen.getByRole("link", { name: "Edit your paraphrase" })).toHaveCount(0);

  // Favourites are per person, and a second press during the request sends nothing (C-06).
  const item = await ask<{ item: { path: string } }>(page, "POST", "/items", {
    itemData: { title, status: 1 },
  });
  for (const path of [PASSAGE, item.item.path]) {
    await open(theirs, path);
    const star = theirs.getByRole("button", { name: "Favourite" });
    await expect(star).toHaveAttribute("aria-pressed", "false");
    let sent = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await theirs.route("**/favorites", async (route) => {
      sent++;
      await held;
      await route.continue();
    });
    const answered = theirs.waitForResponse("**/favorites");
    await star.click();
    await expect(star).toHaveAttribute("aria-pressed", "true");
    await star.click();
    release();
    await answered;
    expect(sent).toBe(1);
    await theirs.unroute("**/favorites");
    await theirs.reload();
    await alive(theirs);
    await expect(star).toHaveAttribute("aria-pressed", "true");
  }
  await page.reload();
  await expect(page.getByRole("button", { name: "Favourite" })).toHaveAttribute("aria-pressed", "false");
  const cleared = theirs.waitForResponse("**/favorites");
  await theirs.getByRole("button", { name: "Favourite" }).click();
  expect((await cleared).status()).toBe(200);
  await theirs.reload();
  await expect(theirs.getByRole("button", { name: "Favourite" })).toHaveAttribute("aria-pressed", "false");
  for (const one of [page, theirs]) expectQuiet(one);
});
