// Tests of a series' rule: in words, and read from the fields of its form.
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

test("G-06 a weekly rule names its days from Monday on, in whatever order it has them", () => {
  const words = (days: string) => {
    const rule = parseRule(`FREQ=WEEKLY;BYDAY=${days}`);
    return rule && describeRule(rule, "2026-11-27T18:00", "UTC");
  };
  const week = words("MO,TU,WE,TH,FR,SA,SU");
  expect(week).toContain("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday and Sunday");
  for (const days of ["SU,MO,TU,WE,TH,FR,SA", "SU,SA,FR,TH,WE,TU,MO", "WE,SU,MO,SA,TU,FR,TH"])
    expect(words(days)).toBe(week);
});

test("G-06 a rule names each day of the month", () => {
  const words = (day: number) => {
    const rule = parseRule(`FREQ=MONTHLY;BYMONTHDAY=${day}`);
    return rule && describeRule(rule, "2026-11-27T18:00", "UTC");
  };
  for (const [day, name] of [
    ...[
      [1, "1st"],
      [2, "2nd"],
      [3, "3rd"],
      [4, "4th"],
      [11, "11th"],
      [12, "12th"],
      [13, "13th"],
      [21, "21st"],
    ],
    ...[
      [22, "22nd"],
      [23, "23rd"],
      [24, "24th"],
      [31, "31st"],
      [-1, "last day"],
      [-2, "2nd-to-last day"],
    ],
  ] as const)
    expect(words(day), name).toContain(`the ${name}`);
});

test("G-06 a rule names a place that is counted from the end", () => {
  const words = (text: string) => {
    const rule = parseRule(text);
    return rule && describeRule(rule, "2026-11-27T18:00", "UTC");
  };
  expect(words("FREQ=MONTHLY;BYDAY=-2FR")).toContain("second-to-last Friday");
  expect(words("FREQ=MONTHLY;BYDAY=-1FR")).toContain("the last Friday");
});
