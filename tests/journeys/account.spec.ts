// The account page, and its effects on other people and on the owner's other browsers.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import {
  alive,
  ask,
  call,
  expect,
  expectQuiet,
  newName,
  PASSWORD,
  signIn,
  test,
  watchConsole,
} from "./fixtures";
import { makeGoal } from "./goals";

const open = async (page: Page) => {
  await page.goto("/account");
  await alive(page);
};
const isSignedIn = async (page: Page) => (await page.request.get("/get-user")).status() === 200;

test("M-07 U-12 A-12 C-14 C-17 C-18 D-08 the profile is saved, a second person is added and used, and others see its name", async ({
  host: { page, username },
  browser,
  baseURL,
}) => {
  await open(page);
  const main = page.getByRole("main");
  const profile = main.locator("#profile");
  await expect(profile.getByLabel("Username")).toBeDisabled();
  await expect(profile.getByLabel("Username")).toHaveValue(username);
  await expect(profile.getByLabel("Current password")).toHaveCount(0);
  await profile.getByLabel("First name").fill("Ada");
  await profile.getByLabel("Last name").fill("Byron");
  await profile.getByLabel("Email").fill(`new-${username}@example.com`);
  await profile.getByLabel("Current password").fill("not the one");
  await profile.getByRole("button", { name: "Save profile" }).click();
  await expect(profile.getByLabel("Current password")).toHaveAccessibleDescription(
    /This is not your current password\./,
  );
  await profile.getByLabel("Current password").fill(PASSWORD);
  await profile.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Successfully updated profile.")).toBeVisible();

  const names = main.locator("#names");
  await names.getByLabel("New name").fill("morag");
  await names.getByRole("button", { name: "Add name" }).click();
  await expect(names.getByLabel("New name")).toHaveAccessibleDescription(/This username is taken\./);
  const penName = newName("pen");
  await names.getByLabel("New name").fill(penName);
  await names.getByRole("button", { name: "Add name" }).click();
  await expect(page.getByText(`You can act as ${penName} now.`)).toBeVisible();
  await names.getByRole("button", { name: `Act as ${penName}` }).click();
  await expect(page.getByText(`You act as ${penName} now.`)).toBeVisible();
  await expect(page.getByLabel(`Account menu of ${penName}`)).toBeVisible();

  await page.reload();
  for (const [label, value] of [
    ["Username", username],
    ["Email", `new-${username}@example.com`],
    ["First name", "Ada"],
    ["Last name", "Byron"],
  ] as const)
    await expect(profile.getByLabel(label)).toHaveValue(value);
  const rows = names.getByRole("list", { name: "Names" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "In use" })).toContainText(penName);

  // Others see the name of the person that wrote.
  await ask(page, "POST", "/items", { itemData: { title: "Under another name", status: 1 } });
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const visitor = await context.newPage();
  await visitor.goto(`/${penName}`);
  await expect(visitor.getByRole("heading", { name: "Under another name" })).toBeVisible();
  await visitor.goto(`/${username}`);
  await expect(visitor.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(visitor.getByText("Under another name")).toHaveCount(0);
  await signIn(visitor, { email: `new-${username}@example.com`, password: PASSWORD });
  await context.close();
  expectQuiet(page);
});

test("X-10 A-02 the list of logins ends one login, then all others, and a new password ends the rest", async ({
  host: { page, username },
  browser,
  baseURL,
}) => {
  const account = { email: `${username}@example.com`, password: PASSWORD };
  const contexts = await Promise.all(
    ["Firefox/140.0", "Edg/140.0 Chrome/140.0"].map((userAgent) =>
      browser.newContext({
        baseURL: baseURL ?? "",
        userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${userAgent}`,
      }),
    ),
  );
  const [fox, edge] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!fox || !edge) throw new Error("no browser");
  for (const other of [fox, edge]) {
    watchConsole(other);
    await signIn(other, account);
  }

  await open(page);
  const rows = page.getByRole("list", { name: "Logins" }).getByRole("listitem");
  await expect(rows).toHaveCount(3);
  const own = rows.filter({ hasText: "This browser" });
  await expect(own).toHaveCount(1);
  await expect(own.getByRole("button")).toHaveCount(0);
  await page.getByRole("button", { name: "Sign out Firefox on Linux" }).click();
  await expect(page.getByText("That login was ended.")).toBeVisible();
  await expect(rows).toHaveCount(2);
  expect([await isSignedIn(page), await isSignedIn(fox), await isSignedIn(edge)]).toEqual([
    true,
    false,
    true,
  ]);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.getByText("You are signed out everywhere else.")).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Sign out everywhere else" })).toHaveCount(0);
  await edge.goto("/account");
  await expect(edge.getByRole("dialog").getByRole("tab", { name: "Login" })).toBeVisible();

  await signIn(edge, account);
  const form = page.locator("#password");
  const change = async (current: string) => {
    await form.getByLabel("Current password").fill(current);
    await form.getByLabel("New password").fill("the long way round");
    await form.getByLabel("Confirm password").fill("the long way round");
    await form.getByRole("button", { name: "Change password" }).click();
  };
  await change("not the one");
  await expect(form.getByLabel("Current password")).toHaveAccessibleDescription(
    /This is not your current password\./,
  );
  await change(PASSWORD);
  await expect(page.getByText("Your password was changed.")).toBeVisible();
  await expect(form.getByLabel("New password")).toHaveValue("");
  await page.reload();
  await expect(rows).toHaveCount(1);
  expect([await isSignedIn(page), await isSignedIn(edge)]).toEqual([true, false]);
  expect((await call(edge, "POST", "/login", account)).status()).toBe(422);
  await signIn(edge, { ...account, password: "the long way round" });
  for (const context of contexts) await context.close();
  expectQuiet(page);
});

test("P-12 X-17 an account's data is downloaded by its owner alone, as a whole and as single tables", async ({
  host: { page, username },
  guest,
}) => {
  await makeGoal(page, { title: "Mend, the roof", unit: "tiles" });
  await ask(page, "POST", "/api/notes", { title: "=1+1", content: "Ask for a ladder" });
  await open(page);
  const download = async (who: Page, link: string) => {
    const [file] = await Promise.all([
      who.waitForEvent("download"),
      who.getByRole("link", { name: link }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const goals = await download(page, "Goals CSV");
  expect(goals.name).toMatch(new RegExp(`^bothy-${username}-.*goals.*\\.csv$`));
  expect(goals.text.trim().split("\r\n")).toHaveLength(2);
  expect(goals.text).toContain('"Mend, the roof"');
  // No spreadsheet runs it as a formula.
  expect((await download(page, "Notes CSV")).text).toContain("'=1+1");
  const whole = JSON.parse((await download(page, "Download everything (JSON)")).text);
  expect(whole.goals).toMatchObject([{ title: "Mend, the roof", unit: "tiles" }]);
  expect(whole.notes).toMatchObject([{ title: "=1+1", content: "Ask for a ladder" }]);

  await open(guest.page);
  const theirs = JSON.parse((await download(guest.page, "Download everything (JSON)")).text);
  expect([theirs.goals, theirs.notes]).toEqual([[], []]);
  for (const one of [page, guest.page]) expectQuiet(one);
});
