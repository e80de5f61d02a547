// The call by which the outbox stores a log that was typed without a network.
import { expect, test } from "vitest";
import type { Reader } from "~/domain/numbers";
import { logCalls } from "~/wire/calls/logs";
import { queuedLogOf } from "./queued-log";

const goal = { id: 7, unit: "hills", title: "Walk" };
const reader = (unit: Reader["unit"]): Reader => ({ locale: "en-GB", unit });
/** The input of the call, as the server reads it. */
function storedLog(typed: Record<string, string>, unit: Reader["unit"]) {
  const queued = queuedLogOf(
    goal,
    "2026-11-30",
    reader(unit),
  )((name) => ({ status: "2", ...typed })[name] ?? "");
  if (typeof queued === "string") return queued;
  return logCalls.storeQuickLog.input.parse({
    params: {},
    query: {},
    body: JSON.parse(JSON.stringify(queued.body)),
  });
}

test.each([
  ["km", "1", 1_000_000],
  ["km", "0.5", 500_000],
  ["km", "42.195", 42_195_000],
  ["mi", "0.5", 804_672],
  ["mi", "3.107", 5_000_232],
] as const)(
  "H-07 W-05 in %s a typed distance of %s is stored as %i millimetres",
  (unit, distance, millimetres) => {
    expect(storedLog({ distance }, unit)).toMatchObject({ goalId: 7, distance: millimetres });
  },
);

test("W-05 a field without a value is not sent, and a field that cannot be read is named", () => {
  expect(storedLog({ amount: "2", title: "Up" }, "km")).toMatchObject({
    amount: 2000,
    distance: null,
    title: "Up",
  });
  expect(storedLog({ distance: "far" }, "km")).toBe("Please enter a number, such as 2.5.");
});
