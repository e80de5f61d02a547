// The main features as plain forms, without JavaScript.
import { call, expect, newName, PASSWORD, signUpQuickly, test } from "./fixtures";
import { makeGoal } from "./goals";
import { accounts } from "./pages";

test.use({ javaScriptEnabled: false });

test("M-03 a wrong password shows its error under the form, and the right one signs in and redirects", async ({
  page,
}) => {
  await page.goto("/account");
  await expect(page.getByLabel("Email", { exact: false }).first()).toBeVisible();
  await page.goto("/auth/login?next=/my/notes");
  await page.getByLabel("Email", { exact: false }).first().fill(accounts.member.email);
  await page.getByLabel("Password").first().fill("not this one at all");
  await page.locator("main").getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("These credentials do not match our records.").first()).toBeVisible();
  await expect(page.getByLabel("Email", { exact: false }).first()).toHaveValue(accounts.member.email);
  await page.getByLabel("Password").first().fill(accounts.member.password);
  await page.locator("main").getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/\/my\/notes$/);
});

test("joining with a code and a forum post", async ({ page, browser, baseURL }) => {
  const hosts = await browser.newContext({ baseURL: baseURL ?? "" });
  const host = await hosts.newPage();
  await signUpQuickly(host, "plain-host");
  const code = "two stones";
  const made = await call(host, "POST", "/challenge-events", {
    challenge: { title: newName("Walk"), duration: 3600, is_manually_started: 1, join_code: code, parts: [] },
  });
  expect(made.status(), await made.text()).toBe(201);
  const { path } = await made.json();
  await hosts.close();

  await signUpQuickly(page, "plain-guest");
  await page.goto(path);
  await page.getByLabel("Join Code").fill("one stone");
  await page
    .getByRole("button", { name: /^(Join|Continue)/ })
    .first()
    .click();
  await expect(page.locator("main")).toContainText(/code/i);
  await page.getByLabel("Join Code").fill(code);
  await page
    .getByRole("button", { name: /^(Join|Continue)/ })
    .first()
    .click();
  await expect(page.getByRole("button", { name: /Leave/ }).first()).toBeAttached();

  await page.goto(`${path}/hut`);
  const said = newName("Hello from the path");
  await page.locator('main textarea[name="content"]').first().fill(said);
  await page.locator("main").getByRole("button", { name: /^Post/ }).first().click();
  await expect(page.getByText(said)).toBeVisible();
});

test("search and page of a list are in the address", async ({ page }) => {
  await page.goto("/activities");
  const search = page.locator("main").getByRole("searchbox").first();
  await search.fill("tidy");
  await search.press("Enter");
  await expect(page).toHaveURL(/q=tidy/);
  await expect(page.locator("main")).toContainText("Twenty-minute tidy-up");
  await expect(page.locator("main")).not.toContainText("Focus rounds");
  await page.goto("/activities?page=2");
  await page
    .getByRole("link", { name: /Previous/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/activities(\?page=1)?$/);
});

test("a form deletes the user's own things", async ({ page }) => {
  await signUpQuickly(page, "plain-owner");
  const made = await call(page, "POST", "/challenges", {
    challenge: { title: newName("Sweep"), content: "", duration: 600 },
  });
  expect(made.status(), await made.text()).toBe(201);
  const { path } = await made.json();
  await page.goto(path);
  for (const summary of await page.locator("main details:not([open]) > summary").all()) await summary.click();
  await page
    .locator("main")
    .getByRole("button", { name: /Delete/ })
    .first()
    .click();
  const sure = page.getByRole("button", { name: /Delete/ }).last();
  if (new URL(page.url()).pathname === path && (await sure.count())) await sure.click();
  await expect(page).toHaveURL(/\/activities$/);
  expect((await page.request.get(path)).status()).toBe(404);
});

test("C-13 forms reset a password: the mail is requested, its link opened, the new password signs in", async ({
  page,
}) => {
  const username = await signUpQuickly(page, "plain-forgetful");
  await page.context().clearCookies();
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(`${username}@example.com`);
  await page.getByRole("button", { name: "Send Password Reset Link" }).click();
  await expect(page.getByText("We have sent a password reset link to your email.").first()).toBeVisible();
  const { mails } = (await (await page.request.get("/local/mailbox.json")).json()) as {
    mails: { recipient: string; text: string }[];
  };
  const mail = mails.find(({ recipient }) => recipient === `${username}@example.com`);
  await page.goto(/https?:\/\/\S+reset-password\S+/.exec(mail?.text ?? "")?.[0] ?? "");
  const main = page.getByRole("main");
  const reset = async (confirmation: string) => {
    await main.getByLabel("Email").fill(`${username}@example.com`);
    await main.getByLabel("New password").fill("the other way round");
    await main.getByLabel("Confirm password").fill(confirmation);
    await main.getByRole("button", { name: "Reset Password" }).click();
  };
  await reset("the other way");
  await expect(main.getByLabel("Confirm password")).toHaveAccessibleDescription(/does not match/);
  await expect(main.getByLabel("Email")).toHaveValue(`${username}@example.com`);
  await reset("the other way round");
  await expect(page.getByText("Your password was reset successfully!").first()).toBeVisible();
  await main.getByRole("link", { name: "Login" }).click();
  await main.getByLabel("Email").fill(`${username}@example.com`);
  await main.getByLabel("Password").first().fill("the other way round");
  await main.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/\/$/);
  expect((await page.request.get("/get-user")).status()).toBe(200);
});

test("forms follow an activity and join a hut", async ({ page }) => {
  await signUpQuickly(page, "plain-walker");
  await page.goto("/activities/focus-rounds");
  await page.getByRole("main").getByRole("button", { name: "Follow" }).first().click();
  await expect(page).toHaveURL(/\/activities\/focus-rounds/);
  await expect(page.getByText("You have successfully followed this activity.")).toBeVisible();
  await page.goto("/group/hill-folk");
  await page.getByRole("main").getByRole("button", { name: "Join Hut" }).first().click();
  await expect(page.getByText("You have successfully joined this hut.")).toBeVisible();
  await page.goto("/my/groups");
  await expect(page.getByRole("main").getByRole("link", { name: "Hill folk" })).toBeVisible();
});

test("U-28 a long list is read page by page, forward and back", async ({ page }) => {
  await signUpQuickly(page, "plain-reader");
  const goal = await makeGoal(page, { title: "Count sheep" });
  for (let n = 1; n <= 13; n++)
    await call(page, "POST", "/api/logs/store-quick-log", { goal_id: goal, title: `Sheep ${n}.` });
  await page.goto("/my/logs");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(pages.getByRole("link", { name: "Previous page" })).not.toHaveAttribute("href", /./);
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByText("Sheep 1.")).toBeVisible();
  await expect(pages.getByRole("link", { name: "Next page" })).not.toHaveAttribute("href", /./);
  await pages.getByRole("link", { name: "Previous page" }).click();
  await expect(page.getByText("Sheep 13.")).toBeVisible();
});

test("a form deletes an account, with its password alone", async ({ page }) => {
  await signUpQuickly(page, "plain-leaver");
  await page.goto("/account");
  await page.getByRole("main").getByText("Delete my account").first().click();
  const out = page.getByRole("main").getByRole("button", { name: "Delete my account" });
  await page.getByLabel("Your password").fill("not this one");
  await out.click();
  await expect(page.getByLabel("Your password")).toHaveAccessibleDescription(/password/i);
  expect((await page.request.get("/get-user")).status()).toBe(200);
  await page.getByLabel("Your password").fill(PASSWORD);
  await out.click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
  expect((await page.request.get("/get-user")).status()).toBe(401);
});

test("a form sends a chat line while the session runs", async ({ page }) => {
  await call(page, "POST", "/login", accounts.member);
  await page.goto("/sessions/12/chat");
  const said = newName("Tea at four");
  await page
    .locator("main")
    .getByRole("textbox", { name: /message/i })
    .fill(said);
  await page.locator("main").getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(said)).toBeVisible();
});
