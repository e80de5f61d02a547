import fc from "fast-check";
import { expect, test } from "vitest";
import { type Day, daysFrom, plusDays, weekdayOf } from "~/domain/days";
import { DAY, instant } from "~/domain/time";
import type { Recurrence } from "./goals";
import type { DayTotals } from "./recurrence";
import { daysAtPace, type GoalOfDays, isDue, isOpenOn, placeOn, sortByPlace } from "./today";

const MONDAY: Day = "2026-11-16";
const goal = (recurrence: Recurrence | null, over: Partial<GoalOfDays> = {}): GoalOfDays => ({
  status: 1,
  amount: 2000,
  distance: null,
  duration: null,
  actionDuration: null,
  completionsRequired: 1,
  amountElapsed: 0,
  durationElapsed: 0,
  distanceElapsed: 0,
  recurrence,
  days: [],
  measures: [],
  ...over,
});
const MARKS = ["done", "part", "skipped", "none"] as const;
const dayOf = (day: Day, mark: (typeof MARKS)[number]): DayTotals[] =>
  mark === "none"
    ? []
    : [
        {
          day,
          amount: { done: 2000, part: 1000, skipped: 0 }[mark],
          duration: 0,
          distance: 0,
          logs: mark === "skipped" ? 0 : 1,
          isSkipped: mark === "skipped",
        },
      ];
const week = (...marks: (typeof MARKS)[number][]) =>
  marks.flatMap((mark, index) => dayOf(plusDays(MONDAY, index), mark));
const DAILY: Recurrence = { every: "day" };
const thrice: Recurrence = { every: "week", times: 3 };

test("R-85 a daily goal is due until it is done or skipped, and then reached or later this week", () => {
  const placeWith = (mark: (typeof MARKS)[number], day = MONDAY) =>
    placeOn(goal(DAILY, { days: dayOf(day, mark) }), day);
  expect(MARKS.map((mark) => placeWith(mark))).toEqual(["reached", "due", "week", "due"]);
  // After Sunday there is no later day of the week.
  expect(placeWith("skipped", plusDays(MONDAY, 6))).toBe("off");
});

test("R-85 a goal of weekdays is due on them, and otherwise later this week or off", () => {
  const days = daysFrom(MONDAY, plusDays(MONDAY, 6));
  expect(days.map((day) => placeOn(goal({ every: "weekdays", weekdays: [2, 4] }), day))).toEqual([
    "week",
    "due",
    "week",
    "due",
    "off",
    "off",
    "off",
  ]);
});

test('R-85 "3 times a week" is due once only as many days are left as times are missing', () => {
  const on = (index: number, days: DayTotals[]) => placeOn(goal(thrice, { days }), plusDays(MONDAY, index));
  expect([0, 3, 4, 5, 6].map((index) => on(index, []))).toEqual(["week", "week", "due", "due", "due"]);
  expect(on(5, week("done"))).toBe("due");
  expect(on(4, week("done"))).toBe("week");
  expect(on(4, week("none", "none", "none", "none", "done"))).toBe("week");
  expect(on(4, week("done", "done", "none", "done"))).toBe("reached");
  // A skipped Sunday is no day that is left.
  expect(on(3, week("none", "none", "none", "none", "none", "none", "skipped"))).toBe("due");
  expect(on(0, week("skipped", "skipped", "skipped", "skipped", "skipped", "skipped", "skipped"))).toBe(
    "off",
  );
});

test("R-79 R-85 a day asks for the measure that held on it", () => {
  const target = {
    amount: 1000,
    distance: null,
    duration: null,
    actionDuration: null,
    completionsRequired: 1,
  };
  const held = goal(DAILY, {
    days: week("part", "part"),
    measures: [
      { day: "0000-01-01", target, recurrence: DAILY, unit: "" },
      { day: plusDays(MONDAY, 1), target: { ...target, amount: 2000 }, recurrence: DAILY, unit: "" },
    ],
  });
  expect([isDue(held, MONDAY), isDue(held, plusDays(MONDAY, 1))]).toEqual([false, true]);
});

test("R-85 a goal without a repetition is long until it is reached, and a completed one is off", () => {
  expect(placeOn(goal(null), MONDAY)).toBe("long");
  expect(placeOn(goal(null, { amountElapsed: 2000 }), MONDAY)).toBe("reached");
  for (const recurrence of [null, DAILY])
    expect(placeOn(goal(recurrence, { status: 2 }), MONDAY)).toBe("off");
});

const drawnGoal = fc
  .record({
    recurrence: fc.oneof(
      fc.constant<Recurrence>(DAILY),
      fc
        .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })
        .map((weekdays): Recurrence => ({ every: "weekdays", weekdays })),
      fc.integer({ min: 1, max: 7 }).map((times): Recurrence => ({ every: "week", times })),
    ),
    marks: fc.array(fc.constantFrom(...MARKS), { minLength: 7, maxLength: 7 }),
    index: fc.integer({ min: 0, max: 6 }),
  })
  // Days to come have no progress; they may be skipped.
  .map(({ marks, index, ...rest }) => ({
    ...rest,
    index,
    marks: marks.map((mark, at) => (at > index && mark !== "skipped" ? "none" : mark)),
  }));

test("R-85 a goal is due exactly when leaving the day out misses its day or its week, unless it is skipped", () => {
  fc.assert(
    fc.property(drawnGoal, ({ recurrence, marks, index }) => {
      const day = plusDays(MONDAY, index);
      const one = goal(recurrence, { days: week(...marks) });
      const isFree = marks[index] === "done" || marks[index] === "skipped";
      const asked =
        recurrence.every === "week"
          ? Math.min(recurrence.times, marks.filter((mark) => mark !== "skipped").length)
          : 1;
      const reachable = marks.filter(
        (mark, at) => mark === "done" || (at > index && mark !== "skipped"),
      ).length;
      const isMissed =
        recurrence.every === "week"
          ? reachable < asked
          : recurrence.every === "day" || recurrence.weekdays.includes(weekdayOf(day));
      return isDue(one, day) === (!isFree && isMissed);
    }),
  );
});

test("N-23 a reminder fires for every due goal, and beyond them for one of this week or without a repetition", () => {
  fc.assert(
    fc.property(drawnGoal, ({ recurrence, marks, index }) => {
      const day = plusDays(MONDAY, index);
      const one = goal(recurrence, { days: week(...marks) });
      const isFree = marks[index] === "done" || marks[index] === "skipped";
      const isInWeek = recurrence.every === "week" && placeOn(one, day) === "week" && !isFree;
      return isOpenOn(one, day) === (isDue(one, day) || isInWeek);
    }),
  );
  expect(isOpenOn(goal(null), MONDAY)).toBe(true);
  expect(isOpenOn(goal(null, { days: week("skipped") }), MONDAY)).toBe(false);
  expect(isOpenOn(goal(null, { amountElapsed: 2000 }), MONDAY)).toBe(false);
});

test("R-85 the pace of a long goal is that of its days so far", () => {
  const pace = (amountElapsed: number, days: number) =>
    daysAtPace(goal(null, { amount: 10_000, amountElapsed }), {
      from: instant(0),
      now: instant(days * DAY),
    });
  expect([pace(1000, 2), pace(5000, 5), pace(5000, 0.1)]).toEqual([18, 5, 1]);
  expect([pace(0, 5), pace(10_000, 5)]).toEqual([null, null]);
});

test("R-85 due goals come first, then this week's, long and reached ones", () => {
  const places = (["reached", "long", "due", "week", "due"] as const).map((place, n) => ({ place, n }));
  expect(sortByPlace(places).map(({ place, n }) => `${place} ${n}`)).toEqual([
    "due 2",
    "due 4",
    "week 3",
    "long 1",
    "reached 0",
  ]);
});
