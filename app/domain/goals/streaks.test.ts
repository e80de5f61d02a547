// Streaks, by the numbered rules of streaks.ts, and the targets of recurring goals.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Day, dayAt, daysFrom, plusDays } from "~/domain/days";
import { instant, seconds } from "~/domain/time";
import type { Recurrence } from "./goals";
import { type DayTotals, describeRecurrence, periodProgress, totalsOn } from "./recurrence";
import { FREEZES, streakOf } from "./streaks";
import { countsFrom, type GoalMeasure } from "./target-changes";

const goal = (
  recurrence: Recurrence,
  over: { amount?: number | null; completionsRequired?: number } = {},
) => ({
  amount: 1000,
  distance: null,
  duration: null,
  actionDuration: null,
  completionsRequired: 1,
  ...over,
  recurrence,
});
const did = (day: Day, amount = 1000): DayTotals => ({
  day,
  amount,
  duration: 0,
  distance: 0,
  logs: 1,
  isSkipped: false,
});
const skip = (day: Day): DayTotals => ({ ...did(day, 0), logs: 0, isSkipped: true });
const DAILY = goal({ every: "day" });
/** A week from Monday 2026-11-16, a character per day: x done, . missed, s skipped, p partly done. */
const from = (monday: Day, letters: string): DayTotals[] =>
  [...letters.replaceAll(" ", "")].flatMap((letter, index) => {
    const day = plusDays(monday, index);
    return letter === "x" ? [did(day)] : letter === "s" ? [skip(day)] : letter === "p" ? [did(day, 500)] : [];
  });
const at = (letters: string) => plusDays("2026-11-16", letters.replaceAll(" ", "").length - 1);
const daily = (letters: string) => streakOf(DAILY, from("2026-11-16", letters), at(letters));

test("X-17 streak rules 1 and 2: consecutive days count, and the current day never breaks a streak", () => {
  expect(daily("xxx")).toMatchObject({ current: 3, best: 3, isDoneNow: true, since: "2026-11-16" });
  expect(daily("xxx.")).toMatchObject({ current: 3, isDoneNow: false, freezes: 1 });
  expect(daily("...")).toMatchObject({ current: 0, best: 0, since: null });
  // Partly done is not done.
  expect(daily("xp.")).toMatchObject({ current: 1, freezes: 0 });
});

test("X-17 streak rule 3: a skipped day neither extends nor breaks a streak", () => {
  expect(daily("xxsx")).toMatchObject({ current: 3, freezes: 1, frozen: [] });
  expect(daily("xx sss x")).toMatchObject({ current: 3, freezes: 1 });
});

test("X-17 streak rules 4 and 5: a freeze saves a streak once, seven days earn another, up to two", () => {
  expect(daily("xx.x")).toMatchObject({ current: 3, freezes: 0, frozen: ["2026-11-18"] });
  expect(daily("xx..x")).toMatchObject({ current: 1, best: 2, freezes: 1, frozen: [], since: "2026-11-20" });
  expect(daily("xxxxxxx")).toMatchObject({ current: 7, freezes: 2 });
  expect(daily("xxxxxxx xxxxxxx xxxxxxx")).toMatchObject({ current: 21, freezes: 2 });
  expect(daily("xxxxxxx .. x")).toMatchObject({ current: 8, freezes: 0 });
  expect(daily("xxxxxxx ... x")).toMatchObject({ current: 1, best: 7 });
});

test("X-17 chosen weekdays: a day off is free, a missed weekday is not", () => {
  const weekdays = goal({ every: "weekdays", weekdays: [1, 3, 5] });
  const streak = (letters: string) => streakOf(weekdays, from("2026-11-16", letters), at(letters));
  expect(streak("x.x.x.. x")).toMatchObject({ current: 4, freezes: 1 });
  expect(streak("x...x.. x")).toMatchObject({ current: 3, freezes: 0 });
  // Progress on a day off counts for the day, not for the streak.
  expect(streak("xx")).toMatchObject({ current: 1 });
});

test("X-17 n times a week: weeks count, skipped days lower the target, and the current week is not over", () => {
  const weekly = goal({ every: "week", times: 3 });
  const streak = (letters: string) => streakOf(weekly, from("2026-11-16", letters), at(letters));
  expect(streak("xx.x... x.x.x..")).toMatchObject({ unit: "week", current: 2, best: 2 });
  expect(streak("xxx.... x")).toMatchObject({ current: 1, isDoneNow: false });
  // With six days skipped, one of three times is enough.
  expect(streak("xssssss")).toMatchObject({ current: 1, isDoneNow: true });
  expect(streak("xxx.... sssssss xxx")).toMatchObject({ current: 2, freezes: 1 });
  expect(streak("xxx.... x...... xxx")).toMatchObject({ current: 2, freezes: 0, frozen: ["2026-11-23"] });
});

test("X-17 streak rule 6: logs around midnight keep a streak across clock changes and a journey round the world", () => {
  // 23:30 each evening in Paris, across the clock change of 25 October: 21:30 UTC, then 22:30.
  const evenings = daysFrom("2026-10-22", "2026-10-28").map((day) => {
    const utc = day < "2026-10-25" ? "21:30" : "22:30";
    return dayAt(instant(Date.parse(`${day}T${utc}:00Z`)), "Europe/Paris");
  });
  expect(
    streakOf(
      DAILY,
      evenings.map((day) => did(day)),
      "2026-10-28",
    ),
  ).toMatchObject({
    current: 7,
    frozen: [],
  });
  // New York, then Tokyo, then Honolulu, once on each local day.
  const journey = (
    [
      ["2026-11-16T23:00:00Z", "America/New_York"],
      ["2026-11-17T23:00:00Z", "America/New_York"],
      ["2026-11-18T01:00:00Z", "Asia/Tokyo"],
      ["2026-11-19T01:00:00Z", "Asia/Tokyo"],
      ["2026-11-21T05:00:00Z", "Pacific/Honolulu"],
    ] as const
  ).map(([iso, zone]) => dayAt(instant(Date.parse(iso)), zone));
  expect(journey).toEqual(["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"]);
  expect(
    streakOf(
      DAILY,
      journey.map((day) => did(day)),
      "2026-11-20",
    ).current,
  ).toBe(5);
});

test("X-17 one more done day never shortens a streak, order does not matter, and freezes stay within bounds", () => {
  const letters = fc.string({ unit: fc.constantFrom("x", ".", "s"), minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(letters, fc.nat(59), (text, index) => {
      const days = from("2026-11-16", text);
      const today = plusDays("2026-11-16", text.length - 1);
      const streak = streakOf(DAILY, days, today);
      expect(streakOf(DAILY, [...days].reverse(), today)).toEqual(streak);
      expect(streak.current).toBeLessThanOrEqual(streak.best);
      expect(streak.freezes).toBeGreaterThanOrEqual(0);
      expect(streak.freezes).toBeLessThanOrEqual(FREEZES.most);
      expect(streak.best).toBeLessThanOrEqual(days.filter(({ logs }) => logs > 0).length);
      const day = plusDays("2026-11-16", Math.min(index, text.length - 1));
      const better = streakOf(DAILY, [...days.filter((one) => one.day !== day), did(day)], today);
      expect(better.best).toBeGreaterThanOrEqual(streak.best);
      expect(better.current).toBeGreaterThanOrEqual(streak.current);
    }),
    { examples: [["x..x.xxx", 1]], numRuns: 1000 },
  );
});

test("X-17 a recurring goal starts over with its day or week", () => {
  const days = [did("2026-11-20", 3000), did("2026-11-21", 1000)];
  expect(totalsOn(days, "2026-11-22")).toEqual({ amountElapsed: 0, durationElapsed: 0, distanceElapsed: 0 });
  expect(periodProgress(DAILY, days, "2026-11-21")).toMatchObject({ isDone: true });
  expect(periodProgress(DAILY, days, "2026-11-22")).toMatchObject({
    done: 0,
    isDone: false,
    isResting: false,
  });
  expect(periodProgress(DAILY, [skip("2026-11-22")], "2026-11-22").isResting).toBe(true);
  const twice = goal({ every: "week", times: 2 });
  expect(periodProgress(twice, days, "2026-11-22")).toMatchObject({ done: 2, asked: 2, isDone: true });
  expect(periodProgress(twice, days, "2026-11-23")).toMatchObject({ done: 0, asked: 2, isDone: false });
  // Without a measurable target any log completes it.
  expect(
    periodProgress(goal({ every: "day" }, { amount: null }), [did("2026-11-21", 0)], "2026-11-21").isDone,
  ).toBe(true);
});

test("X-17 a recurrence is described in words", () => {
  expect(
    (
      [
        { every: "day" },
        { every: "week", times: 1 },
        { every: "week", times: 3 },
        { every: "weekdays", weekdays: [1, 2, 3, 4, 5] },
        { every: "weekdays", weekdays: [0, 1, 3] },
        { every: "weekdays", weekdays: [6] },
      ] satisfies Recurrence[]
    ).map(describeRecurrence),
  ).toEqual(["every day", "once a week", "3 times a week", "on weekdays", "on Mon, Wed and Sun", "on Sat"]);
});

test("X-17 streak rule 5: the fourth week earns a freeze, and a streak begins with one", () => {
  const weekly = goal({ every: "week", times: 1 });
  const streak = (letters: string) => streakOf(weekly, from("2026-11-16", letters), at(letters));
  const kept = "x......";
  expect(streak(kept.repeat(3))).toMatchObject({ current: 3, freezes: 1, since: "2026-11-16" });
  expect(streak(kept.repeat(4))).toMatchObject({ current: 4, freezes: 2 });
  expect(FREEZES).toEqual({ first: 1, most: 2, earnedEvery: { day: 7, week: 4 } });
});

test("X-17 streak rule 6: a day done before a flight to the west lies in tomorrow and keeps the streak today", () => {
  const auckland = [did("2026-11-17"), did("2026-11-18"), did("2026-11-20")];
  // Honolulu: the 19th has begun again, and is not over.
  expect(streakOf(DAILY, auckland, "2026-11-19")).toMatchObject({ current: 3, freezes: 1, isDoneNow: false });
  expect(streakOf(DAILY, [did("2026-11-20")], "2026-11-19")).toMatchObject({ current: 1, best: 1 });
  expect(streakOf(DAILY, [...auckland, did("2026-11-19")], "2026-11-19")).toMatchObject({ current: 4 });
  // A Monday done in Auckland is a Sunday in Honolulu, whose week is not over either.
  const weekly = goal({ every: "week", times: 2 });
  const week = [did("2026-11-18"), did("2026-11-23")];
  expect(streakOf(weekly, week, "2026-11-22")).toMatchObject({ current: 0, freezes: 1 });
  expect(streakOf(weekly, [...week, did("2026-11-20")], "2026-11-22")).toMatchObject({
    current: 1,
    isDoneNow: true,
  });
});

test("R-54 a streak begins with a done day, also without a finished log", () => {
  const timed = { ...DAILY, amount: null, actionDuration: seconds(600) };
  const stopped = { day: "2026-11-18", amount: 0, distance: 0, duration: 600_000, logs: 0, isSkipped: false };
  expect(streakOf(timed, [stopped], "2026-11-18")).toMatchObject({ current: 1, isDoneNow: true });
  const asksNothing = { ...DAILY, amount: null };
  expect(streakOf(asksNothing, [stopped], "2026-11-18")).toMatchObject({ current: 0, isDoneNow: false });
});

test("X-17 days after tomorrow and days that only rest begin no streak", () => {
  expect(streakOf(DAILY, [did("2026-11-21")], "2026-11-19")).toMatchObject({
    current: 0,
    best: 0,
    since: null,
  });
  expect(streakOf(DAILY, [skip("2026-11-18"), did("2026-11-19")], "2026-11-19")).toMatchObject({
    current: 1,
    since: "2026-11-19",
    isDoneNow: true,
  });
  expect(streakOf(DAILY, [did("2026-11-16")], "2026-11-19")).toMatchObject({
    current: 0,
    best: 1,
    freezes: 1,
  });
});

// ---- changes of the measure

const BEGAN = "0000-01-01";
const measure = (day: Day, of: ReturnType<typeof goal>): GoalMeasure => {
  const { recurrence, ...target } = of;
  return { day, target, recurrence, unit: "" };
};
/** The streak of `now` at the last letter, which was another goal until `from`. */
const changed = (
  now: ReturnType<typeof goal>,
  before: ReturnType<typeof goal>,
  from_: Day,
  letters: string,
) => streakOf(now, from("2026-11-16", letters), at(letters), [measure(BEGAN, before), measure(from_, now)]);

test("R-79 a higher target, or another repetition, leaves the days before it done", () => {
  const twice = goal({ every: "day" }, { amount: 2000 });
  const mondays = goal({ every: "weekdays", weekdays: [1] });
  expect(changed(twice, DAILY, "2026-11-23", "xxxxxxx .")).toMatchObject({ current: 7, best: 7 });
  expect(changed(mondays, DAILY, "2026-11-23", "xxxxxxx .")).toMatchObject({ current: 7, best: 7 });
  // The days from the change on are measured by the new target.
  expect(changed(twice, DAILY, "2026-11-23", "xxxxxxx xx.")).toMatchObject({ current: 7, freezes: 0 });
  // Days that were missed stay missed.
  expect(changed(DAILY, twice, "2026-11-20", "xxxx x")).toMatchObject({ current: 1, best: 1 });
});

test("R-79 seven days in a row are a week after a change to weeks, and the best keeps its own unit", () => {
  const thrice = goal({ every: "week", times: 3 });
  const streak = changed(thrice, DAILY, "2026-11-25", "xxxxxxx xx.");
  expect(streak).toMatchObject({ unit: "week", current: 1, best: 9, bestUnit: "day" });
  // The week of the change is done by three days in it, and cannot be missed.
  expect(changed(thrice, DAILY, "2026-11-25", "xxxxxxx xxx")).toMatchObject({ best: 2, bestUnit: "week" });
  expect(changed(thrice, DAILY, "2026-11-25", "xxxxxxx xx..... ...")).toMatchObject({
    current: 1,
    freezes: 2,
  });
  const back = changed(DAILY, thrice, "2026-11-23", "x.x.x.. x");
  expect(back).toMatchObject({ unit: "day", current: 8, best: 8 });
});

test("R-79 after a change to days in the middle of a week the next day can be missed, and a freeze saves it", () => {
  const once = goal({ every: "week", times: 1 });
  const streak = changed(DAILY, once, "2026-11-18", "x. .x");
  expect(streak).toMatchObject({ unit: "day", current: 8, freezes: 0, frozen: ["2026-11-18"] });
});

test("R-79 no change of the settings lowers the best streak", () => {
  const recurrences: Recurrence[] = [
    { every: "day" },
    { every: "weekdays", weekdays: [1, 3, 5] },
    { every: "week", times: 2 },
  ];
  const settings = fc.record({
    recurrence: fc.constantFrom(...recurrences),
    amount: fc.constantFrom(500, 1000, 2000),
  });
  const inDays = ({ best, bestUnit }: { best: number; bestUnit: string }) =>
    best * (bestUnit === "week" ? 7 : 1);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("x", ".", "s", "p"), { minLength: 1, maxLength: 40 }),
      settings,
      settings,
      (letters, old, next) => {
        const text = letters.join("");
        const today = at(text);
        const days = from("2026-11-16", text);
        const before = goal(old.recurrence, { amount: old.amount });
        const after = goal(next.recurrence, { amount: next.amount });
        const { isDone } = periodProgress(before, days, today);
        const from_ = countsFrom(before.recurrence, isDone, today);
        const measures = [measure(BEGAN, before), measure(from_, after)];
        expect(inDays(streakOf(after, days, today, measures))).toBeGreaterThanOrEqual(
          inDays(streakOf(before, days, today)),
        );
      },
    ),
  );
});
