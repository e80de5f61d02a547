// The heat map of a goal: its measure and the level of each day.
import { expect, test } from "vitest";
import type { Day } from "~/domain/days";
import { seconds } from "~/domain/time";
import { dailyTarget, heatMap, heatStart, measureOf, weeksSince } from "./heat-map";
import type { DayTotals } from "./recurrence";

const day = (day: Day, over: Partial<DayTotals> = {}): DayTotals => ({
  day,
  amount: 0,
  duration: 0,
  distance: 0,
  logs: 1,
  isSkipped: false,
  ...over,
});

test.each<[string, Partial<DayTotals>[], ReturnType<typeof measureOf>]>([
  ["amounts before all else", [{ amount: 1, duration: 9, distance: 9 }], "amount"],
  ["distances before spans", [{ distance: 1, duration: 9 }], "distance"],
  ["spans", [{ duration: 1 }], "duration"],
  ["the number of logs where nothing was measured", [{}], "logs"],
  ["the number of logs without any day", [], "logs"],
  // A negative correction does not hide a measure.
  ["amounts that cancel each other", [{ amount: -5, duration: 9 }, { amount: 5 }], "amount"],
  ["distances that cancel each other", [{ distance: -5, duration: 9 }, { distance: 5 }], "distance"],
])("X-17 the heat map draws %s", (_, days, measure) => {
  expect(measureOf(days.map((over) => day("2026-11-16", over)))).toBe(measure);
});

test("X-17 a day's level is its share of the highest day shown", () => {
  const days = [
    day("2026-11-16", { amount: 400 }),
    day("2026-11-17", { amount: 301 }),
    day("2026-11-18", { amount: 300 }),
    day("2026-11-19", { amount: 1 }),
    day("2026-11-20", { amount: -50 }),
    // Outside the map: the week before, and tomorrow.
    day("2026-11-15", { amount: 90_000 }),
    day("2026-11-22", { amount: 90_000 }),
  ];
  const [week] = heatMap(days, "amount", "2026-11-21", { weeks: 1 });
  expect(week?.days.map(({ level }) => level)).toEqual([4, 4, 3, 1, 0, 0]);
  expect(week?.days.map(({ value }) => value)).toEqual([400, 301, 300, 1, -50, 0]);
  expect(week?.total).toBe(952);
});

test("X-17 the map ends today, and each week begins on Monday", () => {
  const weeks = heatMap([day("2026-11-17", { isSkipped: true })], "logs", "2026-11-18", { weeks: 2 });
  expect(weeks.map(({ monday, days }) => [monday, days.length])).toEqual([
    ["2026-11-09", 7],
    ["2026-11-16", 3],
  ]);
  expect(weeks[1]?.days.map(({ isSkipped }) => isSkipped)).toEqual([false, true, false]);
  expect(heatMap([], "logs", "2026-11-22", { weeks: 1 })[0]?.days).toHaveLength(7);
  expect(heatStart("2026-11-18", 1)).toBe("2026-11-16");
  expect(heatStart("2026-11-18", 3)).toBe("2026-11-02");
});

test("X-17 a single log is the darkest day when logs are counted", () => {
  const [week] = heatMap([day("2026-11-16")], "logs", "2026-11-17", { weeks: 1 });
  expect(week?.days.map(({ level }) => level)).toEqual([4, 0]);
});

test("X-17 the levels of a recurring goal are steps to its target of a day", () => {
  const days = [
    day("2026-11-16", { amount: 1000 }),
    day("2026-11-17", { amount: 10_000 }),
    day("2026-11-18", { amount: 9_999 }),
    day("2026-11-19", { amount: 5000 }),
    day("2026-11-20", { amount: 50_000 }),
  ];
  const [week] = heatMap(days, "amount", "2026-11-21", { weeks: 1, targetOn: () => 10_000 });
  expect(week?.days.map(({ level }) => level)).toEqual([1, 4, 3, 2, 4, 0]);
  const goal = { amount: 5000, distance: null, duration: seconds(60), actionDuration: null };
  const daily = { ...goal, completionsRequired: 2, recurrence: { every: "day" } as const };
  expect(dailyTarget(daily, "amount")).toBe(10_000);
  expect(dailyTarget(daily, "duration")).toBe(120_000);
  expect(dailyTarget(daily, "logs")).toBe(1);
  expect(dailyTarget(daily, "distance")).toBeNull();
  expect(dailyTarget({ ...daily, recurrence: null }, "amount")).toBeNull();
});

test("X-17 the year begins with the week of the goal's first day", () => {
  expect(weeksSince("2026-11-21", "2026-11-21")).toBe(1);
  expect(weeksSince("2026-11-16", "2026-11-21")).toBe(1);
  expect(weeksSince("2026-11-15", "2026-11-21")).toBe(2);
  expect(weeksSince("2020-01-01", "2026-11-21")).toBe(53);
  expect(weeksSince("2026-11-22", "2026-11-21")).toBe(1);
});
