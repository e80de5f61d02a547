// Rules of a series in words, and from the fields of the form.
import { expect, test } from "vitest";
import { type RuleTyped, ruleOfTyped } from "./form";
import { describeRule, parseRule } from "./rule";

test("G-01 a monthly series names the weekday's place, from the fifth on the last", () => {
  const typed: RuleTyped = {
    every: "MONTHLY",
    monthly: "weekday",
    interval: "1",
    days: [],
    count: "",
    until: "",
    startedAt: "",
    timeZone: "UTC",
  };
  expect(ruleOfTyped(typed, "2026-11-26")).toBe("FREQ=MONTHLY;INTERVAL=1;BYDAY=4TH");
  expect(ruleOfTyped(typed, "2026-11-30")).toBe("FREQ=MONTHLY;INTERVAL=1;BYDAY=-1MO");
});

test("G-06 a rule names a place that is counted from the end", () => {
  const words = (text: string) => {
    const rule = parseRule(text);
    return rule && describeRule(rule, "2026-11-27T18:00", "UTC");
  };
  expect(words("FREQ=MONTHLY;BYDAY=-2FR")).toContain("second-to-last Friday");
  expect(words("FREQ=MONTHLY;BYDAY=-1FR")).toContain("the last Friday");
});
