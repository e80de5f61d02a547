// Money in the browser: buying with the practice card, a declined card, plans up and down.
import type { Page } from "@playwright/test";
import {
  call,
  expect,
  expectQuiet,
  newPerson,
  signUpQuickly,
  test,
  waitForHydration,
  watchConsole,
} from "./fixtures";
import { makeGoal } from "./goals";

async function typeCard(page: Page, number: string) {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expires").fill("12 / 30");
  await page.getByLabel("Security code").fill("123");
}

test("B-20 M-10 M-11 M-12 U-11 S-19 the practice card buys 10 tokens, and a declined card shows its error under the field", {
  tag: "@main",
}, async ({ page }) => {
  watchConsole(page);
  await signUpQuickly(page, "buyer");
  await page.goto("/tokens");
  await waitForHydration(page);
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
  // The payment has a receiver already.
  await expect(page.getByLabel("Give these tokens to the shared pool")).toBeDisabled();
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

test("R-12 R-10 U-06 U-10 P-09 B-02 B-10 B-17 R-09 M-08 M-09 V-14 V-15 U-13 subscribe to Basic, join a session that needs more, upgrade and be in it, cancel, resume", {
  tag: "@main",
}, async ({ page, browser }) => {
  watchConsole(page);
  await signUpQuickly(page, "planner");
  const host = await newPerson(browser, "plan-host");
  const made = await call(host.page, "POST", "/challenge-events", {
    title: "A walk that costs a token",
    duration: 3600,
    is_manually_started: 1,
  });
  const { challenge_event: session } = await made.json();
  await host.context.close();
  // Spend the ten welcome tokens, which would pay for the seat.
  for (let n = 0; n < 10; n++) await makeGoal(page, { title: `Goal ${n}` });

  await page.goto("/pricing");
  await waitForHydration(page);
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
  await waitForHydration(page);
  await page.getByRole("button", { name: "Join" }).click();
  const outgrown = page.getByRole("dialog", { name: "You've outgrown your current subscription!" });
  await outgrown.getByRole("link", { name: "Level Up" }).click();
  await expect(page).toHaveURL(/\/pricing\?expand=goals_sessions_sub$/);
  const plus = page.getByRole("dialog", { name: "Plus plan" });
  // A card chosen or typed here would not be charged.
  await expect(plus.getByText("The card of your plan is charged.")).toBeVisible();
  await expect(plus.getByLabel(/Visa ending in 4242|Another card|Card number/)).toHaveCount(0);
  await plus.getByRole("button", { name: "Level Up" }).click();
  // The upgrade returns to the session and joins it without another press.
  await expect(page.getByText("You have successfully joined this session.")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/sessions/${session.id}`));
  await expect(page.getByRole("button", { name: "Join" })).toBeHidden();

  await page.goto("/account");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Cancel subscription" }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel subscription" }).click();
  await expect(page.getByText(/You keep the plan until/)).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(/renews on/)).toBeVisible();
  // 10 welcome, 30, 60; ten goals and one seat.
  await page.goto("/account/tokens");
  await expect(page.getByText("89 tokens left")).toBeVisible();
  expectQuiet(page, [/out of tokens/]);
});

test("M-11 C-26 R-09 a declined card shows its toast in the form of a plan, and Level Up waits for the card's bank", async ({
  page,
}) => {
  watchConsole(page);
  await signUpQuickly(page, "careful");
  await page.goto("/subscribe?product=goals_sub");
  await waitForHydration(page);
  const main = page.getByRole("main");
  await main.getByLabel("Save this card for the renewals").check();
  await typeCard(page, "4000 0000 0000 0002");
  await main.getByRole("button", { name: "Subscribe to Basic" }).click();
  await expect(page.getByText("Your card was declined.")).toBeVisible();
  await expect(page.getByText("There was an error when making the payment").first()).toBeVisible();
  await typeCard(page, "4000 0025 0000 3155");
  await main.getByRole("button", { name: "Subscribe to Basic" }).click();
  await page.getByRole("button", { name: "Yes, confirm" }).click();
  await expect(main.getByText("You are already subscribed!")).toBeVisible();

  await page.goto("/subscribe?product=goals_sessions_sub");
  await waitForHydration(page);
  await main.getByRole("button", { name: "Level Up" }).click();
  await expect(page.getByText("Your card requires confirmation. Please enter it below.")).toBeVisible();
  // Nothing has failed.
  await expect(page.getByText("There was an error when making the payment")).toHaveCount(0);
  await main.getByLabel("Save this card for the renewals").check();
  await typeCard(page, "4000 0025 0000 3155");
  await main.getByRole("button", { name: "Level Up" }).click();
  await page.getByRole("button", { name: "Yes, confirm" }).click();
  await expect(main.getByText("You are already subscribed!")).toBeVisible();
  // 10 welcome, 30, 60.
  await page.goto("/account/tokens");
  await expect(page.getByText("100 tokens left")).toBeVisible();
  expectQuiet(page, [/CallError|declined/]);
});

test("X-07 B-17 Resume after a lost answer and another cancellation renews the plan", async ({ page }) => {
  watchConsole(page);
  await signUpQuickly(page, "resumer");
  await page.goto("/subscribe?product=goals_sub");
  await waitForHydration(page);
  await typeCard(page, "4242 4242 4242 4242");
  await page.getByLabel("Save this card for the renewals").check();
  await page.getByRole("button", { name: "Subscribe to Basic" }).click();
  await expect(page.getByText("You are already subscribed!")).toBeVisible();
  const cancel = async () => expect((await call(page, "POST", "/api/subscriptions/cancel")).ok()).toBe(true);
  await cancel();
  await page.reload();
  await waitForHydration(page);
  const resume = page.getByRole("button", { name: "Resume Basic" });
  // The plan is resumed, but the answer is lost.
  await page.route(
    "**/api/subscriptions/create/*",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await resume.click();
  await expect(page.getByText("We could not reach the server.").first()).toBeVisible();
  await cancel();
  // The same plan again loads the page's data.
  const reloaded = page.waitForResponse(/\/subscribe\.data/);
  await page.getByRole("navigation", { name: "Plans" }).getByRole("link", { name: "Basic" }).click();
  await reloaded;
  await resume.click();
  await expect(page.getByText("You are already subscribed!")).toBeVisible();
  expectQuiet(page, [/CallError|Failed to load/]);
});
