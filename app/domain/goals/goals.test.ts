import { expect, test } from "vitest";
import { foldText } from "~/domain/folding";
import { seconds } from "~/domain/time";
import {
  buttonDraft,
  canLogGoal,
  distanceRemaining,
  GOAL_STATUS,
  isPersonal,
  isProgressComplete,
  NEW_BUTTON,
  NEW_GOAL,
  ownsGoal,
  progressOf,
  type QuickLogButton,
  quickLogsOf,
  tidyTags,
  timerOf,
} from "./goals";
import { buttonsOfDay } from "./today-row";

const button = { uuid: "b", title: "A page", amount: 1000, status: 2 } as QuickLogButton;

const countable = { quickLogButtons: [], amount: null, unit: "", duration: null, actionDuration: null };

test(`U-17 a goal's quick-log buttons are its own, and a countable goal without any offers "one more"`, () => {
  expect(quickLogsOf({ ...countable, quickLogButtons: [button], amount: 10_000 })).toEqual([button]);
  expect(quickLogsOf({ ...countable, amount: 10_000 })).toMatchObject([
    { uuid: "", amount: 1000, status: 2 },
  ]);
  for (const amount of [null, 0]) expect(quickLogsOf({ ...countable, amount })).toEqual([]);
});

test("R-85 a goal in minutes without own buttons has buttons of minutes, up to its target or an hour", () => {
  const minutes = (over: object) =>
    quickLogsOf({ ...countable, ...over }).map(({ amount, duration }) => [amount, duration]);
  expect(minutes({ actionDuration: seconds(1200) })).toEqual([
    [null, 600],
    [null, 900],
    [null, 1200],
  ]);
  expect(minutes({ duration: seconds(36_000), amount: 1000 })).toEqual([
    [null, 1800],
    [null, 2700],
    [null, 3600],
  ]);
  expect(minutes({ amount: 10_000, unit: "minutes" })).toEqual([
    [5000, null],
    [10_000, null],
  ]);
  expect(minutes({ actionDuration: seconds(30) })).toEqual([]);
  expect(minutes({ actionDuration: seconds(1200), amount: 5000, unit: "pages" })).toEqual([[1000, null]]);
});

test("R-85 a row of Today asks for the rest of its day, and for nothing once that is done", () => {
  const daily = {
    ...countable,
    distance: null,
    completionsRequired: 1,
    recurrence: { every: "day" } as const,
  };
  const done = { amountElapsed: 0, durationElapsed: 0, distanceElapsed: 0 };
  const row = (over: object, totals: object = {}) =>
    buttonsOfDay({ ...daily, ...over }, { ...done, ...totals }).map(({ amount, duration, distance }) => ({
      amount,
      duration,
      distance,
    }));
  const pages = { amount: 10_000, unit: "pages" };
  expect(row(pages, { amountElapsed: 3000 })).toEqual([{ amount: 7000, duration: null, distance: null }]);
  expect(row(pages, { amountElapsed: 10_000 })).toEqual([]);
  expect(row({ distance: 5_000_000 }, { distanceElapsed: 1_000_000 })).toMatchObject([
    { distance: 4_000_000 },
  ]);
  expect(row({ actionDuration: seconds(1200) }, { durationElapsed: 300_000 })).toMatchObject([
    { duration: 600 },
    { duration: 900 },
  ]);
  expect(row({ actionDuration: seconds(1200) }, { durationElapsed: 1_200_000 })).toEqual([]);
  expect(row({})).toMatchObject([{ amount: 1000 }]);
  expect(row({ ...pages, quickLogButtons: [button] }, { amountElapsed: 3000 })).toMatchObject([
    { amount: 1000 },
  ]);
  // A goal without a repetition has no day to fill.
  expect(row({ ...pages, recurrence: null })).toMatchObject([{ amount: 1000 }]);
});

const targets = {
  amount: null,
  distance: null,
  duration: null,
  actionDuration: null,
  completionsRequired: 1,
};
const totals = { amountElapsed: 0, durationElapsed: 0, distanceElapsed: 0 };

test.each([
  ["an amount", { amount: 4000 }, { amountElapsed: 1000 }, 0.25],
  ["a distance", { distance: 4000 }, { distanceElapsed: 1000 }, 0.25],
  ["a span, in milliseconds", { duration: seconds(4) }, { durationElapsed: 1000 }, 0.25],
  [
    "its action's span before its own",
    { duration: seconds(1), actionDuration: seconds(4) },
    { durationElapsed: 1000 },
    0.25,
  ],
  [
    "the measure that is furthest",
    { amount: 4000, distance: 4000 },
    { amountElapsed: 1000, distanceElapsed: 2000 },
    0.5,
  ],
  ["several times over", { amount: 1000, completionsRequired: 4 }, { amountElapsed: 1000 }, 0.25],
  [
    "once where nothing says how often",
    { amount: 1000, completionsRequired: 0 },
    { amountElapsed: 500 },
    0.5,
  ],
  ["nothing where nothing is asked", { amount: 0 }, { amountElapsed: 1000 }, 0],
])("E-25 progress counts %s", (_, asked, done, progress) => {
  const [goal, sums] = [
    { ...targets, ...asked },
    { ...totals, ...done },
  ];
  expect(progressOf(goal, sums)).toBe(progress);
  expect(isProgressComplete(goal, sums)).toBe(false);
  expect(isProgressComplete({ ...goal, amount: 1 }, { ...sums, amountElapsed: 9000 })).toBe(true);
});

test("E-25 a goal is complete at exactly its target amount", () => {
  const goal = { ...targets, amount: 2000, completionsRequired: 2 };
  expect(isProgressComplete(goal, { ...totals, amountElapsed: 4000 })).toBe(true);
  expect(isProgressComplete(goal, { ...totals, amountElapsed: 3999 })).toBe(false);
});

test("E-25 the remaining distance is never negative", () => {
  const left = (distance: number | null, distanceElapsed: number) =>
    distanceRemaining({ distance }, { ...totals, distanceElapsed });
  expect([left(null, 5), left(9, 5), left(9, 10)]).toEqual([null, 4, 0]);
});

test("A-10 U-24 a personal goal belongs to its owner, everybody seated logs a session's goal, nobody an activity's", () => {
  const own = { userId: 1, sessionId: null, activityId: null };
  expect([ownsGoal({ id: 1 }, own), ownsGoal({ id: 2 }, own), ownsGoal(null, own)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([
    isPersonal(own),
    isPersonal({ ...own, sessionId: 3 }),
    isPersonal({ ...own, activityId: 3 }),
  ]).toEqual([true, false, false]);
  expect([canLogGoal({ id: 1 }, own, false), canLogGoal({ id: 2 }, own, true)]).toEqual([true, false]);
  const shared = { ...own, sessionId: 3 };
  expect([
    canLogGoal({ id: 2 }, shared, true),
    canLogGoal({ id: 1 }, shared, false),
    canLogGoal(null, shared, true),
  ]).toEqual([true, false, false]);
  expect(canLogGoal({ id: 1 }, { ...own, activityId: 3 }, true)).toBe(false);
});

test("K-03 a new goal and a new button have an amount of 1", () => {
  expect(NEW_GOAL).toEqual({ amount: 1000, sets: 1, action: "Do", completionsRequired: 1 });
  expect(NEW_BUTTON).toEqual({ amount: 1000, completionsRequired: 1, status: 1 });
  expect(GOAL_STATUS).toEqual({ open: 1, completed: 2 });
});

test("E-09 E-11 a log refers to its timer, and a button provides the values of its log", () => {
  const timer = { uuid: "t", title: "", duration: seconds(60), isInterval: false, sets: 2, timers: [] };
  expect(timerOf({ timers: [timer] }, { timerUuid: "t" })).toBe(timer);
  expect(timerOf({ timers: [timer] }, { timerUuid: null })).toBeNull();
  const made = { ...button, content: "c", action: "Read", distance: 5, duration: seconds(9), order: 3 };
  expect(buttonDraft({ ...made, completionsRequired: 2 })).toEqual({
    title: "A page",
    content: "c",
    action: "Read",
    amount: 1000,
    distance: 5,
    duration: 9,
    status: 2,
  });
});

test("C-39 tags are trimmed, unique and at most twenty", () => {
  expect(tidyTags([" Morning  Run ", "morning run", "", "B"])).toEqual(["morning run", "b"]);
  expect(tidyTags(Array.from({ length: 30 }, (_, i) => `t${i}`))).toHaveLength(20);
  expect(foldText("  Ça   VA ")).toBe("ca va");
});
