// Money in the browser: buying with the practice card, a declined card, plans up and down.

import type { Page } from "@playwright/test";
import { alive, call, expect, expectQuiet, newPerson, signUpQuickly, test, watchConsole } from "./fixtures";
import { makeGoal } from "./goals";

async function typeCard(page: Page, number: string) {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expires").fill("12 / 30");
  await page.getByLabel("Security code").fill("123");
}

test("B-20 M-10 M-11 M-12 U-11 S-19 the practice card buys 10 tokens, and a declined card shows its error under the field", async ({
  page,
}) => {
  watchConsole(page);
  await signUpQuickly(page, "buyer");
  await page.goto("/tokens");
  await alive(page);
  await typeCard(page, "4000 0000 0000 0002");
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  await expect(page.getByText("Your card was declined.")).toBeVisible();
  await expect(page.getByText("There was an error when making the payment").first()).toBeVisible();
  await expect(page.getByLabel("Card number")).toHaveValue("4000 0000 0000 0002");
  await typeCard(page, "4000 0025 0000 3155");
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  // The payment succeeds but recording it fails: the next press pays nothing and records it.
  await page.route("**/tokens/purchase", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Yes, confirm" }).click();
  await expect(page.getByText("There was an updating your account.").first()).toBeVisible();
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  await expect(page.getByText("Purchase successful!").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "You have 20" })).toBeVisible();
  // V-17: a purchase for the pool needs a confirmation.
  await page.getByRole("button", { name: "Buy more" }).click();
  await page.getByLabel("Give these tokens to the shared pool").check();
  await typeCard(page, "4242 4242 4242 4242");
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  await expect(
    page.getByText("Please acknowledge that you are purchasing tokens for the shared pool.").first(),
  ).toBeVisible();
  await page.getByLabel("I know that these tokens are for everybody").check();
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  await expect(page.getByText("10 tokens went to the shared pool. Thank you!")).toBeVisible();
  await page.goto("/account/tokens");
  await expect(page.getByText("20 tokens left")).toBeVisible();
  await expect(page.locator("#receipts").getByRole("listitem")).toHaveText([
    /^10 tokens for the shared pool\$10/,
    /^10 tokens\$10/,
  ]);
  expectQuiet(page, [/CallError|declined/]);
});

test("R-12 R-10 U-06 U-10 P-09 B-02 B-10 B-17 R-09 M-08 M-09 V-14 V-15 U-13 subscribe to Basic, join a session that needs more, upgrade and be in it, cancel, resume", async ({
  page,
  browser,
}) => {
  watchConsole(page);
  await signUpQuickly(page, "planner");
  const host = await newPerson(browser, "plan-host");
  const made = await call(host.page, "POST", "/challenge-events", {
    title: "A walk that costs a token",
    duration: 3600,
    manual_start: 1,
  });
  const { challenge_event: session } = await made.json();
  await host.context.close();
  // Spend the ten welcome tokens, which would pay for the seat.
  for (let n = 0; n < 10; n++) await makeGoal(page, { title: `Goal ${n}` });

  await page.goto("/pricing");
  await alive(page);
  await expect(page.getByRole("link", { name: "Buy tokens" })).toHaveAttribute("href", "/tokens");
  await page.getByRole("link", { name: "Subscribe to Basic" }).click();
  await expect(page).toHaveURL(/\?expand=goals_sub$/);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Subscribe to Basic" }).click();
  await expect(dialog.getByText("Please check the box to save your payment method.").first()).toBeVisible();
  await expect(dialog.getByText("Please select a payment method.").first()).toBeVisible();
  await typeCard(page, "4242 4242 4242 4242");
  await dialog.getByLabel("Save this card for the renewals").check();
  await dialog.getByRole("button", { name: "Subscribe to Basic" }).click();
  await expect(page.getByText("Thank you! You have subscribed successfully.").first()).toBeVisible();
  await expect(dialog.getByText("You are already subscribed!")).toBeVisible();

  await page.goto(`/sessions/${session.id}`);
  await alive(page);
  await page.getByRole("button", { name: "Join" }).click();
  const outgrown = page.getByRole("dialog", { name: "You've outgrown your current subscription!" });
  await outgrown.getByRole("link", { name: "Level Up" }).click();
  await expect(page).toHaveURL(/\/pricing\?expand=goals_sessions_sub$/);
  const plus = page.getByRole("dialog", { name: "Plus plan" });
  await expect(plus.getByLabel("Visa ending in 4242")).toBeChecked();
  await plus.getByRole("button", { name: "Level Up" }).click();
  // The upgrade returns to the session and joins it without another press.
  await expect(page.getByText("You have successfully joined this session.")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/sessions/${session.id}`));
  await expect(page.getByRole("button", { name: "Join" })).toBeHidden();

  await page.goto("/account");
  await alive(page);
  await page.getByRole("button", { name: "Cancel subscription" }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel subscription" }).click();
  await expect(page.getByText(/stays usable until/)).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(/renews on/)).toBeVisible();
  // 10 welcome, 30, 60; ten goals and one seat.
  await page.goto("/account/tokens");
  await expect(page.getByText("89 tokens left")).toBeVisible();
  expectQuiet(page, [/out of tokens/]);
});

test("A-03 C-21 C-22 B-15 M-13 M-14 R-12 a super admin fills the shared pool, and a person without tokens redeems 500 once and is led back", async ({
  superAdmin,
  host,
}) => {
  const admin = superAdmin.page;
  await admin.goto("/tokens");
  await alive(admin);
  const gift = admin.getByRole("main").locator("section", { hasText: "Add Free Tokens" });
  await gift.getByLabel("Amount").fill("0");
  await gift.getByRole("button", { name: "Add to the pool" }).click();
  await expect(gift.getByLabel("Amount")).toHaveAccessibleDescription(/above 0/);
  await gift.getByLabel("Amount").fill("500");
  await gift.getByRole("button", { name: "Add to the pool" }).click();
  await expect(admin.getByText("Tokens successfully added")).toBeVisible();

  const { page } = host;
  for (let n = 0; n < 10; n++) await makeGoal(page, { title: `Goal ${n}` });
  // A page left open does not know of the redemption on the other.
  const stale = await host.context.newPage();
  watchConsole(stale);
  await stale.goto("/tokens");
  await alive(stale);
  await expect(stale.getByText("Add Free Tokens")).toHaveCount(0);
  await expect(stale.getByText(/The shared pool holds [1-9]\d{2,}/)).toBeVisible();

  await page.goto("/my/goals?create=1");
  await alive(page);
  const form = page.getByRole("form", { name: "New goal" });
  await form.locator('[name="title"]').fill("One more than ten");
  await form.getByRole("button", { name: "Create goal" }).click();
  await page
    .getByRole("dialog", { name: "You're out of tokens" })
    .getByRole("link", { name: "Buy tokens" })
    .click();
  await page.getByRole("button", { name: "Redeem 500 tokens" }).click();
  await expect(page.getByText("500 tokens have been added to your account.")).toBeVisible();
  await expect(page.getByText("Goal created successfully!")).toBeVisible();
  await expect(page).toHaveURL(/\/my\/goals/);
  await expect(page.getByRole("list", { name: "Goals" })).toContainText("One more than ten");

  await stale.getByRole("button", { name: "Redeem 500 tokens" }).click();
  const REFUSED = /You have redeemed free tokens in the last 30 days\. Your next chance is on \w+day,? \d/;
  await expect(stale.getByText(REFUSED)).toBeVisible();
  await stale.reload();
  await expect(stale.getByText(/^Your next chance is on/)).toBeVisible();
  await expect(stale.getByRole("button", { name: "Redeem 500 tokens" })).toHaveCount(0);
  await page.goto("/account/tokens");
  await expect(page.getByText("499 tokens left")).toBeVisible();
  await expect(
    page.getByRole("listitem").filter({ hasText: "Redeemed from the shared pool" }).first(),
  ).toContainText("499 of 500 left");
  for (const one of [admin, page, stale]) expectQuiet(one, [/last 30 days/]);
});

test("U-11 V-14 B-20 M-08 a card saved with a purchase is offered for a plan, and a second card is saved beside it", async ({
  host: { page },
}) => {
  await page.goto("/tokens");
  await alive(page);
  await typeCard(page, "4242 4242 4242 4242");
  await page.getByLabel("Save this card").check();
  await page.getByRole("button", { name: "Buy 10 tokens" }).click();
  await expect(page.getByText("Purchase successful!").first()).toBeVisible();

  await page.goto("/subscribe?product=goals_sessions_sub");
  await alive(page);
  await expect(page.getByLabel("Visa ending in 4242")).toBeChecked();
  await expect(page.getByLabel("Card number")).toHaveCount(0);
  await page.getByLabel("Another card").check();
  await typeCard(page, "4000 0025 0000 3155");
  await page.getByRole("button", { name: "Subscribe to Plus" }).click();
  await expect(page.getByText("Please check the box to save your payment method.").first()).toBeVisible();
  await page.getByLabel("Save this card for the renewals").check();
  await page.getByRole("button", { name: "Subscribe to Plus" }).click();
  await page.getByRole("button", { name: "Yes, confirm" }).click();
  await expect(page.getByText("Thank you! You have subscribed successfully.")).toBeVisible();
  await page.goto("/account");
  await expect(page.locator("#subscription")).toContainText(/Plus\s*Active/);
  const cards = page.getByRole("list", { name: "Saved cards" }).getByRole("listitem");
  await expect(cards).toHaveCount(2);
  await expect(cards.filter({ hasText: "Visa ending in 3155" })).toHaveCount(1);
  await expect(cards.filter({ hasText: "Visa ending in 4242" })).toHaveCount(1);
  // 10 welcome, 10 bought, 60 of the plan.
  await expect(page.getByRole("link", { name: "80 tokens" })).toBeVisible();
  expectQuiet(page);
});
