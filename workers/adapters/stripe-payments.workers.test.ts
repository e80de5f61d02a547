// The Stripe adapter against a stand-in with Stripe's response shapes, and real webhook signatures.
import { env } from "cloudflare:workers";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { DAY } from "~/domain/time";
import type { Env } from "../env";
import { createStripePayments, fetchFrom } from "./stripe-payments";

const SECRET = "whsec_test_secret";
const keys: Env = {
  ...(env as Env),
  STRIPE_SECRET_KEY: "sk_test_x",
  STRIPE_PUBLISHABLE_KEY: "pk_test_x",
  STRIPE_WEBHOOK_SECRET: SECRET,
};

type ProviderRequest = { method: string; path: string; body: URLSearchParams; key: string | null };
/** The part of Stripe that the adapter calls: `answers` by method and path. */
function standIn(answers: Record<string, (asked: ProviderRequest) => unknown>) {
  const asked: ProviderRequest[] = [];
  const fetchFn = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(String(input));
    const one: ProviderRequest = {
      method: init?.method ?? "GET",
      path: url.pathname,
      body: new URLSearchParams(String(init?.body ?? url.search)),
      key: new Headers(init?.headers).get("Idempotency-Key"),
    };
    asked.push(one);
    const answer = answers[`${one.method} ${one.path}`];
    const body = answer
      ? answer(one)
      : { error: { type: "invalid_request_error", code: "resource_missing", message: "No such thing" } };
    return new Response(JSON.stringify(body), {
      status: "error" in (body as object) ? ((body as { status?: number }).status ?? 404) : 200,
      headers: { "Content-Type": "application/json" },
    });
  }) as typeof fetch;
  return { payments: createStripePayments(keys, fetchFn), asked };
}

const start = 1_795_000_000;
const subscription = (over: object = {}) => ({
  id: "sub_1",
  object: "subscription",
  customer: "cus_1",
  status: "incomplete",
  cancel_at_period_end: false,
  items: {
    data: [
      {
        id: "si_1",
        current_period_start: start,
        current_period_end: start + (30 * DAY) / 1000,
        price: { id: "price_1", metadata: { plan: "goals_sub" } },
      },
    ],
  },
  latest_invoice: {
    id: "in_1",
    object: "invoice",
    status: "open",
    confirmation_secret: { client_secret: "pi_1_secret_2", type: "payment_intent" },
  },
  pending_setup_intent: null,
  ...over,
});

test("C-26 a subscription begins incomplete, with an idempotency key and the price of the product table", async () => {
  const { payments, asked } = standIn({
    "GET /v1/prices": () => ({ object: "list", data: [] }),
    "POST /v1/products": () => ({ id: "prod_1", object: "product" }),
    "POST /v1/prices": () => ({ id: "price_1", object: "price" }),
    "POST /v1/subscriptions": () => subscription(),
  });
  const begun = await payments.createSubscription({
    customer: "cus_1",
    product: "goals_sub",
    method: null,
    key: "k1",
  });
  expect(begun).toMatchObject({
    id: "sub_1",
    product: "goals_sub",
    status: "incomplete",
    isPeriodPaid: false,
    clientSecret: "pi_1_secret_2",
    secretType: "payment",
  });
  const price = asked.find((one) => one.path === "/v1/prices" && one.method === "POST");
  expect(Object.fromEntries(price?.body ?? [])).toMatchObject({
    unit_amount: "400",
    currency: "usd",
    "recurring[interval]": "day",
    "recurring[interval_count]": "30",
  });
  const created = asked.at(-1);
  expect(created?.key).toBe("subscription:k1");
  expect(created?.body.get("payment_behavior")).toBe("default_incomplete");
});

test("B-18 a period counts as paid only when Stripe says active and paid", async () => {
  const paid = { status: "active", latest_invoice: { status: "paid" } };
  for (const [over, isPeriodPaid] of [
    [paid, true],
    [{ ...paid, status: "past_due" }, false],
    [{ ...paid, latest_invoice: { status: "open" } }, false],
  ] as const) {
    const { payments } = standIn({ "GET /v1/subscriptions/sub_1": () => subscription(over) });
    expect(await payments.getSubscription("sub_1")).toMatchObject({
      isPeriodPaid,
      periodStart: start * 1000,
    });
  }
  expect(await standIn({}).payments.getSubscription("sub_gone")).toBeNull();
});

test("R-09 an upgrade begins a new period and credits the rest, and a downgrade changes only the next invoice", async () => {
  for (const [at, params] of [
    [
      "now",
      {
        "billing_cycle_anchor[type]": "now",
        proration_behavior: "always_invoice",
        payment_behavior: "pending_if_incomplete",
      },
    ],
    ["period-end", { proration_behavior: "none" }],
  ] as const) {
    const { payments, asked } = standIn({
      "GET /v1/subscriptions/sub_1": () => subscription({ status: "active" }),
      "GET /v1/prices": () => ({ object: "list", data: [{ id: "price_2" }] }),
      "POST /v1/subscriptions/sub_1": () => subscription({ status: "active" }),
    });
    await payments.changeProduct({ subscription: "sub_1", product: "goals_sessions_sub", at, key: "k" });
    const sent = Object.fromEntries(asked.at(-1)?.body ?? []);
    expect(sent).toMatchObject({ "items[0][id]": "si_1", "items[0][price]": "price_2", ...params });
    // The subscription's own card is charged, and stays its card whatever becomes of the change.
    expect(asked.filter(({ body }) => body.has("default_payment_method"))).toEqual([]);
  }
});

test("C-20 the received amount counts, not the requested, and a foreign purpose is no purchase", async () => {
  const intent = (over: object) => ({
    id: "pi_1",
    object: "payment_intent",
    client_secret: "s",
    customer: "cus_1",
    currency: "usd",
    amount: 1000,
    amount_received: 0,
    status: "requires_payment_method",
    metadata: { purpose: "tokens", to_pool: "0" },
    ...over,
  });
  const read = (over: object) =>
    standIn({ "GET /v1/payment_intents/pi_1": () => intent(over) }).payments.getPaymentIntent("pi_1");
  expect(await read({ status: "succeeded", amount_received: 400 })).toMatchObject({
    cents: 400,
    status: "succeeded",
    isPurchase: true,
  });
  expect(await read({ metadata: {} })).toMatchObject({ isPurchase: false });
  expect(await standIn({}).payments.getPaymentIntent("../customers/cus_2")).toBeNull();
});

test("U-11 a refused card throws the provider's sentence at its field", async () => {
  const { payments } = standIn({
    "POST /v1/payment_methods/pm_1/attach": () => ({
      status: 402,
      error: { type: "card_error", code: "card_declined", message: "Your card was declined." },
    }),
  });
  const refused = await payments.attachMethod({ customer: "cus_1", method: "pm_1" }).catch((e) => e);
  expect(refused).toMatchObject({ code: "INVALID", fields: { payment_method: ["Your card was declined."] } });
});

const event = (over: object = {}) =>
  JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "invoice.paid",
    created: start,
    data: { object: { object: "invoice", parent: { subscription_details: { subscription: "sub_1" } } } },
    ...over,
  });
const sign = (payload: string, secret = SECRET, timestamp = Math.floor(Date.now() / 1000)) =>
  new Stripe("sk_test_x", {
    httpClient: Stripe.createFetchHttpClient(),
  }).webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    timestamp,
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });

test("C-23 a signed event names the object to read", async () => {
  const { payments } = standIn({});
  const body = event();
  expect(await payments.readEvent(body, await sign(body))).toEqual({
    id: "evt_1",
    type: "invoice.paid",
    createdAt: start * 1000,
    subscription: "sub_1",
    paymentIntent: null,
  });
});

test("C-23 10,000 altered or forged signatures and bodies are all refused", async () => {
  const { payments } = standIn({});
  const body = event();
  const good = await sign(body);
  const forged = await sign(body, "whsec_another");
  const stale = await sign(body, SECRET, Math.floor(Date.now() / 1000) - 3600);
  for (const header of [forged, stale, "", "t=1,v1=00", good.replace("v1=", "v0=")])
    expect(await payments.readEvent(body, header)).toBeNull();
  let random = 42;
  const next = (below: number) => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return random % below;
  };
  const altered = (text: string) => {
    const at = next(text.length);
    const to = String.fromCharCode(33 + ((text.charCodeAt(at) - 33 + 1 + next(60)) % 90));
    return text.slice(0, at) + to + text.slice(at + 1);
  };
  let accepted = 0;
  for (let i = 0; i < 10_000; i += 100) {
    const results = await Promise.all(
      Array.from({ length: 100 }, async (_, k) => {
        // Every second attempt alters the body, the others the signature's hex; the scheme and the time are altered
        // too.
        const isBody = k % 2 === 0;
        const header = isBody
          ? good
          : `${good.slice(0, good.indexOf("v1=") + 3)}${altered(good.slice(good.indexOf("v1=") + 3))}`;
        return payments.readEvent(isBody ? altered(body) : body, header);
      }),
    );
    accepted += results.filter(Boolean).length;
  }
  expect(accepted).toBe(0);
});

test("ASVS 13.2.5 15.3.2 requests go to the provider's host only over https, and follow no redirect", async () => {
  const asked: [string, RequestInit["redirect"]][] = [];
  const fetchFn = (async (input: RequestInfo | URL, init?: RequestInit) => {
    asked.push([String(input), init?.redirect]);
    return new Response(null, { status: 307, headers: { Location: "https://evil.example/v1/customers" } });
  }) as typeof fetch;
  const payments = createStripePayments(keys, fetchFn);
  await expect(payments.listMethods("cus_1")).rejects.toThrow();
  expect(asked.length).toBeGreaterThan(0);
  for (const [url, redirect] of asked)
    expect([new URL(url).origin, redirect]).toEqual(["https://api.stripe.com", "manual"]);
  const before = asked.length;
  const provider = fetchFrom(null, fetchFn);
  for (const url of [
    "http://api.stripe.com/v1/prices",
    "https://evil.example/v1/prices",
    "https://api.stripe.com.evil.example/",
    "https://api.stripe.com@evil.example/",
    "https://api.stripe.com:8443/",
    "http://169.254.169.254/latest/meta-data",
  ])
    expect(() => provider(url), url).toThrow("No request may go to");
  const standIn = fetchFrom(new URL("http://127.0.0.1:12111"), fetchFn);
  expect(() => standIn("https://api.stripe.com/v1/prices")).toThrow("No request may go to");
  expect(asked).toHaveLength(before);
});
