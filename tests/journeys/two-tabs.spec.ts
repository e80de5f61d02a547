// Two tabs of a browser in which another person signs in.
import { alive, ask, call, expect, expectQuiet, newPerson, PASSWORD, test } from "./fixtures";

test("R-58 a note typed for one person is not stored for the next, and the first tab learns of the change", async ({
  browser,
}) => {
  const ada = await newPerson(browser, "ada");
  const ben = await newPerson(browser, "ben");
  const { page } = ada;
  await page.goto("/my/notes?create=1");
  await alive(page);
  // The editor replaces the form's own text area, which a press would otherwise wait for.
  await page.locator("main .ProseMirror").click();
  await page.keyboard.type("Only for ada");

  const second = await ada.context.newPage();
  await second.goto("/");
  await alive(second, "header");
  await second.getByLabel(`Account menu of ${ada.username}`).click();
  await second.getByRole("button", { name: "Logout" }).click();
  await expect(second.getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page.getByText("You are signed out now.")).toBeVisible();
  await second.goto("/auth/login?next=/my/notes");
  await second.getByRole("textbox", { name: "Email" }).fill(`${ben.username}@example.com`);
  await second.locator("input[name=password]").fill(PASSWORD);
  await second.getByRole("button", { name: "Login" }).click();
  await second.waitForURL("**/my/notes");

  const notice = page.getByText(`You are signed in as ${ben.username} now.`).first();
  await expect(notice).toBeVisible();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Create" }).click();
  expect((await answered).status()).toBe(409);
  await expect(page.locator("main").getByText(`You are signed in as ${ben.username} now.`)).toBeVisible();
  await expect(page.locator("main")).toContainText("Only for ada");
  const { serverData } = await ask<{ serverData: { notes: unknown[] } }>(second, "GET", "/api/my/notes");
  expect(serverData.notes).toEqual([]);
  expect((await call(second, "GET", "/get-user")).ok()).toBe(true);

  await page.getByRole("link", { name: "Reload the page" }).click();
  await expect(page.getByLabel(`Account menu of ${ben.username}`)).toBeVisible();
  await expect(notice).toBeHidden();
  expectQuiet(page);
  await ada.context.close();
  await ben.context.close();
});
