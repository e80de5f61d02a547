// Signing up and in through the modal, and forms around hydration.
import {
  expect,
  expectQuiet,
  holdRequests,
  newName,
  PASSWORD,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";

test("U-04 V-09 S-01 M-01 sign up through the modal marks wrong fields and keeps them, then signs in", {
  tag: "@main",
}, async ({ page }) => {
  watchConsole(page);
  // The page of prices has no script; its dialog has.
  await page.goto("/pricing");
  await page.getByRole("link", { name: "Login" }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await waitForHydration(page);
  await dialog
    .getByRole("tab", { name: "Register" })
    .or(dialog.getByRole("link", { name: "Register" }))
    .first()
    .click();
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  const username = newName("new");
  // The username first: only the sign-up form has the field, so the fill waits until that form is shown.
  await dialog.getByLabel("Username").fill("no spaces!");
  await dialog.getByLabel("Email", { exact: false }).fill("not-an-address");
  await dialog
    .getByLabel(/^Password/)
    .first()
    .fill(PASSWORD);
  await dialog.getByLabel(/Confirm/).fill("another");
  await dialog.getByRole("button", { name: "Register" }).click();
  await expect(dialog).toContainText("Value is not a valid email address");
  await expect(dialog).toContainText(
    "Your username can only contain letters, numbers, underscores, and dashes.",
  );
  await expect(dialog).toContainText("Your password does not match.");
  await expect(dialog.getByLabel("Username")).toHaveValue("no spaces!");
  for (const label of [/^Email/, /^Username/, /Confirm/])
    await expect(dialog.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
  expect(posts).toEqual([]);
  await dialog.getByLabel("Email", { exact: false }).fill(`${username}@example.com`);
  await dialog.getByLabel("Username").fill(username);
  await dialog
    .getByLabel(/^Password/)
    .first()
    .fill(PASSWORD);
  await dialog.getByLabel(/Confirm/).fill(PASSWORD);
  await dialog.getByRole("checkbox").check();
  // While the first request runs, a second press or Enter sends nothing.
  const release = await holdRequests(page, /./, "POST");
  const button = dialog.getByRole("button", { name: "Register" });
  await button.click();
  await expect.poll(() => posts.length).toBe(1);
  await button.dispatchEvent("click");
  await dialog.getByLabel("Username").press("Enter");
  await release();
  await expect(page.getByText("Thanks for registering!")).toBeVisible();
  expect(posts).toHaveLength(1);
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/pricing/);
  await expect(page.getByRole("link", { name: /10 tokens|Tokens.*10|10/ }).first()).toBeVisible();
  expectQuiet(page);
});

test("M-01 a form that hydrates after its answer leaves the toast to the next page", async ({ page }) => {
  watchConsole(page);
  const release = await holdRequests(page, /\/assets\/.*\.js/);
  await page.goto("/auth/register?next=/account", { waitUntil: "domcontentloaded" });
  // A native submit whose answer has set its cookies, while the next page is still on its way.
  const username = newName("swift");
  const answer = await page.request.post("/auth/register", {
    form: {
      intent: "register",
      next: "/account",
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
      passwordConfirmation: PASSWORD,
      terms: "on",
    },
    headers: { Origin: new URL(page.url()).origin },
    maxRedirects: 0,
  });
  expect(answer.headers().location).toBe("/account");
  await release();
  await waitForHydration(page, "main, footer");
  await page.goto("/account");
  await expect(page.getByRole("listitem").getByText("Thanks for registering!")).toBeVisible();
  expectQuiet(page);
});
