// Tests of the key that a button's call holds until its answer.
import { expect, test } from "vitest";
import { CallError } from "./call-server";
import { holdKey } from "./held-key";

const refusal = (isAnswered: boolean) =>
  new CallError({
    message: "No.",
    error: "No.",
    error_code: "SERVER_ERROR",
    errors: ["No."],
    fields: {},
    ...(isAnswered ? { request_id: "a" } : {}),
  });

test("X-07 a call has the same key after each network failure, and another after an answer or for another request", async () => {
  const send = holdKey();
  const keys: string[] = [];
  const press = (request: object, failure: Error | null = null) =>
    send(request, async (key) => {
      keys.push(key);
      if (failure) throw failure;
    });
  const unanswered = refusal(false);
  const plan = { product: "goals_sub", method: "card" };
  await expect(press(plan, unanswered)).rejects.toBe(unanswered);
  await expect(press(plan, unanswered)).rejects.toBe(unanswered);
  await press(plan);
  expect(new Set(keys)).toHaveProperty("size", 1);

  const answered = refusal(true);
  await expect(press(plan, answered)).rejects.toBe(answered);
  await expect(press(plan, unanswered)).rejects.toBe(unanswered);
  await expect(press({ ...plan, method: "other" }, unanswered)).rejects.toBe(unanswered);
  expect(new Set(keys)).toHaveProperty("size", 4);
});
