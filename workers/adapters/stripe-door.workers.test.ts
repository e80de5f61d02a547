// The webhook's door and the payment calls, with Stripe's keys set, against the stateful stand-in.
import { createExecutionContext } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { ORIGIN } from "#tests/support/ask";
import { makeUser, NOW } from "#tests/support/factories";
import { answerOutage, beginLife, STRIPE_KEYS, signedEvent } from "#tests/support/stripe/life";
import { signatureOf } from "#tests/support/stripe/stand-in";
import { DAY } from "~/domain/time";
import { customerOf, getPaymentIntent } from "~/use-cases/payments/purchases.server";
import { addPaymentMethod } from "~/use-cases/payments/subscriptions.server";
import type { Env } from "../env";
import { createHttp } from "../http";
import { createStripePayments } from "./stripe-payments";

afterEach(() => vi.unstubAllGlobals());

const http = createHttp(async () => new Response("a page"));

const askWithKeys = (over: Partial<Env>, path: string, init: RequestInit) =>
  http.fetch(new Request(`${ORIGIN}${path}`, init), { ...STRIPE_KEYS, ...over }, createExecutionContext());

const post = (body: string, signature: string, over: Partial<Env> = {}) =>
  askWithKeys(over, "/webhooks/stripe", { method: "POST", body, headers: { "Stripe-Signature": signature } });

test("C-23 the webhook credits a payment that the page never reported", async () => {
  const life = await beginLife();
  vi.stubGlobal("fetch", life.stripe.fetch);
  const { clientSecret } = await getPaymentIntent(await life.app(), { toPool: false });
  life.stripe.confirm(clientSecret, life.stripe.newCard("pays"));
  const paid = life.news().find(({ type }) => type === "payment_intent.succeeded");
  const { rawBody, signature } = await signedEvent(paid);
  for (let times = 0; times < 2; times++) {
    const answer = await post(rawBody, signature);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  }
  expect(await life.balance()).toBe(1000);
});

test("C-23 events of foreign products, without an object or of unknown kinds are accepted without an error", async () => {
  const life = await beginLife();
  vi.stubGlobal("fetch", life.stripe.fetch);
  const app = await life.app();
  if (app.user) life.stripe.foreignSubscription(await customerOf(app, app.user));
  const foreign = life.news().find(({ type }) => type === "customer.subscription.created");
  expect(foreign).toBeDefined();
  const events = [
    foreign,
    { id: "evt_a", object: "event", type: "ping", created: 1 },
    { id: "evt_b", object: "event", type: "invoice.paid", created: 1, data: {} },
    { id: "evt_c", object: "event", type: "invoice.paid", created: 1, data: { object: null } },
    {
      id: "evt_d",
      object: "event",
      type: "customer.created",
      created: 1,
      data: { object: { object: "customer", id: "cus_x" } },
    },
    {
      id: "evt_e",
      object: "event",
      type: "charge.refunded",
      created: 1,
      data: { object: { object: "charge", payment_intent: "pi_unknown" } },
    },
  ];
  for (const event of events) {
    const { rawBody, signature } = await signedEvent(event);
    expect((await post(rawBody, signature)).status, JSON.stringify(event)).toBe(200);
  }
  expect(await life.subscription()).toBeUndefined();
});

test("C-23 an empty or missing webhook secret accepts no event", async () => {
  const body = JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "ping",
    created: 1,
    data: { object: {} },
  });
  const empty = await signatureOf(body, " ", Math.floor(Date.now() / 1000));
  for (const STRIPE_WEBHOOK_SECRET of ["", undefined])
    for (const signature of [empty, await unkeyed(body)])
      expect((await post(body, signature, { STRIPE_WEBHOOK_SECRET })).status).toBe(403);
});

/** A signature with an empty secret: WebCrypto refuses empty STRIPE_KEYS, and 64 zero bytes are the same key. */
const unkeyed = (body: string) => signatureOf(body, "\0".repeat(64), Math.floor(Date.now() / 1000));

test("R-28 /practice/confirm is closed where Stripe's keys are set", async () => {
  const user = await makeUser();
  const confirm = (over: Partial<Env>) =>
    askWithKeys(over, "/practice/confirm", {
      method: "POST",
      body: JSON.stringify({
        client_secret: "pi_1_secret_1",
        card: { number: "4242424242424242", exp_month: 1, exp_year: 31, cvc: "123" },
      }),
      headers: {
        Cookie: `XSRF-TOKEN=test-xsrf-token-0123456789; login=${user.loginToken}`,
        Origin: ORIGIN,
        "X-XSRF-TOKEN": "test-xsrf-token-0123456789",
        "Content-Type": "application/json",
      },
    });
  expect(await (await confirm({})).json()).toMatchObject({
    error_code: "NOT_FOUND",
    message: "We could not find that.",
  });
  expect(await (await confirm({ STRIPE_SECRET_KEY: "" })).json()).toMatchObject({
    message: "We do not know this payment.",
  });
});

test("C-28 an unknown card is NOT_FOUND, and a used card INVALID at its field", async () => {
  const [life, other] = [await beginLife(), await beginLife()];
  const attach = async (method: string) =>
    addPaymentMethod(await life.app(), { method }).catch(({ code, fields, message }) => ({
      code,
      fields,
      message,
    }));
  for (const method of ["pm_unknown", "../customers", "card"])
    expect(await attach(method)).toMatchObject({ code: "NOT_FOUND", message: "We do not know this card." });
  const { clientSecret } = await getPaymentIntent(await life.app(), { toPool: false });
  const used = life.stripe.newCard("pays");
  life.stripe.confirm(clientSecret, used);
  expect(await attach(used)).toMatchObject({
    code: "INVALID",
    fields: { payment_method: ["This card cannot be used. Please choose another."] },
  });
  const [mine, theirs] = [await life.app(), await other.app()];
  const card = life.stripe.newCard("pays");
  if (theirs.user)
    await mine.payments.attachMethod({
      customer: await mine.payments.createCustomer({ id: theirs.user.id, email: "b@example.com" }),
      method: card,
    });
  expect(await attach(card)).toMatchObject({ code: "INVALID" });
});

test("C-19 a provider timeout ends in a sentence and a log line, without a second charge", async () => {
  const life = await beginLife();
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const silence = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    });
  const stalled = createStripePayments(STRIPE_KEYS, silence, 5);
  const down = createStripePayments(STRIPE_KEYS, async () => answerOutage());
  for (const payments of [stalled, down])
    await expect(
      getPaymentIntent({ ...(await life.app()), payments }, { toPool: false }),
    ).rejects.toMatchObject({
      code: "CONFLICT",
      message:
        "Our payment provider does not answer right now. Please try again in a moment: nothing is charged twice.",
    });
  expect(said.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
    { event: "provider-failed", call: "createCustomer" },
    { event: "provider-failed", call: "createCustomer" },
  ]);
  said.mockRestore();
});

test("X-07 the provider refuses the same key with another order, and accepts it again after 24 hours", async () => {
  const life = await beginLife();
  const app = await life.app();
  const customer = app.user ? await customerOf(app, app.user) : "";
  const order = (cents: number) =>
    app.payments.createPaymentIntent({ customer, cents, toPool: false, key: "k" });
  const first = await order(1000);
  expect((await order(1000)).id).toBe(first.id);
  await expect(order(2000)).rejects.toMatchObject({ code: "CONFLICT" });
  life.stripe.advance(NOW + 1.01 * DAY);
  expect((await order(2000)).id).not.toBe(first.id);
});
