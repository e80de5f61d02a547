// The choice of the payment provider.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { db, NOW } from "#tests/support/factories";
import { createPayments } from "./payments";

const choose = (over: object, isLocalRun: boolean) =>
  createPayments({ ...env, PRACTICE_PAYMENTS: "", ...over }, db, NOW, isLocalRun);

test("B-20 practice payments are those of a local run, or of a site that asks for them", () => {
  expect(choose({}, true).isPractice).toBe(true);
  expect(choose({ PRACTICE_PAYMENTS: "yes" }, false).isPractice).toBe(true);
  expect(choose({ PRACTICE_PAYMENTS: "yes", STRIPE_SECRET_KEY: "sk_test" }, false).isPractice).toBe(false);
  expect(choose({}, false)).toMatchObject({ isPractice: false, isUnavailable: true });
});

test("B-20 without a provider every purchase says that payments are not available, and the log names it", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const none = choose({}, false);
  const order = { customer: "", cents: 1000, toPool: false, key: "k" };
  for (const buy of [
    () => none.createCustomer({ id: 1, email: "a@cabins.dev" }),
    () => none.createPaymentIntent(order),
    () => none.attachMethod({ customer: "", method: "" }),
    () => none.createSubscription({ customer: "", product: "goals_sub", method: null, key: "k" }),
    () => none.changeProduct({ subscription: "s", product: "goals_sub", at: "now", key: "k" }),
  ])
    await expect(buy()).rejects.toMatchObject({
      code: "CONFLICT",
      message: "Payments are not available on this site.",
    });
  expect(said.mock.calls.map(([line]) => JSON.parse(String(line)).event)).toEqual(
    Array.from({ length: 5 }, () => "payments-unset"),
  );
  expect(await none.listMethods("")).toEqual([]);
  said.mockRestore();
});
