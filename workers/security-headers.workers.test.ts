// The headers of every kind of answer, the address that takes reports, and GETs that write.
import { expect, test, vi } from "vitest";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";

const EXPECTED = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

test("X-03 every answer carries the security headers: pages, data, calls, errors, the clock, uploads", async () => {
  for (const path of [
    "/about",
    "/about.data",
    "/api/home",
    "/api/none",
    "/api/time",
    "/uploads/none.png",
    "/x/y/z",
  ]) {
    const answer = await ask(path);
    await answer.text();
    expect(Object.fromEntries(answer.headers), path).toMatchObject(EXPECTED);
  }
});

test("R-40 page data and JSON errors are kept by no cache", async () => {
  const user = await makeUser();
  for (const path of ["/my/goals.data", "/account.data", "/api/goals/999999", "/api/none"]) {
    const answer = await ask(path, { headers: { Cookie: `login=${user.loginToken}` } });
    await answer.text();
    expect(answer.headers.get("Cache-Control"), path).toContain("no-store");
  }
});

const report = (body: string, type = "application/csp-report") =>
  ask("/api/csp-reports", { method: "POST", headers: { "Content-Type": type }, body });

test("X-03 a browser's report needs neither login nor token, and its line holds no query", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const body = {
    "document-uri": `${ORIGIN}/reset-password?token=secret`,
    "blocked-uri": "https://evil.example/x?y",
  };
  const answer = await report(
    JSON.stringify({ "csp-report": { ...body, "effective-directive": "script-src" } }),
  );
  const lines = said.mock.calls.map(String);
  said.mockRestore();
  expect(answer.status).toBe(204);
  expect(lines).toEqual([
    JSON.stringify({
      event: "csp-report",
      directive: "script-src",
      page: `${ORIGIN}/reset-password`,
      blocked: "https://evil.example/x",
    }),
  ]);
  expect((await report("{}")).status).toBe(422);
  expect((await report("x", "text/plain")).status).toBe(415);
  expect((await report("x".repeat(17_000))).status).toBe(413);
});

test("X-03 a GET that writes is refused to another site's page, and answers a caller without the header", async () => {
  const user = await makeUser();
  for (const path of ["/tokens/get-payment-intent", "/challenges/none/prompt", "/challenges/none/stream"]) {
    const from = (headers: Record<string, string>) => callAs(user, "GET", path, undefined, headers);
    expect((await from({ "Sec-Fetch-Site": "cross-site" })).status, path).toBe(419);
    for (const headers of [{}, { "Sec-Fetch-Site": "same-origin" }])
      expect((await from(headers as Record<string, string>)).status, path).not.toBe(419);
  }
});

test("X-02 a bookmark of the database that is none is left aside", async () => {
  const user = await makeUser();
  const answer = await ask("/api/home", {
    headers: { Cookie: `login=${user.loginToken}; d1=first-primary'; DROP` },
  });
  expect(answer.status).toBe(200);
});
