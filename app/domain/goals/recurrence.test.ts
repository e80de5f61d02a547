// Recurring goals: the target and progress of the current period.
import { expect, test } from "vitest";
import type { Day } from "~/domain/days";
import type { Recurrence } from "./goals";
import {
  type DayTotals,
  describeRecurrence,
  isDoneOn,
  isDueOn,
  periodProgress,
  requiredTimesOf,
  totalsOn,
} from "./recurrence";

const MONDAY: Day = "2026-11-16";
const NOTHING_ASKED = {
  amount: null,
  distance: null,
  duration: null,
  actionDuration: null,
  completionsRequired: 1,
};
const day = (day: Day, over: Partial<DayTotals> = {}): DayTotals => ({
  day,
  amount: 0,
  duration: 0,
  distance: 0,
  logs: 0,
  isSkipped: false,
  ...over,
});
const progressOn = (goal: Parameters<typeof isDoneOn>[0], totals: DayTotals | undefined): number =>
  periodProgress({ ...goal, recurrence: { every: "day" } }, totals ? [totals] : [], MONDAY).done;
const weekly = (times: number): Extract<Recurrence, { every: "week" }> => ({ every: "week", times });
const WEEKDAYS: Recurrence = { every: "weekdays", weekdays: [1, 3] };

test("X-17 any log completes a goal without a measurable target", () => {
  for (const goal of [NOTHING_ASKED, { ...NOTHING_ASKED, amount: 0, distance: 0 }]) {
    expect(progressOn(goal, undefined)).toBe(0);
    expect(progressOn(goal, day(MONDAY))).toBe(0);
    expect(progressOn(goal, day(MONDAY, { logs: 1 }))).toBe(1);
    expect(progressOn(goal, day(MONDAY, { logs: 9, amount: 5000 }))).toBe(1);
  }
});

test.each([
  ["an amount", { amount: 4000 }, { amount: 1000 }, 0.25],
  ["a distance", { distance: 4000 }, { distance: 1000 }, 0.25],
  ["a span", { duration: 4 as never }, { duration: 1000 }, 0.25],
  ["a span of its action", { actionDuration: 4 as never }, { duration: 1000 }, 0.25],
  ["a single thousandth", { amount: 1 }, { amount: 1 }, 1],
])("X-17 the progress of a goal with %s counts that measure", (_, asked, done, progress) => {
  const goal = { ...NOTHING_ASKED, ...asked };
  expect(progressOn(goal, day(MONDAY, { ...done, logs: 1 }))).toBe(progress);
  expect(isDoneOn(goal, day(MONDAY, { ...done, logs: 1 }))).toBe(progress === 1);
  // A log without the goal's measure does not count.
  expect(progressOn(goal, day(MONDAY, { logs: 1 }))).toBe(0);
});

test("X-17 chosen weekdays are due only on these days, other recurrences every day", () => {
  expect([MONDAY, "2026-11-17", "2026-11-18"].map((at) => isDueOn(WEEKDAYS, at as Day))).toEqual([
    true,
    false,
    true,
  ]);
  expect(isDueOn({ every: "day" }, "2026-11-17")).toBe(true);
  expect(isDueOn(weekly(2), "2026-11-17")).toBe(true);
});

test("X-17 a day is done, resting, or open", () => {
  const goal = { ...NOTHING_ASKED, amount: 2000, recurrence: { every: "day" } as Recurrence };
  const on = (over: Partial<DayTotals>) => periodProgress(goal, [day(MONDAY, over)], MONDAY);
  expect(on({ amount: 1000, logs: 1 })).toEqual({ done: 0.5, asked: 1, isDone: false, isResting: false });
  expect(on({ amount: 2000, logs: 1 })).toEqual({ done: 1, asked: 1, isDone: true, isResting: false });
  expect(on({ amount: 9000, logs: 1 })).toMatchObject({ done: 1, isDone: true });
  expect(on({ isSkipped: true })).toEqual({ done: 0, asked: 1, isDone: false, isResting: true });
  // A skipped day with progress is done, not resting.
  expect(on({ isSkipped: true, amount: 2000, logs: 1 })).toMatchObject({ isDone: true, isResting: false });
  expect(periodProgress(goal, [day(MONDAY, { amount: 2000 })], "2026-11-17")).toMatchObject({ done: 0 });
  const chosen = { ...goal, recurrence: WEEKDAYS };
  expect(periodProgress(chosen, [], "2026-11-17")).toMatchObject({ isResting: true });
  expect(periodProgress(chosen, [], MONDAY)).toMatchObject({ isResting: false });
});

test("X-17 a week counts its done days, and skipped days lower its target", () => {
  const goal = { ...NOTHING_ASKED, amount: 1000, recurrence: weekly(2) };
  const did = (at: Day) => day(at, { amount: 1000, logs: 1 });
  const skipped = (at: Day) => day(at, { isSkipped: true });
  const week = ["16", "17", "18", "19", "20", "21", "22"].map((at) => `2026-11-${at}` as Day);
  const progress = (...days: DayTotals[]) => periodProgress(goal, days, "2026-11-18");
  expect(progress(did(MONDAY))).toEqual({ done: 1, asked: 2, isDone: false, isResting: false });
  expect(progress(did(MONDAY), did("2026-11-22"))).toMatchObject({ done: 2, isDone: true });
  expect(progress(did("2026-11-15"), did("2026-11-23"))).toMatchObject({ done: 0 });
  expect(progress(...week.slice(1).map(skipped))).toEqual({
    done: 0,
    asked: 1,
    isDone: false,
    isResting: false,
  });
  expect(progress(...week.map(skipped))).toEqual({ done: 0, asked: 0, isDone: false, isResting: true });
  expect([
    requiredTimesOf(weekly(3), 0),
    requiredTimesOf(weekly(3), 4),
    requiredTimesOf(weekly(3), 5),
  ]).toEqual([3, 3, 2]);
});

test.each<[Recurrence, string]>([
  [{ every: "day" }, "every day"],
  [weekly(1), "once a week"],
  [weekly(3), "3 times a week"],
  [{ every: "weekdays", weekdays: [1, 2, 3, 4, 5] }, "on weekdays"],
  [{ every: "weekdays", weekdays: [0, 3, 1] }, "on Mon, Wed and Sun"],
  [{ every: "weekdays", weekdays: [6] }, "on Sat"],
])("X-17 %j is described as %j", (recurrence, words) => {
  expect(describeRecurrence(recurrence)).toBe(words);
});

test("X-17 the totals of a day without logs are zero", () => {
  const days = [day(MONDAY, { amount: 1, duration: 2, distance: 3 })];
  expect(totalsOn(days, MONDAY)).toEqual({ amountElapsed: 1, durationElapsed: 2, distanceElapsed: 3 });
  expect(totalsOn(days, "2026-11-17")).toEqual({ amountElapsed: 0, durationElapsed: 0, distanceElapsed: 0 });
});

test("X-17 a weekly goal of one day is done with that day", () => {
  const goal = { ...NOTHING_ASKED, amount: 1000, recurrence: weekly(1) };
  expect(periodProgress(goal, [day(MONDAY, { amount: 1000, logs: 1 })], MONDAY)).toMatchObject({
    isDone: true,
  });
});
