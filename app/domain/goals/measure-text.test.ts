// Amounts, distances and durations in words.
import { expect, test } from "vitest";
import { ANY_READER, type Reader } from "~/domain/numbers";
import { instant, seconds } from "~/domain/time";
import { LOG_STATUS } from "./log-state";
import {
  amountText,
  decimalField,
  decimalText,
  distanceText,
  goalMeasures,
  logMeasures,
  measureText,
  spanText,
  statusText,
  totalsText,
} from "./measure-text";

const MILE = 1_609_344;

test.each([
  [2500, "pages", "2.5 pages"],
  [1000, "pages", "1 page"],
  [-1000, "pages", "−1 page"],
  [1000, "glasses", "1 glass"],
  [1000, "boxes", "1 box"],
  [1000, "calories", "1 calories"],
  [1000, "loaves", "1 loaf"],
  [1000, "kids", "1 kid"],
  [1000, "", "1 time"],
  [2000, "", "2 times"],
  [0, "pages", "0 pages"],
])("U-18 %i thousandths of %j are %j", (thousandths, unit, words) => {
  expect(amountText(thousandths, unit, ANY_READER)).toBe(words);
});

test("U-18 numbers, miles and durations are written plainly", () => {
  expect([decimalText(2500, ANY_READER), decimalText(-1000, ANY_READER), decimalText(0, ANY_READER)]).toEqual(
    ["2.5", "−1", "0"],
  );
  expect([
    decimalField(null, ANY_READER),
    decimalField(-2500, ANY_READER),
    decimalField(0, ANY_READER),
  ]).toEqual(["", "-2.5", "0"]);
  expect([MILE, -MILE, 2 * MILE].map((distance) => distanceText(distance, ANY_READER))).toEqual([
    "1 mile",
    "−1 mile",
    "2 miles",
  ]);
  expect(spanText(61_999)).toBe("1m 1s");
});

test("U-18 a goal's text shows its targets, the action's duration before its own", () => {
  const goal = { amount: null, distance: null, duration: null, actionDuration: null, unit: "pages" };
  expect(goalMeasures(goal, ANY_READER)).toBe("");
  expect(goalMeasures({ ...goal, amount: 0, distance: 0, duration: seconds(0) }, ANY_READER)).toBe("");
  expect(goalMeasures({ ...goal, amount: 1, distance: 1609 }, ANY_READER)).toBe("0.001 pages · 0.001 miles");
  expect(goalMeasures({ ...goal, duration: seconds(3600) }, ANY_READER)).toBe("1 hour");
  const both = { duration: seconds(3600), actionDuration: seconds(60) };
  expect(goalMeasures({ ...goal, ...both, amount: 300_000 }, ANY_READER)).toBe("300 pages · 1 minute");
});

test("U-18 a log's text shows its measures, and the measured time of a timed log", () => {
  const log = { amount: null, distance: null, duration: null, isTimed: false };
  expect(logMeasures(log, "pages", 5000, ANY_READER)).toBe("");
  expect(
    logMeasures({ ...log, amount: 0, distance: 0, duration: seconds(0) }, "pages", 5000, ANY_READER),
  ).toBe("");
  expect(logMeasures({ ...log, amount: -1000, distance: 2 * MILE }, "pages", 0, ANY_READER)).toBe(
    "−1 page · 2 miles",
  );
  expect(logMeasures({ ...log, duration: seconds(60) }, "", 5000, ANY_READER)).toBe("1m");
  expect(logMeasures({ ...log, duration: seconds(60), isTimed: true }, "", 5000, ANY_READER)).toBe("5s");
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
  expect(measureText(2000, "amount", "pages", ANY_READER)).toBe("2 pages");
  expect(measureText(2 * MILE, "distance", "pages", ANY_READER)).toBe("2 miles");
  expect(measureText(60_000, "duration", "pages", ANY_READER)).toBe("1m");
  expect([measureText(1, "logs", "", ANY_READER), measureText(2, "logs", "", ANY_READER)]).toEqual([
    "1 log",
    "2 logs",
  ]);
});

test("E-13 totals are shown if there are any", () => {
  const none = { amountElapsed: 0, durationElapsed: 0, distanceElapsed: 0 };
  expect(totalsText(none, "glasses", ANY_READER)).toBe("");
  expect(
    totalsText(
      { amountElapsed: 12_000, durationElapsed: 60_000, distanceElapsed: MILE },
      "glasses",
      ANY_READER,
    ),
  ).toBe("12 glasses · 1 minute · 1 mile");
});

test("H-07 a distance is in the reader's unit", () => {
  const [km, mi]: Reader[] = [
    { locale: "de-DE", unit: "km" },
    { locale: "de-DE", unit: "mi" },
  ];
  expect([km, mi].map((reader) => distanceText(8_000_000, reader as Reader))).toEqual([
    "8 km",
    "4,971 miles",
  ]);
  expect(distanceText(1_000_000, km as Reader)).toBe("1 km");
});
