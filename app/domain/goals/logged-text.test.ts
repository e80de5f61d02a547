// The sentence of a log, with its measures and the progress of its goal.
import { expect, test } from "vitest";
import { ANY_READER } from "~/domain/numbers";
import { millis, seconds } from "~/domain/time";
import { LOG_STATUS } from "./log-state";
import { type LoggedGoal, type LoggedLog, loggedText } from "./logged-text";
import { deedText } from "./measure-text";

const goal: LoggedGoal = {
  unit: "pages",
  amount: 300_000,
  distance: null,
  duration: null,
  actionDuration: null,
  completionsRequired: 1,
  recurrence: null,
};
const log: LoggedLog = {
  status: LOG_STATUS.done,
  isTimed: false,
  amount: 10_000,
  distance: null,
  duration: null,
  elapsedDuration: millis(0),
  sessionGoalUuid: null,
};
const totals = { amountElapsed: 22_000, durationElapsed: 3 * 3_600_000, distanceElapsed: 3 * 1_609_344 };

test("R-15 a log whose session is deleted names its amount as a number, and one that never had a goal as times", () => {
  const ofGoal = { ...log, sessionGoalUuid: "read" };
  expect(loggedText(ofGoal, null, null, ANY_READER)).toBe("+10");
  expect(loggedText({ ...ofGoal, distance: 2 * 1_609_344 }, null, null, ANY_READER)).toBe("+10 · 2 miles");
  expect(loggedText(log, null, null, ANY_READER)).toBe("+10 times");
  expect(loggedText(ofGoal, goal, null, ANY_READER)).toBe("+10 pages");
});

test("U-25 a log says what it added and how far its goal is", () => {
  const text = (l: Partial<LoggedLog>, g: Partial<LoggedGoal> = {}, t: typeof totals | null = totals) =>
    loggedText({ ...log, ...l }, { ...goal, ...g }, t, ANY_READER);
  expect(text({})).toBe("+10 pages, 22 of 300");
  expect(text({ amount: 1000 }, { completionsRequired: 2 })).toBe("+1 page, 22 of 600");
  expect(text({ amount: -2000 })).toBe("−2 pages, 22 of 300");
  expect(text({}, { amount: null })).toBe("+10 pages, 22 pages in all");
  expect(text({}, {}, null)).toBe("+10 pages");
  expect(text({ amount: null, duration: seconds(1500) }, { actionDuration: seconds(36_000) })).toBe(
    "+25m, 3 of 10 hours",
  );
  expect(text({ amount: null, duration: seconds(1500) })).toBe("+25m, 3 hours in all");
  expect(text({ amount: null, distance: 2 * 1_609_344 }, { distance: 10 * 1_609_344 })).toBe(
    "+2 miles, 3 of 10",
  );
  expect(text({ amount: 0, isTimed: true, elapsedDuration: millis(1_500_000) }, { unit: "" })).toBe(
    "+25m, 3 hours in all",
  );
  expect(text({ status: LOG_STATUS.active, isTimed: true })).toBe("Started · +10 pages when done");
  expect(text({ status: LOG_STATUS.paused })).toBe("On your to-do list: 10 pages");
  expect(text({ amount: 0 })).toBe("Logged");
});

test("E-26 the action Do is left out without measures, and any other is not", () => {
  expect([deedText("Do", ""), deedText("Do", "3 times"), deedText("Read", ""), deedText("", "5m")]).toEqual([
    "",
    "Do 3 times",
    "Read",
    "5m",
  ]);
  expect([deedText("Do", "1 time"), deedText("Read", "1 time")]).toEqual(["", "Read once"]);
});
