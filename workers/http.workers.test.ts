// The outermost layer: guards, codes, headers.
import { expect, test } from "vitest";
import { ask } from "#tests/support/ask";

test("R-27 the clock answers epoch milliseconds, uncached", async () => {
  const answer = await ask("/api/time");
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  const { now } = (await answer.json()) as { now: number };
  expect(now).toBeGreaterThan(1.7e12);
});

test("X-01 an unknown call answers NOT_FOUND in the one error shape", async () => {
  const answer = await ask("/api/nowhere");
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    error_code: "NOT_FOUND",
    errors: [expect.any(String)],
    fields: {},
  });
});

test("C-07 X-03 the CSRF cookie is readable and kept", async () => {
  const answer = await ask("/sanctum/csrf-cookie");
  expect(answer.status).toBe(204);
  const cookie = answer.headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^XSRF-TOKEN=[\w-]{20,}/);
  expect(cookie).not.toMatch(/HttpOnly/i);
});
