// The form of a new goal: its first amount.
import { expect, test } from "vitest";
import { newGoalForm } from "./goals";

const amountOf = (typed: Record<string, string>) => newGoalForm.parse({ title: "Walk", ...typed }).amount;

test("K-03 a new goal without an amount counts times, unless it has a duration or a distance and no unit", () => {
  // undefined: the default of 1.
  expect(amountOf({ amount: "" })).toBeUndefined();
  expect(amountOf({ amount: "", distance: "3" })).toBeNull();
  expect(amountOf({ amount: "", actionDuration: "20 minutes" })).toBeNull();
  expect(amountOf({ amount: "", distance: "3", unit: "hills" })).toBeUndefined();
  expect(amountOf({ amount: "2", distance: "3" })).toBe(2000);
});
