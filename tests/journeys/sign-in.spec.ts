// Two-step sign-in, passkeys with Chromium's virtual authenticator, and the check of a login older than 15 minutes.
import type { Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { PORT } from "../playwright.config";
import {
  ask,
  expect,
  expectQuiet,
  holdRequests,
  newPerson,
  PASSWORD,
  test,
  waitForHydration,
} from "./fixtures";

/** Passkeys need a host name; all other requests use the address of the other journeys. */
const NAMED = `http://localhost:${PORT}`;

/** The check of this login is an hour old. */
const ageCheck = (page: Page) => ask(page, "POST", "/local/age-login");

/** The code of this step or, if that was used, of the next, so that it stays valid for at least half a minute. */
async function nextCode(secret: string, last: { step: number }): Promise<string> {
  const totp = new TOTP({ secret, algorithm: "SHA1", digits: 6, period: 30 });
  const stepAt = () => Math.floor(Date.now() / 30_000);
  await expect.poll(() => stepAt() + 1 > last.step, { timeout: 60_000 }).toBe(true);
  last.step = Math.max(stepAt(), last.step + 1);
  return totp.generate({ timestamp: last.step * 30_000 });
}

const code = (page: Page) => page.getByRole("textbox", { name: "Code" });
const main = (page: Page) => page.getByRole("main");

async function login(page: Page, username: string): Promise<void> {
  // One journey holds the scripts back, so the page does not end to load.
  await page.goto("/auth/login?next=/my/goals", { waitUntil: "domcontentloaded" });
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.com`);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
}

async function turnOn(page: Page, last: { step: number }): Promise<{ secret: string; codes: string[] }> {
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Turn on two-step sign-in" }).click();
  await expect(page.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  const secret = ((await main(page).locator("code").textContent()) ?? "").replaceAll(" ", "");
  await code(page).fill(await nextCode(secret, last));
  await page.getByRole("button", { name: "Turn on", exact: true }).click();
  const listed = page.getByRole("list", { name: "Recovery codes" });
  await expect(listed.getByRole("listitem")).toHaveCount(10);
  return { secret, codes: await listed.getByRole("listitem").allInnerTexts() };
}

test("Q-32 Q-33 Q-34 two-step sign-in is turned on, asks for a code, takes a recovery code, and is turned off", {
  tag: "@main",
}, async ({ browser }) => {
  const { page, context, username } = await newPerson(browser, "stepper");
  const last = { step: 0 };
  await page.goto("/account/security");
  await waitForHydration(page);
  const { secret, codes } = await turnOn(page, last);
  await page.reload();
  await expect(page.getByRole("list", { name: "Recovery codes" })).toHaveCount(0);

  await context.clearCookies();
  await login(page, username);
  await expect(code(page)).toBeFocused();
  await code(page).fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("This code is not right.").first()).toBeVisible();
  await code(page).fill(await nextCode(secret, last));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/my/goals");

  // In the dialog, with a recovery code.
  await context.clearCookies();
  await page.goto("/?auth=login");
  await waitForHydration(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Email" }).fill(`${username}@example.com`);
  await dialog.locator("input[name=password]").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Login" }).click();
  await dialog.getByRole("textbox", { name: "Code" }).fill(codes[0] ?? "");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toHaveCount(0);

  await page.goto("/account/security");
  await expect(main(page)).toContainText("You have 9 recovery codes left.");
  await page.getByRole("button", { name: "Turn off two-step sign-in" }).click();
  await expect(page.getByRole("button", { name: "Turn on two-step sign-in" })).toBeVisible();
  expectQuiet(page);
  await context.close();
});

test("Q-34 a login pressed before the scripts arrive keeps its second step and what is typed there while the page reloads its data", async ({
  browser,
}) => {
  const { page, context, username } = await newPerson(browser, "early");
  const last = { step: 0 };
  await page.goto("/account/security");
  await waitForHydration(page);
  const { secret } = await turnOn(page, last);

  await context.clearCookies();
  const release = await holdRequests(page, /\/assets\/.*\.js/);
  await login(page, username);
  await expect(code(page)).toBeVisible();
  const digits = await nextCode(secret, last);
  await code(page).fill(digits.slice(0, 3));
  await release();
  await waitForHydration(page, "main, footer");
  // The button is pressed once the page has reloaded its data, as it also does when it first sends the time zone.
  const dark = page.getByRole("group", { name: "Theme" }).getByRole("button", { name: "Dark" });
  await dark.click();
  await expect(dark).toHaveAttribute("aria-pressed", "true");
  await expect(code(page)).toHaveValue(digits.slice(0, 3));
  await code(page).press("End");
  await code(page).pressSequentially(digits.slice(3));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/my/goals");
  expectQuiet(page);
  await context.close();
});

test("Q-38 Q-39 by keyboard an old login opens the dialog, and the action runs after it", async ({
  browser,
}) => {
  const { page, context } = await newPerson(browser, "keys");
  await ageCheck(page);
  await page.goto("/account/security");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Turn on two-step sign-in" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Please confirm that it's you" });
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await page.keyboard.type("no such kettle");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("This is not your current password.").first()).toBeVisible();
  await dialog.getByLabel("Your password").fill(PASSWORD);
  // A press while the page reloads its data after the refusal is skipped (V-09).
  await expect(dialog.getByRole("button", { name: "Confirm", exact: true })).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("img", { name: "QR code of the key" })).toBeVisible();

  // Escape changes nothing.
  await ageCheck(page);
  await page.goto("/account");
  await waitForHydration(page);
  await page.getByText("Delete my account").first().click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/account$/);
  expectQuiet(page);
  await context.close();
});

test("Q-37 a passkey is added, signs in by itself, passes the check, and is removed", async ({ browser }) => {
  const { page, context } = await newPerson(browser, "keyring", { baseURL: NAMED });
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto("/account/security");
  await waitForHydration(page);
  await page.getByRole("textbox", { name: "Name of the new passkey" }).fill("My laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const listed = page.getByRole("list", { name: "Passkeys" });
  await expect(listed.getByRole("listitem")).toContainText(["My laptop"]);

  await context.clearCookies();
  await page.goto("/auth/login?next=/my/goals");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/my/goals");

  await ageCheck(page);
  await page.goto("/account/security");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Remove My laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Use a passkey" }).click();
  await expect(listed).toHaveCount(0);

  // The browser still has the passkey, and the server does not know it any more.
  await context.clearCookies();
  await page.goto("/?auth=login");
  await page.getByRole("dialog").getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("This passkey did not work. Please try again.").first()).toBeVisible();
  expectQuiet(page, [/This passkey did not work/]);
  await context.close();
});
