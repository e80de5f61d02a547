// The browser's own forms, without JavaScript. Tests beside the routes check each form of each page.
import { call, expect, newName, signUpQuickly, test } from "./fixtures";

test.use({ javaScriptEnabled: false });

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
