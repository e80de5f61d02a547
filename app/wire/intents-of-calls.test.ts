import { expect, test } from "vitest";
import { intentOfCall } from "./intents-of-calls";
import { isKeptCall } from "./kept-calls";
import * as paths from "./paths";

test("R-71 R-93 every call that resumes after a sign-in has the intent of its act, and no other", () => {
  const calls = Object.values(paths);
  expect(calls.filter(isKeptCall).length).toBeGreaterThan(5);
  for (const call of calls)
    expect([call, intentOfCall(String(call)) !== undefined]).toEqual([call, isKeptCall(call)]);
});
