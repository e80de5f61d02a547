// /pricing and /subscribe over JSON, and plans by id.
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";

test("C-24 C-25 B-02 B-03 both answer the plans of the price table, to visitors too", async () => {
  for (const path of ["/api/pricing", "/api/subscribe"]) {
    const { status, body } = await callAs(null, "GET", path);
    expect(status).toBe(200);
    const text = JSON.stringify(body.serverData);
    for (const word of ["goals_sub", "goals_sessions_sub", "Basic", "Plus", "3x value"])
      expect(text).toContain(word);
  }
});

test("R-21 a plan is found by its name or id, another is NOT_FOUND", async () => {
  const user = await makeUser();
  const made = await callAs(user, "POST", "/api/subscriptions/create/1", {});
  expect(made.status).toBeLessThan(300);
  expect(JSON.stringify(made.body)).toContain("Basic");
  expect((await callAs(user, "POST", "/api/subscriptions/create/9", {})).body.error_code).toBe("NOT_FOUND");
});

test("B-11 all_remaining_tokens is a number with at most two decimals", async () => {
  const user = await makeUser({ tokens: 1007 });
  await callAs(user, "POST", "/api/notes", { title: "A note" });
  expect(
    (await callAs(user, "GET", "/get-user")).body.all_remaining_tokens ??
      (await callAs(user, "GET", "/get-user")).body.user.all_remaining_tokens,
  ).toBe(10.06);
});
