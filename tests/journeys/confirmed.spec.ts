// Confirming an address and getting one back, with the emails of the local mailbox.
import type { Page } from "@playwright/test";
import {
  alive,
  expect,
  expectQuiet,
  newName,
  newPerson,
  PASSWORD,
  signUpQuickly,
  test,
  watchConsole,
} from "./fixtures";

/** The newest link of that page in the emails to this address. */
async function linkTo(page: Page, email: string, path: string): Promise<string> {
  const find = async () => {
    const { mails } = (await (await page.request.get("/local/mailbox.json")).json()) as {
      mails: { recipient: string; text: string }[];
    };
    const link = new RegExp(`https?://\\S+/account/${path}\\S+`);
    return mails
      .filter(({ recipient }) => recipient === email)
      .map(({ text }) => link.exec(text)?.[0])
      .find(Boolean);
  };
  await expect.poll(find).toBeTruthy();
  return (await find()) ?? "";
}
const banner = (page: Page) => page.getByRole("region", { name: "Email address" });

test("Q-01 Q-03 a new account sees the banner on every page, asks again, and confirms by the email", async ({
  page,
}) => {
  watchConsole(page);
  const username = await signUpQuickly(page, "unsure");
  const email = `${username}@example.com`;
  for (const path of ["/", "/my/goals", "/sessions/10"]) {
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
  const { page, username } = await newPerson(browser, "plain", { javaScriptEnabled: false });
  await signUpQuickly(page, username);
  await page.goto("/my/goals");
  const [email = ""] = /\S+@example\.com/.exec((await banner(page).textContent()) ?? "") ?? [];
  await banner(page).getByRole("button", { name: "Send again" }).click();
  await expect(page.getByRole("main").getByText(`We sent a link to ${email}.`)).toBeVisible();
  const link = await linkTo(page, email, "confirm-email");
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm email address" }).click();
  await expect(page.getByText("Thank you. Your email address is confirmed.")).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await page.goto(link);
  await expect(page.getByText("This link has expired. We can send you a new one.")).toBeVisible();
});

test("Q-03 Q-06 Change address leads to the profile, and This wasn't me restores the address", async ({
  page,
  browser,
}) => {
  const username = await signUpQuickly(page, "mover");
  const old = `${username}@example.com`;
  const now = `${newName("moved")}@example.com`;
  await page.goto("/");
  await alive(page);
  await banner(page).getByRole("link", { name: "Change address" }).click();
  await page.getByLabel("Email", { exact: true }).fill(now);
  await page.getByLabel("Current password").first().fill(PASSWORD);
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(banner(page)).toContainText(`We sent a link to ${now}.`);
  const elsewhere = await browser.newContext();
  const mail = await elsewhere.newPage();
  await mail.goto(await linkTo(page, old, "restore-email"));
  await mail.getByRole("button", { name: "This wasn’t me" }).click();
  await expect(mail.getByText(`Your address is ${old} again, and every login was ended.`)).toBeVisible();
  await page.goto("/account");
  await expect(page).toHaveURL(/auth=login/);
  await elsewhere.close();
});
