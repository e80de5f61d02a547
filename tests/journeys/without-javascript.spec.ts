// Everything that matters works as plain forms before, and without, JavaScript.
import { call, expect, newName, signUpQuickly, test } from "./fixtures";
import { accounts } from "./pages";

test.use({ javaScriptEnabled: false });

test("M-03 signing in: a wrong pair is told under the form, the right one leads on", async ({ page }) => {
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

test("search and pages of a list stand in the address", async ({ page }) => {
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

test("what is one's own is deleted by a form", async ({ page }) => {
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

test("a mail to reset a password is asked for by a form", async ({ page }) => {
  const username = await signUpQuickly(page, "plain-forgetful");
  await page.context().clearCookies();
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(`${username}@example.com`);
  await page.getByRole("button", { name: "Send Password Reset Link" }).click();
  await expect(page.getByText("We have sent a password reset link to your email.").first()).toBeVisible();
});

test("a line of chat is sent by a form while the session runs", async ({ page }) => {
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
