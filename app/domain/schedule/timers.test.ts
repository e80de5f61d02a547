// The readings of timers (T-12, T-14, T-15).

import { describe, expect, test } from "vitest";
import { MINUTE, plusMillis, SECOND, seconds } from "~/domain/time";
import { minute, part } from "./fixtures";
import type { Part } from "./shape";
import { intervalAt, turnAt } from "./timer-pieces";
import { timerAt } from "./timers";

const run = (over: Partial<Part> = {}): Part =>
  part("a", 10, { state: "running", startedAt: minute(0), endedAt: minute(10), ...over });
const stretches = [
  { id: "w", title: "Work", duration: seconds(30) },
  { id: "r", title: "Rest", duration: seconds(10) },
];
/** 3 × (30 s work, 10 s rest) from minute 0. */
const intervals = (over: Partial<Part> = {}): Part =>
  part("i", 0, {
    intervals: stretches,
    sets: 3,
    state: "running",
    startedAt: minute(0),
    endedAt: minute(2),
    ...over,
  });

test.each<[string, Part, number, number, number, boolean]>([
  ["waiting", part("a", 10), 3, 0, 10, true],
  ["at its start", run(), 0, 0, 10, false],
  ["under way", run(), 4, 4, 6, false],
  ["a moment before its end", run(), 10 - 1 / 60, 10 - 1 / 60, 1 / 60, false],
  ["at its end", run(), 10, 10, 0, true],
  ["past its end, not yet caught up", run(), 11, 10, 0, true],
  ["paused", run({ state: "paused", pausedAt: minute(4) }), 9, 4, 6, false],
  ["ended early", run({ state: "finished", endedAt: minute(4) }), 9, 4, 0, true],
  ["seen by a clock that is behind", run(), -1, 0, 10, false],
])("T-12 a timer %s", (_, timer, now, elapsedMinutes, remainingMinutes, isAtRest) => {
  const reading = timerAt(timer, minute(now));
  expect(reading.elapsed).toBeCloseTo(elapsedMinutes * MINUTE, 3);
  expect(reading.remaining).toBeCloseTo(remainingMinutes * MINUTE, 3);
  expect(reading.isAtRest).toBe(isAtRest);
});

test("T-12 the fraction goes from 0 to 1", () => {
  expect(timerAt(part("a", 10), minute(0)).fraction).toBe(0);
  expect(timerAt(run(), minute(5)).fraction).toBe(0.5);
  expect(timerAt(run({ state: "finished", endedAt: minute(4) }), minute(5)).fraction).toBe(1);
  expect(timerAt(run({ state: "finished", endedAt: minute(0) }), minute(5)).fraction).toBe(1);
});

test("T-14 an interval timer's duration is the sum of its intervals times its sets", () => {
  expect(intervals().duration).toBe(120);
});

// second → set, remaining sets, interval, remaining time of the interval
test.each([
  [0, 1, 3, "Work", 30],
  [29.999, 1, 3, "Work", 0.001],
  [30, 1, 3, "Rest", 10],
  [39, 1, 3, "Rest", 1],
  [40, 2, 2, "Work", 30],
  [75, 2, 2, "Rest", 5],
  [80, 3, 1, "Work", 30],
  [119, 3, 1, "Rest", 1],
  [120, 1, 3, "Work", 30],
])("T-14 after %d seconds", (second, set, setsRemaining, title, left) => {
  const reading = timerAt(intervals(), plusMillis(minute(0), second * SECOND));
  expect([reading.set, reading.setsRemaining, reading.interval?.title]).toEqual([set, setsRemaining, title]);
  expect(reading.intervalRemaining).toBeCloseTo(left * SECOND, 3);
  expect(reading.isAtRest).toBe(second === 120);
});

test("T-14 before its start and after its end it rests with all sets remaining and no interval", () => {
  for (const state of ["waiting", "finished"] as const) {
    const reading = timerAt(intervals({ state }), minute(1));
    expect([reading.isAtRest, reading.set, reading.setsRemaining, reading.intervalIndex]).toEqual([
      true,
      1,
      3,
      0,
    ]);
  }
});

test("T-14 after the last set an interval timer of any kind is back at its beginning", () => {
  const rest = { set: 1, setsRemaining: 3, intervalIndex: 0, intervalRemaining: 30 * SECOND };
  expect(intervalAt(stretches, 3, 120 * SECOND)).toEqual(rest);
  expect(intervalAt(stretches, 3, -1)).toEqual(rest);
  expect(intervalAt([], 3, 0)).toEqual({ ...rest, intervalIndex: null, intervalRemaining: null });
});

test("T-14 a pause stops the intervals too", () => {
  const paused = intervals({ state: "paused", pausedAt: plusMillis(minute(0), 35 * SECOND) });
  const reading = timerAt(paused, minute(60));
  expect([reading.interval?.title, reading.intervalRemaining]).toEqual(["Rest", 5 * SECOND]);
});

test("T-14 intervals of zero length are skipped", () => {
  const [work, rest] = stretches.map((one, i) => ({ ...one, duration: seconds(i * 10) }));
  const timer = intervals({ intervals: work && rest ? [work, rest] : [] });
  expect(timerAt({ ...timer, endedAt: plusMillis(minute(0), 30_000) }, minute(0)).interval?.title).toBe(
    "Rest",
  );
});

test("T-14 a plain timer has no intervals", () => {
  const reading = timerAt(run(), minute(1));
  expect([reading.intervalIndex, reading.interval, reading.intervalRemaining]).toEqual([null, null, null]);
});

test("T-14 in a per-participant part the intervals restart with each turn", () => {
  const each = intervals({ isPerParticipant: true, turns: ["ann", "bob"], endedAt: minute(4) });
  const reading = timerAt(each, plusMillis(minute(2), 31 * SECOND));
  expect([reading.set, reading.interval?.title, reading.isAtRest]).toEqual([1, "Rest", false]);
});

describe("T-15 the turn holder", () => {
  const each = run({ isPerParticipant: true, duration: seconds(300), turns: ["ann", "bob"] });
  test.each([
    [0, "ann", 0, 5],
    [4.5, "ann", 0, 0.5],
    [5, "bob", 1, 5],
    [9, "bob", 1, 1],
  ])("T-15 at minute %d", (now, username, index, left) => {
    expect(turnAt(each, minute(now))).toEqual({ username, index, remaining: left * MINUTE });
  });
  test("T-15 nobody before, after, or without turns", () => {
    expect(turnAt(each, minute(10))).toBe(null);
    expect(turnAt({ ...each, state: "finished" }, minute(1))).toBe(null);
    expect(turnAt({ ...each, state: "waiting" }, minute(1))).toBe(null);
    expect(turnAt(run(), minute(1))).toBe(null);
  });
  test("T-15 a pause keeps the turn", () => {
    const paused: Part = { ...each, state: "paused", pausedAt: minute(6) };
    expect(turnAt(paused, minute(99))).toEqual({ username: "bob", index: 1, remaining: 4 * MINUTE });
  });
});
