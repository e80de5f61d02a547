// Confirming an email address and restoring the previous one, with the local mailbox.
import type { Page } from "@playwright/test";
import {
  alive,
  expect,
  expectQuiet,
  linkTo,
  newName,
  PASSWORD,
  signUp,
  test,
  watchConsole,
} from "./fixtures";

const banner = (page: Page) => page.getByRole("region", { name: "Email address" });

test("Q-01 Q-03 a new account sees the banner on every page, requests another mail, and confirms by its link", async ({
  page,
}) => {
  watchConsole(page);
  const username = await signUp(page, "unsure");
  const email = `${username}@example.com`;
  // Home welcomes the newcomer first.
  for (const path of ["/events", "/my/goals", "/sessions/10"]) {
    await page.goto(path);
    await expect(banner(page)).toContainText(
      `Please confirm your email address. We sent a link to ${email}.`,
    );
  }
  await alive(page);
  await banner(page).getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText(`We sent a link to ${email}.`, { exact: true })).toBeVisible();
  await page.goto(await linkTo(page, email, "confirm-email"));
  await page.getByRole("button", { name: "Confirm email address" }).click();
  await expect(page.getByText("Thank you. Your email address is confirmed.")).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  expectQuiet(page);
});

test("Q-02 Q-03 without JavaScript a used link offers a new one, and Send again answers on a page", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const email = `${await signUp(page, "plain")}@example.com`;
  await page.goto("/my/goals");
  await banner(page).getByRole("button", { name: "Send again" }).click();
  await expect(page.getByRole("main").getByText(`We sent a link to ${email}.`)).toBeVisible();
  const link = await linkTo(page, email, "confirm-email");
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm email address" }).click();
  await expect(page.getByText("Thank you. Your email address is confirmed.")).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await page.goto(link);
  await expect(page.getByText("This link has expired. We can send you a new one.")).toBeVisible();
  await context.close();
});

test("Q-03 Q-06 Change address leads to the profile, and This wasn't me restores the address", async ({
  page,
  browser,
}) => {
  const username = await signUp(page, "mover");
  const old = `${username}@example.com`;
  const now = `${newName("moved")}@example.com`;
  await page.goto("/events");
  await alive(page);
  await banner(page).getByRole("link", { name: "Change address" }).click();
  await page.getByRole("textbox", { name: "Email" }).fill(now);
  await page.locator("#profile").getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(banner(page)).toContainText(`We sent a link to ${now}.`);
  const elsewhere = await browser.newContext();
  const mail = await elsewhere.newPage();
  await mail.goto(await linkTo(page, old, "restore-email"));
  await mail.getByRole("button", { name: "This wasn’t me" }).click();
  await expect(
    mail.getByText(`The address of your account is ${old}, and every login was ended.`),
  ).toBeVisible();
  await page.goto("/account");
  await expect(page).toHaveURL(/auth=login/);
  await elsewhere.close();
});
