// The worker keeps what it calls of the libraries that it cuts down.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STRIPE_RESOURCES } from "./unused-server-code";

test("P4 the worker keeps the resources of Stripe that its adapter calls, and no others", () => {
  const adapter = readFileSync(join(import.meta.dirname, "../adapters/stripe-payments.ts"), "utf8");
  const called = [...adapter.matchAll(/\bstripe\s*\.\s*(\w+)\s*\./g)].map(([, name = ""]) => name);
  const resources = new Set(called.filter((name) => name !== "webhooks"));
  expect([...resources].map((name) => name.charAt(0).toUpperCase() + name.slice(1)).sort()).toEqual(
    STRIPE_RESOURCES,
  );
});
