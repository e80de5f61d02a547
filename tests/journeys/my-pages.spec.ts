// The My pages: notes by pointer and keyboard, and a text that will not be formatted.
import { ask, expect, expectQuiet, holdRequests, test, waitForHydration } from "./fixtures";
import { field, makeGoal, unfold } from "./goals";

type Notes = { serverData: { notes: [{ id: number }] } };

test("U-20 U-21 P-21 notes are created on top, edited by double-click and keyboard, and deleted after a confirmation", async ({
  host: { page },
}) => {
  await page.goto("/my/notes");
  await waitForHydration(page);
  await expect(page.getByText("You haven't created any notes yet.")).toBeVisible();
  const write = async (title: string) => {
    await page.getByRole("link", { name: "Create a Note" }).click();
    const form = page.getByRole("form", { name: "New note" });
    await field(form, "title").fill(title);
    await field(form, "todo").fill("Find the map\nOil the boots");
    await form.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("list", { name: "Notes" }).getByRole("article").first()).toContainText(title);
  };
  await write("First");
  await write("Second");
  const notes = page.getByRole("list", { name: "Notes" }).getByRole("article");
  await expect(notes).toHaveCount(2);
  await notes.first().dblclick();
  const edit = page.getByRole("form", { name: "Edit note" });
  await field(edit, "done").fill("Monday");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(notes.first()).toContainText("Monday");

  // Boxes of Todo and of the plan's Markdown move to Done by mouse and by key, and back.
  const second = notes.first();
  await second.getByRole("form", { name: "Todo" }).getByLabel("Find the map").press("Space");
  const done = second.getByRole("form", { name: "Done" });
  await expect(done.getByRole("checkbox")).toHaveCount(2);
  await expect(done.getByLabel("Find the map")).toBeChecked();
  await done.getByLabel("Monday").uncheck();
  await expect(second.getByRole("form", { name: "Todo" }).getByRole("checkbox")).toHaveCount(2);
  await second.getByRole("link", { name: "Edit note" }).click();
  await field(edit, "todo").fill("- [ ] Lamp");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(second.getByLabel("Lamp")).not.toBeChecked();
  const [{ id }] = (await ask<Notes>(page, "GET", "/api/my/notes")).serverData.notes;
  await ask(page, "PATCH", `/api/notes/${id}`, { content: "- [ ] Pack **all**\n- [x] Old" });
  await page.reload();
  await waitForHydration(page);
  await second.getByLabel("Pack **all**").check();
  await expect(done.getByLabel("Pack **all**")).toBeChecked();
  await expect(second.getByRole("listitem").filter({ hasText: "Old" }).getByRole("checkbox")).toBeDisabled();

  // Lines that are ticked while a request runs go with the next one.
  await ask(page, "PATCH", `/api/notes/${id}`, { todo: "Boots\nBread\nTea", done: "" });
  await page.reload();
  await waitForHydration(page);
  const release = await holdRequests(page, /\/my\/notes\.data/, "POST");
  const todo = second.getByRole("form", { name: "Todo" });
  for (const name of ["Boots", "Bread", "Tea"]) await todo.getByLabel(name).click();
  await expect(todo.getByLabel("Bread")).toBeChecked();
  await release();
  await expect(done.getByRole("checkbox")).toHaveCount(3);
  await expect(todo).toBeHidden();

  await notes.nth(1).locator("xpath=..").focus();
  await page.keyboard.press("Enter");
  await expect(edit).toBeVisible();
  await edit.getByRole("button", { name: "Cancel" }).click();
  await notes.nth(1).getByRole("button", { name: "Delete note" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("#toasts")).toContainText("The note was deleted.");
  await expect(notes).toHaveCount(1);
  await expect(notes.first()).toContainText("Second");

  // A half-written note survives leaving, with every field.
  const half = page.getByRole("form", { name: "New note" });
  await page.goto("/my/notes?create=1");
  await waitForHydration(page);
  await field(half, "title").fill("Half");
  await field(half, "todo").fill("the other half");
  await page.goto("/");
  await page.goto("/my/notes?create=1");
  await waitForHydration(page);
  await half.getByRole("button", { name: "Restore" }).click();
  await expect(field(half, "title")).toHaveValue("Half");
  await expect(field(half, "todo")).toHaveValue("the other half");
  expectQuiet(page);
});

test("D-01 while typing a log, its author sees the first line that will not be formatted", async ({
  host: { page },
}) => {
  const goal = await makeGoal(page, { title: "Long texts", action: "Write", unit: "lines", amount: 1 });
  const deep = `${"> ".repeat(40)}too deep`;
  await page.goto(`/my/goals/${goal}/logs`);
  await waitForHydration(page);
  await unfold(page, "Log by hand");
  const said = page.getByText("From line 2 on, this text is shown unformatted");
  await page.getByLabel("How did it go?").fill("Two good lines");
  await expect(said).toHaveCount(0);
  await page.getByLabel("How did it go?").fill(`First\n${deep}`);
  await expect(said).toBeVisible();
  await page.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByRole("listitem").getByText("too deep")).toBeVisible();
  // The notice disappears with the text of the accepted form.
  await expect(said).toHaveCount(0);
  await page.getByRole("link", { name: "Edit log" }).click();
  await expect(said).toBeVisible();
});

test("U-27 U-28 the arrows of a list lead to its next page and back, each from the top", async ({
  host: { page },
}) => {
  await page.setViewportSize({ width: 390, height: 500 });
  for (let n = 0; n < 13; n++) await ask(page, "POST", "/api/notes", { title: `Note ${n}` });
  await page.goto("/my/notes");
  await waitForHydration(page);
  const scrolled = () => page.evaluate(() => window.scrollY);
  const pages = page.getByRole("navigation", { name: "Pages" });
  for (const [arrow, query] of [
    ["Next page", "page=2"],
    ["Previous page", "page=1"],
  ] as const) {
    const link = pages.getByRole("link", { name: arrow });
    await link.scrollIntoViewIfNeeded();
    await expect.poll(scrolled).toBeGreaterThan(0);
    await link.click();
    await expect(page).toHaveURL(new RegExp(query));
    await expect.poll(scrolled).toBe(0);
  }
});
