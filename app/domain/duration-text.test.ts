// Parsing and formatting durations (T-17, T-18, T-19, R-19).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DURATION_PRESETS, parseDuration } from "./duration-parse";
import { describeDuration, describeWork, describeWorkOf, formatClock, formatDuration } from "./duration-text";

const H = 3600;
const D = 24 * H;

describe("T-17 duration text", () => {
  test.each([
    ["1h 30m", 1.5 * H],
    ["0d 0h 0m 0s", 0],
    ["1d 2h 3m 4s", D + 2 * H + 184],
    ["90m", 90 * 60],
    ["1.5h", 1.5 * H],
    ["1,5h", 1.5 * H],
    [".5h", 0.5 * H],
    ["1h30", 1.5 * H],
    ["1h 30", 1.5 * H],
    ["2m30", 150],
    ["1d12", 1.5 * D],
    ["1:30:00", 1.5 * H],
    ["1:30", 90],
    ["90:00", 90 * 60],
    ["36:00:00", 1.5 * D],
    ["1d 02:03:04", D + 2 * H + 184],
    ["1500ms", 2],
    ["1499 ms", 1],
    ["2000 milliseconds", 2],
    ["1 sec", 1],
    ["10 seconds", 10],
    ["1 min", 60],
    ["5 minutes", 300],
    ["1 hr", H],
    ["2 hrs", 2 * H],
    ["3 Hours", 3 * H],
    ["1 day", D],
    ["1 week", 7 * D],
    ["2wks", 14 * D],
    ["1 month", 30 * D],
    ["2mths", 60 * D],
    ["12 months", 360 * D],
    ["1y", 365.25 * D],
    ["2 years", 730.5 * D],
    ["1 hour and 30 minutes", 1.5 * H],
    ["1 hour, 30 minutes", 1.5 * H],
    ["  1H  30M ", 1.5 * H],
    ["1h30m15s", 1.5 * H + 15],
    ["30m 1h", 1.5 * H],
    ["1:30:59", 1.5 * H + 59],
    ["59:59", 3599],
    ["1:59:00", 2 * H - 60],
    ["1 mo", 30 * D],
    ["100y", 36_525 * D],
    ["0.4s", 0],
    [`${" ".repeat(200)}5m`, 300],
  ])("T-17 %j is %d seconds", (text, expected) => {
    expect(parseDuration(text)).toEqual({ seconds: expected });
  });

  test.each(["", "   ", "\n"])("T-17 %j clears the value", (text) => {
    expect(parseDuration(text)).toEqual({ empty: true });
  });

  test.each([
    "abc",
    "h",
    "1x",
    "1h abc",
    "abc 1h",
    "1h30x",
    "1h 30 5",
    "1w3",
    "1hh",
    "1..5h",
    "1.2.3h",
    "1:2:3:4",
    "1:75",
    "1:75:00",
    "1:60:00",
    "1:30:60",
    "1:60",
    "1h:30",
    "1,000s",
    "1h -30m",
    "+5m",
    "5m!",
    "5 m; drop",
    "١h",
    "1h and",
    "Infinityh",
    "1e3s",
    `${"1h ".repeat(60)}`,
  ])("T-17 %j cannot be read", (text) => {
    expect(parseDuration(text)).toEqual({ error: 'Please write a duration such as "1h 30m" or "1:30:00".' });
  });

  test.each([
    ["90", 'Please add a unit, such as "90m" for minutes or "90h" for hours.'],
    [" 1.5 ", 'Please add a unit, such as "1.5m" for minutes or "1.5h" for hours.'],
    ["0", 'Please add a unit, such as "0m" for minutes or "0h" for hours.'],
    ["-5m", "A duration cannot be negative."],
    ["-1", "A duration cannot be negative."],
    ["−1h", "A duration cannot be negative."],
    ["101y", "That is too long."],
    [`${"9".repeat(60)}h`, "That is too long."],
  ])("R-19 %j is refused with a hint", (text, error) => {
    expect(parseDuration(text)).toEqual({ error });
  });

  test("T-17 every text either fails with a sentence or gives whole seconds", () => {
    const alphabet = fc.constantFrom(..."0123456789.,:-+ hmsdwy", "month", "min", "and");
    const spans = fc.array(fc.tuple(fc.nat({ max: 999 }), fc.constantFrom("s", "m", "h", "d")));
    let read = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(alphabet).map((all) => all.join("")),
          spans.map((all) => all.flat().join("")),
        ),
        (text) => {
          const { seconds, empty, error } = parseDuration(text);
          if (seconds === undefined) {
            expect(empty ? "" : error).toMatch(/^$|\.$/);
            return;
          }
          read++;
          expect(Number.isSafeInteger(seconds)).toBe(true);
          expect(seconds).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 2000 },
    );
    expect(read).toBeGreaterThan(0);
  });
});

test.each([
  [0, "0s", "0 seconds"],
  [59, "59s", "59 seconds"],
  [60, "1m", "1 minute"],
  [5400, "1h 30m", "1 hour 30 minutes"],
  [D, "1d", "1 day"],
  [D + 2 * H + 184, "1d 2h 3m 4s", "1 day 2 hours 3 minutes 4 seconds"],
  [30 * D, "30d", "30 days"],
  [-5, "0s", "0 seconds"],
])("T-17 %d seconds show as %s", (span, short, long) => {
  expect([formatDuration(span), describeDuration(span)]).toEqual([short, long]);
});

test("T-17 a formatted duration parses to the same duration", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 * 365 * D }), (span) => {
      expect(parseDuration(formatDuration(span))).toEqual({ seconds: span });
      expect(parseDuration(describeDuration(span))).toEqual({ seconds: span });
      expect(parseDuration(formatClock(span * 1000))).toEqual({ seconds: span });
    }),
  );
});

test.each([
  [0, "00:00"],
  [999, "00:00"],
  [59_999, "00:59"],
  [60_000, "01:00"],
  [H * 1000 - 1, "59:59"],
  [H * 1000, "1:00:00"],
  [23 * H * 1000, "23:00:00"],
  [D * 1000, "24:00:00"],
  [D * 1000 + 1000, "1d 00:00:01"],
  [(30 * D + 2 * H + 184) * 1000, "30d 02:03:04"],
  [-1, "00:00"],
])("T-18 %d ms show as %s", (ms, expected) => {
  expect(formatClock(ms)).toBe(expected);
});

test("T-18 a countdown shows the current second, and 00:00 only at its end", () => {
  expect([2000, 1001, 1000, 1, 0].map((ms) => formatClock(ms, "ceil"))).toEqual([
    "00:02",
    "00:02",
    "00:01",
    "00:01",
    "00:00",
  ]);
});

test("T-19 presets: 5 and 30 minutes, an hour, a day, a week, a month of 30 days", () => {
  expect(DURATION_PRESETS.map(({ title, seconds }) => [title, seconds])).toEqual([
    ["5 minutes", 300],
    ["30 minutes", 1800],
    ["1 hour", H],
    ["1 day", D],
    ["1 week", 7 * D],
    ["1 month", 30 * D],
  ]);
  for (const { title, seconds } of DURATION_PRESETS) expect(parseDuration(title)).toEqual({ seconds });
});

test("R-19 a duration is limited to a hundred years and a hundred characters", () => {
  const seconds = 100 * 365.25 * D;
  expect(parseDuration(`${seconds}s`)).toEqual({ seconds });
  expect(parseDuration(`${seconds + 1}s`)).toEqual({ error: "That is too long." });
  expect(parseDuration(`${"0".repeat(98)}5m`)).toEqual({ seconds: 300 });
  expect(parseDuration(`${"0".repeat(99)}5m`)).toHaveProperty("error");
});

test.each([
  [139 * H, "139 hours"],
  [5 * D + 18 * H + 35 * 60, "138 hours 35 minutes"],
  [14.9, "14 seconds"],
  [H, "1 hour"],
  [0, "0 minutes"],
])("T-19 %i seconds of work are %j, in hours and no days", (span, words) => {
  expect(describeWork(span)).toBe(words);
});

test.each([
  [139 * H, 200 * H, "139 of 200 hours"],
  [0, H, "0 of 1 hour"],
  [14, 20 * 60, "14 seconds of 20 minutes"],
  [90 * 60, 2 * H, "1 hour 30 minutes of 2 hours"],
  [5 * 60, 20 * 60, "5 of 20 minutes"],
  [3, 45, "3 of 45 seconds"],
])("T-19 %i of %i seconds are %j, in the unit of the target", (done, target, words) => {
  expect(describeWorkOf(done, target)).toBe(words);
});
