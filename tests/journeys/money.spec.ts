// Money in the browser: buying with the practice card, a declined card, plans up and down.

import type { Page } from "@playwright/test";
import { expect, expectQuiet, signUpQuickly, test, watchConsole } from "./fixtures";

async function typeCard(page: Page, number: string) {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expires").fill("12 / 30");
  await page.getByLabel("Security code").fill("123");
}

test("B-20 M-10 M-11 U-11 S-19 buy 10 tokens with the practice card; a declined one says so under the field", async ({
  page,
}) => {
  watchConsole(page);
  await signUpQuickly(page, "buyer");
  await page.goto("/tokens");
  await typeCard(page, "4000 0000 0000 0002");
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  await expect(page.getByText("Your card was declined.")).toBeVisible();
  await expect(page.getByText("There was an error when making the payment").first()).toBeVisible();
  await expect(page.getByLabel("Card number")).toHaveValue("4000 0000 0000 0002");
  await typeCard(page, "4000 0025 0000 3155");
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  await page.getByRole("button", { name: "Yes, confirm" }).click();
  await expect(page.getByText("Purchase successful!").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "You have 20" })).toBeVisible();
  // V-17: the pool asks for a nod.
  await page.getByRole("button", { name: "Buy more" }).click();
  await page.getByLabel("Give these tokens to the shared pool").check();
  await typeCard(page, "4242 4242 4242 4242");
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  await expect(
    page.getByText("Please acknowledge that you are purchasing tokens for the shared pool.").first(),
  ).toBeVisible();
  expectQuiet(page, [/CallError|declined/]);
});

test("B-02 B-17 R-09 M-08 M-09 V-14 V-15 U-13 subscribe to Basic, level up, cancel, resume", async ({
  page,
}) => {
  await signUpQuickly(page, "planner");
  await page.goto("/pricing");
  await page.getByRole("link", { name: "Subscribe to Basic" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Subscribe to Basic" }).click();
  await expect(dialog.getByText("Please check the box to save your payment method.").first()).toBeVisible();
  await expect(dialog.getByText("Please select a payment method.").first()).toBeVisible();
  await typeCard(page, "4242 4242 4242 4242");
  await dialog.getByLabel("Save this card for the renewals").check();
  await dialog.getByRole("button", { name: "Subscribe to Basic" }).click();
  await expect(page.getByText("Thank you! You have subscribed successfully.").first()).toBeVisible();
  await expect(dialog.getByText("You are already subscribed!")).toBeVisible();
  await dialog.getByRole("link", { name: "Level Up" }).click();
  await expect(dialog.getByRole("heading", { name: "Plus plan" })).toBeVisible();
  await dialog.getByRole("button", { name: "Level Up" }).click();
  await expect(dialog.getByText("You are already subscribed!")).toBeVisible();
  await page.goto("/account");
  await page.getByRole("button", { name: "Cancel subscription" }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel subscription" }).click();
  await expect(page.getByText(/stays usable until/)).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(/renews on/)).toBeVisible();
  // 10 welcome + 30 + 60
  await page.goto("/account/tokens");
  await expect(page.getByText("100 tokens left")).toBeVisible();
});
