// The pages of payments before hydration: plans, subscribing, buying, the account and the history.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { post, visit } from "#tests/support/visit";
import { CURRENCY, dollarText, PLANS, TOKEN_PACK } from "~/domain/payments/products";
import { instant } from "~/domain/time";
import { PRICES, tokensOf } from "~/domain/tokens";

const CARD = { number: "4242 4242 4242 4242", exp_month: 12, exp_year: 2040, cvc: "123" };

async function pay(user: TestUser, secret: string) {
  const paid = await callAs(user, "POST", "/practice/confirm", {
    client_secret: secret,
    card: CARD,
    save: 1,
  });
  expect(paid.status).toBe(200);
  return paid.body;
}
async function subscribe(user: TestUser, product: string) {
  const { body } = await callAs(user, "POST", `/api/subscriptions/create/${product}`, {});
  if (body.clientSecret) await pay(user, body.clientSecret);
  await callAs(user, "GET", "/api/subscribe");
  return body.subscription.id as number;
}
async function buy(user: TestUser, toPool: 0 | 1 = 0) {
  const { body } = await callAs(user, "GET", `/tokens/get-payment-intent?token_pool=${toPool}`);
  const { payment_intent } = await pay(user, body.client_secret);
  await callAs(user, "POST", "/tokens/purchase", { paymentIntent: payment_intent.id, token_pool: toPool });
  return payment_intent.id as string;
}

test("P-09 U-10 B-01 the three plans of the price table, each with a Subscribe dialog, and Pay As You Go links to tokens", async () => {
  const page = await visit(null, "/pricing");
  expect(page.status).toBe(200);
  expect(await page.texts("main h2")).toEqual(["Basic", "Plus", "Pay As You Go"]);
  expect(await page.texts("main section strong")).toEqual(["$4", "$8", "$10"]);
  expect(await page.links()).toMatchObject({
    "Subscribe to Basic": "/pricing?expand=goals_sub",
    "Subscribe to Plus": "/pricing?expand=goals_sessions_sub",
    "Buy tokens": "/tokens",
  });
  expect(await page.texts("dialog")).toEqual([]);
  // Every price, number and text comes from the table, on the page and over the wire, in dollars.
  expect(CURRENCY).toBe("usd");
  const shown = (await page.texts("main")).join(" ");
  const { products } = await dataOf(null, "/api/pricing");
  for (const plan of Object.values(PLANS)) {
    for (const word of [dollarText(plan.cents), plan.title, plan.blurb, ...plan.content])
      expect(shown).toContain(word);
    expect(plan.content[0]).toContain(String(tokensOf(plan.tokens)));
    const sold = products.find(({ name }: { name: string }) => name === plan.name);
    expect(sold).toMatchObject({ id: plan.id, title: plan.title });
    const dialog = await visit(null, `/pricing?expand=${plan.name}`);
    expect(await dialog.texts("dialog h2")).toEqual([`${plan.title} plan`]);
    expect((await dialog.texts("dialog")).join()).toContain(dollarText(plan.cents));
  }
  expect(shown).toContain(`${dollarText(TOKEN_PACK.cents)} per ${tokensOf(TOKEN_PACK.tokens)} tokens`);
  expect(await (await visit(null, "/pricing?expand=gold")).texts("dialog")).toEqual([]);
});

test("P-10 M-09 the subscribe page has the form, or a message for subscribers", async () => {
  const user = await makeUser();
  const page = await visit(user, "/subscribe?product=goals_sub");
  expect(await page.texts("main h1, main h2")).toEqual(["Subscribe", "Basic"]);
  expect(await page.texts("main section button")).toContain("Subscribe to Basic");
  expect((await page.all("main input")).map(({ attributes }) => attributes.autocomplete)).toEqual(
    expect.arrayContaining(["cc-number", "cc-exp", "cc-csc"]),
  );
  await subscribe(user, "goals_sub");
  const again = await visit(user, "/subscribe?product=goals_sub");
  expect((await again.texts("main section")).join()).toContain("You are already subscribed!");
  expect(await again.links()).toMatchObject({ "Level Up": "/pricing?expand=goals_sessions_sub" });
  const plus = await visit(user, "/subscribe?product=goals_sessions_sub");
  expect(await plus.texts("main section button")).toContain("Level Up");
  // Another card would not be charged, so none is offered.
  expect((await plus.texts("main section")).join()).toContain("The card of your plan is charged.");
  expect(await plus.all("main fieldset")).toEqual([]);
});

test("M-09 R-09 after an ordered downgrade the plan itself is offered to be kept, without a charge", async () => {
  const [user, bystander] = await makeUsers(2);
  await subscribe(user, "goals_sessions_sub");
  const formOf = async (who: TestUser, product = "goals_sessions_sub") => {
    const page = await visit(who, `/subscribe?product=${product}`);
    const text = (await page.texts("main section")).join();
    return {
      text,
      buttons: await page.texts("main section button"),
      links: await page.links("main section"),
    };
  };
  expect((await formOf(user)).text).toContain("You are already subscribed!");
  await subscribe(user, "goals_sub");
  const kept = await formOf(user);
  expect(kept.text).toMatch(/Keep Plus, and it renews on .* in place of Basic\./);
  expect(kept.text).not.toContain("A new period");
  expect(kept.text).not.toContain("The card of your plan is charged");
  expect(kept.buttons).toContain("Keep Plus");
  expect(kept.buttons).not.toContain("Level Up");
  const ordered = await formOf(user, "goals_sub");
  expect(ordered.text).toMatch(/You are already subscribed!.*Basic follows on /);
  expect(ordered.links).not.toHaveProperty("Level Up");
  await subscribe(bystander, "goals_sub");
  const upgrade = await formOf(bystander);
  expect(upgrade.text).toContain("A new period of 30 days starts now.");
  expect(upgrade.buttons).toContain("Level Up");

  // The button's call takes the downgrade back, and leaves period and tokens as they are.
  const before = await dataOf(user, "/api/subscribe");
  await subscribe(user, "goals_sessions_sub");
  const after = await dataOf(user, "/api/subscribe");
  expect(before.subscription.next_product).toBe("goals_sub");
  expect(after.subscription).toEqual({ ...before.subscription, next_product: null });
  expect((await formOf(user)).text).toContain("You are already subscribed!");
});

test("U-11 a first plan offers the saved card by brand and last digits", async () => {
  const user = await makeUser();
  await buy(user);
  const page = await visit(user, "/subscribe?product=goals_sessions_sub");
  expect((await page.texts("main fieldset label")).join()).toContain("Visa ending in 4242");
  expect((await page.texts("main section")).join()).not.toContain("The card of your plan");
});

test("P-11 tokens are bought and redeemed here, and #token-rates shows the price table", async () => {
  const page = await visit(await makeUser(), "/tokens");
  expect(await page.texts("main button")).toEqual(
    expect.arrayContaining(["Buy 10 tokens", "Redeem 500 tokens"]),
  );
  expect(await page.all("#token-rates")).toHaveLength(1);
  const rates = await page.texts("#token-rates tbody td");
  expect(rates).toEqual(Object.values(PRICES).map((price) => String(tokensOf(price))));
  expect((await page.texts("#token-rates")).join()).toContain("1 token buys 100 progress logs");
});

test("P-12 S-18 R-10 the account shows profile and subscription: active until cancelled, then resumable", async () => {
  const user = await makeUser();
  const slot = async () => {
    const page = await visit(user, "/account");
    expect(page.status).toBe(200);
    expect((await page.all("main input[disabled]")).map(({ attributes }) => attributes.value)).toEqual([
      user.username,
    ]);
    return {
      text: (await page.texts("#subscription")).join(),
      buttons: await page.texts("#subscription button"),
    };
  };
  expect((await slot()).text).toContain("You have no subscription.");
  const id = await subscribe(user, "goals_sub");
  const active = await slot();
  expect(active.text).toMatch(/Basic ?Active.*It renews on/);
  expect(active.buttons).toContain("Cancel subscription");
  expect(active.buttons).not.toContain("Resume");

  await post(user, "/account", { intent: "cancel-subscription", id: String(id) });
  const cancelled = await slot();
  expect(cancelled.text).toMatch(/Basic ?Cancelled.*You keep the plan until/);
  expect(cancelled.buttons).toEqual(["Resume"]);
  const said = (await dataOf(user, "/api/subscribe")).subscription;
  expect(said.end_date).toEqual(expect.any(String));
  // A paid period counts as subscribed: the form offers to resume it, without a card.
  const offer = await visit(user, "/subscribe?product=goals_sub");
  expect(await offer.texts("main section button")).toContain("Resume Basic");
  expect(await offer.texts("main fieldset")).toEqual([]);

  await post(user, "/account", { intent: "resume-subscription", product: "goals_sub" });
  expect((await slot()).text).toMatch(/Basic ?Active/);
});

/** The plan as a provider tells it that has moved its period on and waits for the payment. */
async function unpaidPlan(user: TestUser, status: "active" | "past_due") {
  const id = await subscribe(user, "goals_sub");
  const [row] = await db
    .update(schema.subscriptions)
    .set({ stripeSubStatus: status, periodStart: instant(0), periodEnd: instant(Date.now() - 1) })
    .where(eq(schema.subscriptions.id, id))
    .returning();
  await env.DB.prepare(
    "UPDATE practice_objects SET body = json_set(body, '$.status', ?, '$.isPeriodPaid', json('false')) WHERE id = ?",
  )
    .bind(status, row?.providerId)
    .run();
}

test("B-18 U-13 R-10 the account and the forms say that a renewal is being paid, and offer no plan", async () => {
  const user = await makeUser();
  await unpaidPlan(user, "active");
  const account = await visit(user, "/account");
  expect((await account.texts("#subscription")).join()).toMatch(
    /Basic ?Active.*payment for the next 30 days is under way/,
  );
  expect(await account.texts("#subscription button")).toContain("Cancel subscription");
  const own = await visit(user, "/subscribe?product=goals_sub");
  expect((await own.texts("main section")).join()).toContain("You are already subscribed!");
  expect(await own.texts("main section button")).toEqual([]);
  const other = await visit(user, "/pricing?expand=goals_sessions_sub");
  expect((await other.texts("dialog")).join()).toContain("You can change the plan after that");
  expect(await other.texts("dialog button")).not.toContain("Level Up");
});

test("B-18 U-13 R-10 the account says that a renewal was refused, and its form takes another card", async () => {
  const user = await makeUser();
  await unpaidPlan(user, "past_due");
  const account = await visit(user, "/account");
  expect((await account.texts("#subscription")).join()).toMatch(/Basic ?Payment failed/);
  expect(await account.texts("#subscription button")).not.toContain("Cancel subscription");
  expect(await account.links()).toMatchObject({
    "Pay now": "/subscribe?product=goals_sub",
    "Other plans": "/pricing",
  });
  const own = await visit(user, "/subscribe?product=goals_sub");
  expect((await own.texts("main section")).join()).toContain("The last payment for this plan failed.");
  expect(await own.texts("main section button")).toContain("Pay for Basic");
  expect((await own.texts("main fieldset")).join()).toContain("Save this card for the renewals");
  const other = await visit(user, "/pricing?expand=goals_sessions_sub");
  expect((await other.texts("dialog")).join()).toContain("Plus replaces it, and nothing more is charged");
  expect(await other.texts("dialog button")).toContain("Subscribe to Plus");
  expect((await other.texts("dialog fieldset")).join()).toContain("Visa ending in 4242");
  const { body } = await callAs(user, "POST", "/api/subscriptions/create/goals_sessions_sub", {});
  await pay(user, body.clientSecret);
  const plus = await visit(user, "/account");
  expect((await plus.texts("#subscription")).join()).toMatch(/Plus ?Active.*It renews on/);
});

test.each([
  ["active", "Cancel subscription"],
  ["past_due", "End subscription"],
] as const)(
  "B-17 U-13 the account ends an unpaid plan that is %s by “%s”, and the plans may be bought again",
  async (status, press) => {
    const user = await makeUser();
    await unpaidPlan(user, status);
    const before = await visit(user, "/account");
    expect(await before.texts("#subscription button")).toContain(press);
    expect((await before.texts("dialog")).join()).toContain("It ends now");
    const { id } = (await dataOf(user, "/api/subscribe")).subscription;
    await post(user, "/account", { intent: "cancel-subscription", id: String(id) });
    const after = await visit(user, "/account");
    expect((await after.texts("#subscription")).join()).toContain("You have no subscription.");
    const plans = await visit(user, "/subscribe?product=goals_sub");
    expect(await plans.texts("main section button")).toContain("Subscribe to Basic");
  },
);

test("B-20 every form with a price says that its payments are practice", async () => {
  const user = await makeUser();
  const NOTE = "No money moves here.";
  const dialog = async (product: string) =>
    (await (await visit(user, `/pricing?expand=${product}`)).texts("dialog")).join();
  expect(await dialog("goals_sub")).toContain(NOTE);
  const id = await subscribe(user, "goals_sub");
  expect(await dialog("goals_sessions_sub")).toContain(NOTE);
  await post(user, "/account", { intent: "cancel-subscription", id: String(id) });
  const resume = await dialog("goals_sub");
  expect(resume).toContain("Resume Basic");
  expect(resume).toContain(NOTE);
});

test("P-13 the history shows balance, credits, spending and receipts in plain words, and the menu links to it", async () => {
  const user = await makeUser({ tokens: 1000 });
  const [bought, given] = [await buy(user), await buy(user, 1)];
  await subscribe(user, "goals_sub");
  await callAs(user, "POST", "/api/notes", { title: "A note" });
  const page = await visit(user, "/account/tokens");
  const text = (await page.texts("main")).join(" ");
  expect(text).toContain("49.99 tokens left");
  expect(text).toMatch(/Subscription ?29.99 of 30 left ?For goals, logs and notes. Good until/);
  expect(await page.texts("tbody th")).toEqual(["A note"]);
  expect((await page.texts("tbody td")).at(-1)).toBe("−0.01");
  expect((await page.texts("#came-in li")).map((line) => /^(\D+)\+(\d\d)/.exec(line)?.slice(1))).toEqual([
    ["Subscription", "30"],
    ["Bought tokens", "10"],
    ["Welcome tokens", "10"],
  ]);
  const receipts = (await page.texts("#receipts li")).join(" ");
  for (const word of [bought, given, "10 tokens for the shared pool", "$10"])
    expect(receipts).toContain(word);
  expect(await page.links("header")).toMatchObject({ "My Tokens": "/account/tokens" });
  expect(await visit(null, "/account/tokens")).toMatchObject({
    status: 302,
    location: expect.stringContaining("auth=login"),
  });
});

test("M-13 the super admin's gift shows success or an error, and nobody else may give", async () => {
  const [admin, user] = [await makeUser({ roleId: 10 }), await makeUser()];
  const give = async (by: TestUser, amount: string) => {
    const page = await post(by, "/tokens", { intent: "add-free", amount });
    return (await page.texts("main")).join();
  };
  expect(await give(admin, "7")).toContain("Tokens successfully added");
  expect(await give(admin, "-7")).toContain("There was an error");
  expect(await give(user, "7")).not.toContain("Tokens successfully added");
  expect((await visit(user, "/tokens")).html).not.toContain("Add Free Tokens");
});

test("C-22 redeeming takes 500 from the pool: by call, and by the page's plain form", async () => {
  const [admin, one, two] = [
    await makeUser({ roleId: 10 }),
    await makeUser({ tokens: 0 }),
    await makeUser({ tokens: 0 }),
  ];
  await callAs(admin, "POST", "/tokens/tokens/add-free", { amount: 1000 });
  const redeemed = await callAs(one, "POST", "/tokens/tokens/redeem-available");
  expect(redeemed).toMatchObject({
    status: 200,
    body: { message: "500 tokens have been added to your account." },
  });
  const page = await post(two, "/tokens", { intent: "redeem" });
  expect((await page.texts("main")).join()).toContain("500 tokens have been added to your account.");
  for (const user of [one, two])
    expect((await callAs(user, "GET", "/get-user")).body.all_remaining_tokens).toBe(500);
  expect((await visit(one, "/tokens")).html).toContain("Your next chance is on");
});
