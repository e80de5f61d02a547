// Amounts, distances and durations in words.
import { expect, test } from "vitest";
import { instant, seconds } from "~/domain/time";
import { LOG_STATUS } from "./log-state";
import {
  amountText,
  decimalField,
  decimalText,
  goalMeasures,
  logMeasures,
  measureText,
  milesText,
  onlyNumber,
  spanText,
  statusText,
  totalsText,
} from "./measure-text";

test.each([
  [2500, "pages", "2.5 pages"],
  [1000, "pages", "1 page"],
  [-1000, "pages", "−1 page"],
  [1000, "glasses", "1 glass"],
  [1000, "boxes", "1 box"],
  [1000, "calories", "1 calories"],
  [1000, "kids", "1 kid"],
  [1000, "", "1 time"],
  [2000, "", "2 times"],
  [0, "pages", "0 pages"],
])("U-18 %i thousandths of %j are %j", (thousandths, unit, words) => {
  expect(amountText(thousandths, unit)).toBe(words);
});

test("U-18 numbers, miles and durations are written plainly", () => {
  expect([decimalText(2500), decimalText(-1000), decimalText(0)]).toEqual(["2.5", "−1", "0"]);
  expect([decimalField(null), decimalField(-2500), decimalField(0)]).toEqual(["", "-2.5", "0"]);
  expect([milesText(1000), milesText(-1000), milesText(2000)]).toEqual(["1 mile", "−1 mile", "2 miles"]);
  expect(spanText(61_999)).toBe("1m 1s");
  expect(onlyNumber("-1.5 km, 2")).toBe("-1.52");
});

test("U-18 a goal's text shows its targets, the action's duration before its own", () => {
  const goal = { amount: null, distance: null, duration: null, actionDuration: null, unit: "pages" };
  expect(goalMeasures(goal)).toBe("");
  expect(goalMeasures({ ...goal, amount: 0, distance: 0, duration: seconds(0) })).toBe("");
  expect(goalMeasures({ ...goal, amount: 1, distance: 1 })).toBe("0.001 pages · 0.001 miles");
  expect(goalMeasures({ ...goal, duration: seconds(3600) })).toBe("1h");
  const both = { duration: seconds(3600), actionDuration: seconds(60) };
  expect(goalMeasures({ ...goal, ...both, amount: 300_000 })).toBe("300 pages · 1m");
});

test("U-18 a log's text shows its measures, and the measured time of a timed log", () => {
  const log = { amount: null, distance: null, duration: null, isTimed: false };
  expect(logMeasures(log, "pages", 5000)).toBe("");
  expect(logMeasures({ ...log, amount: 0, distance: 0, duration: seconds(0) }, "pages", 5000)).toBe("");
  expect(logMeasures({ ...log, amount: -1000, distance: 2000 }, "pages", 0)).toBe("−1 page · 2 miles");
  expect(logMeasures({ ...log, duration: seconds(60) }, "", 5000)).toBe("1m");
  expect(logMeasures({ ...log, duration: seconds(60), isTimed: true }, "", 5000)).toBe("5s");
});

test.each<[number, boolean, string]>([
  [LOG_STATUS.paused, false, "To do"],
  [LOG_STATUS.paused, true, "Paused"],
  [LOG_STATUS.active, false, "Running"],
  [LOG_STATUS.done, false, "Done"],
  [LOG_STATUS.stopped, false, "Stopped"],
])("S-10 status %i, paused before: %s, reads %j", (status, wasPaused, words) => {
  expect(statusText({ status, pausedAt: wasPaused ? instant(1) : null })).toBe(words);
});

test("X-17 a value of the heat map has its unit", () => {
  expect(measureText(2000, "amount", "pages")).toBe("2 pages");
  expect(measureText(2000, "distance", "pages")).toBe("2 miles");
  expect(measureText(60_000, "duration", "pages")).toBe("1m");
  expect([measureText(1, "logs", ""), measureText(2, "logs", "")]).toEqual(["1 log", "2 logs"]);
});

test("E-13 totals are shown if there are any", () => {
  const none = { amountElapsed: 0, durationElapsed: 0, distanceElapsed: 0 };
  expect(totalsText(none, "glasses")).toBe("");
  expect(
    totalsText({ amountElapsed: 12_000, durationElapsed: 60_000, distanceElapsed: 1000 }, "glasses"),
  ).toBe("12 glasses · 1m · 1 mile");
});
