// Tests of the key that a button's call holds until its answer.
import { afterEach, expect, test, vi } from "vitest";
import type { ErrorCode } from "~/domain/errors";
import { MINUTE } from "~/domain/time";
import { CallError } from "./call-server";
import { holdKey } from "./held-key";

const refusal = (error_code: ErrorCode, isAnswered = true) =>
  new CallError({
    message: "No.",
    error: "No.",
    error_code,
    errors: ["No."],
    fields: {},
    ...(isAnswered ? { request_id: "a" } : {}),
  });

afterEach(() => void vi.useRealTimers());

const plan = { product: "goals_sub", method: "card" };
const held = () => {
  const send = holdKey();
  const keys: string[] = [];
  const press = (request: object, failure: Error | null = null) =>
    send(request, async (key) => {
      keys.push(key);
      if (failure) throw failure;
    });
  return { keys, press };
};

test.each([
  ["a network failure", refusal("SERVER_ERROR", false)],
  ["an error of the server", refusal("SERVER_ERROR")],
  ["a timeout of the provider", refusal("CONFLICT")],
  ["too many requests", refusal("RATE_LIMITED")],
  ["an error of the browser", new TypeError("broken")],
])("X-07 a call keeps its key after %s until it succeeds", async (_, failure) => {
  const { keys, press } = held();
  await expect(press(plan, failure)).rejects.toBe(failure);
  await expect(press(plan, failure)).rejects.toBe(failure);
  await press(plan);
  expect(new Set(keys)).toHaveProperty("size", 1);
  await press(plan);
  expect(new Set(keys)).toHaveProperty("size", 2);
});

test("X-07 a call gets another key after a refused card or for another request", async () => {
  const { keys, press } = held();
  const declined = refusal("INVALID");
  await expect(press(plan, declined)).rejects.toBe(declined);
  const unanswered = refusal("SERVER_ERROR", false);
  await expect(press(plan, unanswered)).rejects.toBe(unanswered);
  await press({ ...plan, method: "other" });
  expect(new Set(keys)).toHaveProperty("size", 3);
});

test("X-07 a call gets another key after a minute, because the provider repeats its own failure under a key", async () => {
  vi.useFakeTimers();
  const { keys, press } = held();
  const failure = refusal("CONFLICT");
  await expect(press(plan, failure)).rejects.toBe(failure);
  vi.advanceTimersByTime(MINUTE - 1);
  await expect(press(plan, failure)).rejects.toBe(failure);
  vi.advanceTimersByTime(1);
  await press(plan);
  expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false]);
});
