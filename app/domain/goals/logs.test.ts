// Logs: state changes, measures, counts, edits, and the progress of goals.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ANY_READER } from "~/domain/numbers";
import { instant, seconds } from "~/domain/time";
import { isProgressComplete, progressDraft, progressOf, timerSpan } from "./goals";
import { heatMap, measureOf } from "./heat-map";
import { elapsedAt, isToDo, LOG_STATUS, remainingAt } from "./log-state";
import {
  countOf,
  differenceOf,
  editLog,
  hasRunOut,
  isNothing,
  type Log,
  type LogMove,
  logAt,
  logSeenBy,
  moveLog,
  moveRefusal,
  NOTHING,
  newLog,
  pendingEnd,
  spanUntil,
  TIMER_NEEDS_GOAL,
} from "./logs";
import { amountText, startedText } from "./measure-text";

const NOW = instant(Date.UTC(2026, 10, 21, 9, 30));
const later = (ms: number) => instant(NOW + ms);
const draft = (over: object = {}) => ({
  uuid: "u",
  title: "",
  content: { content: "", contentHtml: "", summary: "" },
  action: "Do",
  status: LOG_STATUS.active,
  amount: 0,
  distance: null,
  duration: null,
  qlButtonUuid: null,
  timerUuid: null,
  isInterval: false,
  day: "2026-11-21",
  ...over,
});
const log = (over: object = {}, changed: Partial<Log> = {}): Log => ({
  id: 1,
  goalId: 1,
  username: "ewan",
  sessionId: null,
  sessionGoalUuid: null,
  isWithheld: false,
  ...newLog(draft(over), NOW),
  ...changed,
});
const moved = (from: Log, move: LogMove, ms: number, claim = {}): Log => ({
  ...from,
  ...moveLog(from, move, later(ms), claim),
});

test("S-10 S-11 R-07 a state allows only its own changes", () => {
  const allowed: Record<number, LogMove[]> = {
    1: ["pause", "stop", "complete", "reset"],
    2: ["complete", "reset"],
    3: ["start", "complete", "reset"],
    4: ["start", "complete", "reset"],
  };
  for (const [status, moves] of Object.entries(allowed))
    for (const move of ["start", "pause", "stop", "complete", "reset"] as const)
      expect(moveRefusal(log({}, { status: Number(status) }), move) === null, `${status} ${move}`).toBe(
        moves.includes(move),
      );
});

test("S-13 without a goal a log is stopped and done, and no timer starts or goes back to zero", () => {
  const refused = (status: number) =>
    (["start", "pause", "stop", "complete", "reset"] as const).filter(
      (move) => moveRefusal(log({}, { status, goalId: null }), move) === TIMER_NEEDS_GOAL,
    );
  expect([1, 2, 3, 4].map(refused)).toEqual([["reset"], ["reset"], ["start", "reset"], ["start", "reset"]]);
});

test("S-11 S-12 pause and resume count only running time, Done leaves nothing remaining, and reset clears the log", () => {
  const running = log({ duration: seconds(600) });
  expect(running).toMatchObject({ isTimed: true, startedAt: NOW, endedAt: later(600_000) });
  const paused = moved(running, "pause", 60_000);
  expect(paused).toMatchObject({
    status: 3,
    elapsedDuration: 60_000,
    remainingDuration: 540_000,
    endedAt: null,
  });
  expect(isToDo(paused)).toBe(false);
  expect(elapsedAt(paused, later(3_600_000))).toBe(60_000);
  const again = moved(paused, "start", 100_000);
  expect(again).toMatchObject({ status: 1, pausedAt: null, endedAt: later(640_000) });
  expect(remainingAt(again, later(130_000))).toBe(510_000);
  const done = moved(again, "complete", 130_000);
  expect(done).toMatchObject({
    status: 2,
    elapsedDuration: 90_000,
    remainingDuration: 0,
    endedAt: later(130_000),
  });
  expect(remainingAt(done, later(1))).toBe(0);
  const reset = moved(done, "reset", 200_000);
  expect(reset).toMatchObject({ status: 3, elapsedDuration: 0, startedAt: null, remainingDuration: 600_000 });
  expect(countOf(reset)).toEqual({ amount: 0, distance: 0, duration: 0, logs: 0 });
});

test("R-06 a client's measure is accepted within two seconds of the server's", () => {
  const running = log();
  expect(moved(running, "stop", 60_000, { elapsed: 61_900 }).elapsedDuration).toBe(61_900);
  expect(moved(running, "stop", 60_000, { elapsed: 62_100 }).elapsedDuration).toBe(60_000);
  expect(moved(running, "stop", 60_000, { elapsed: -1 }).elapsedDuration).toBe(60_000);
  expect(moved(running, "pause", 60_000, { at: later(58_500) }).pausedAt).toBe(later(58_500));
  expect(moved(running, "pause", 60_000, { at: later(0) }).pausedAt).toBe(later(60_000));
});

test("R-08 E-26 U-25 a timed log counts its measured time, any other its duration, and one without measures amount 1", () => {
  expect(countOf(moved(log({ amount: 1000, duration: seconds(60) }), "complete", 5000))).toEqual({
    amount: 1000,
    distance: 0,
    duration: 5000,
    logs: 1,
  });
  const done = log({ status: 2, amount: null, duration: seconds(90) });
  expect([done.isTimed, countOf(done).duration, countOf(done).amount]).toEqual([false, 90_000, 0]);
  expect(countOf(log({ status: 2, amount: null })).amount).toBe(1000);
  expect(log({ status: 2, amount: null, distance: 500 }).amount).toBeNull();
  // A to-do log counts nothing until it is started or done.
  const toDo = log({ status: 3, amount: 5000 });
  expect([isToDo(toDo), countOf(toDo).amount, countOf(moved(toDo, "complete", 1)).amount]).toEqual([
    true,
    0,
    5000,
  ]);
});

test("R-54 a running, paused, stopped or planned log counts its measured time and nothing else", () => {
  const running = log({ amount: 1000, distance: 500, duration: seconds(60) });
  const counted = (each: Log) => countOf(each);
  const time = (duration: number) => ({ ...NOTHING, duration });
  expect(counted(running)).toEqual(NOTHING);
  const paused = moved(running, "pause", 5000);
  expect([counted(paused), counted(moved(running, "stop", 7000))]).toEqual([time(5000), time(7000)]);
  expect(counted(moved(paused, "start", 9000))).toEqual(time(5000));
  for (const status of [LOG_STATUS.paused, LOG_STATUS.stopped])
    expect(counted(log({ status, amount: 1000, distance: 500, duration: seconds(60) }))).toEqual(NOTHING);
  const done = moved(paused, "complete", 10_000);
  expect(counted(done)).toEqual({ amount: 1000, distance: 500, duration: 5000, logs: 1 });
});

test("R-54 a started button says what counts when it is done", () => {
  const pages = { amount: 10_000, distance: null };
  expect(startedText(pages, "pages", ANY_READER)).toBe("Started · +10 pages when done");
  expect(startedText({ amount: -1000, distance: 2 * 1_609_344 }, "pages", ANY_READER)).toBe(
    "Started · −1 page · 2 miles when done",
  );
  expect(startedText({ amount: null, distance: null }, "pages", ANY_READER)).toBe("Started");
});

test("R-08 repeated pauses neither lose nor double a second", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ run: fc.nat(100_000), rest: fc.nat(100_000) }), { minLength: 1, maxLength: 20 }),
      (spans) => {
        let at = 0;
        let timed = log({ duration: seconds(36_000) });
        for (const { run, rest } of spans) {
          at += run;
          timed = moved(timed, "pause", at);
          at += rest;
          timed = moved(timed, "start", at);
        }
        const ran = spans.reduce((sum, { run }) => sum + run, 0);
        expect(elapsedAt(timed, later(at))).toBe(ran);
        expect((timed.endedAt ?? 0) - at - NOW).toBe(36_000_000 - ran);
      },
    ),
  );
});

test("R-24 a duration typed into a stopped timed log replaces the measured time, and an unchanged one does not", () => {
  const done = moved(log({ duration: seconds(600) }), "complete", 61_400);
  expect(editLog(done, { duration: seconds(61) })).toEqual({});
  expect(editLog(done, { duration: seconds(120) })).toMatchObject({ elapsedDuration: 120_000 });
  const running = log({ duration: seconds(600) });
  expect(editLog(running, { duration: seconds(60), title: "x" })).toEqual({
    title: "x",
    duration: 60,
    remainingDuration: 60_000,
    endedAt: later(60_000),
  });
  expect(editLog(running, { amount: null })).toEqual({ amount: null });
});

const targets = (over: object) => ({
  amount: null,
  distance: null,
  duration: null,
  actionDuration: null,
  completionsRequired: 1,
  ...over,
});
const totals = (amount: number, minutes = 0) => ({
  amountElapsed: amount,
  durationElapsed: minutes * 60_000,
  distanceElapsed: 0,
});

test("E-25 a goal is complete when its amount or duration ratio reaches the required completions", () => {
  const goal = targets({ amount: 3000, actionDuration: seconds(600), completionsRequired: 2 });
  expect(isProgressComplete(goal, totals(5999, 19))).toBe(false);
  expect(isProgressComplete(goal, totals(6000))).toBe(true);
  expect(isProgressComplete(goal, totals(0, 20))).toBe(true);
  expect(progressOf(goal, totals(3000))).toBe(0.5);
  expect(isProgressComplete(targets({}), totals(9000, 99))).toBe(false);
});

test("U-25 Start Progress counts 1, or starts a unit at 0", () => {
  const goal = { unit: "", actionDuration: seconds(900), duration: null };
  expect(progressDraft(goal)).toEqual({ amount: 1000, duration: 900 });
  expect(progressDraft({ ...goal, unit: "pages" }).amount).toBe(0);
});

test("E-09 an interval timer lasts the sum of its intervals, times its sets", () => {
  const timers = [
    { title: "Work", duration: seconds(1500) },
    { title: "Rest", duration: seconds(300) },
  ];
  expect(timerSpan({ isInterval: true, sets: 4, timers, duration: seconds(1) })).toBe(7200);
  expect(timerSpan({ isInterval: false, sets: 4, timers: [], duration: seconds(60) })).toBe(60);
});

test("U-18 the unit of one is singular", () => {
  expect([1000, 2000, -1000, 1500].map((amount) => amountText(amount, "pages", ANY_READER))).toEqual([
    "1 page",
    "2 pages",
    "−1 page",
    "1.5 pages",
  ]);
  expect(
    ["glasses", "km", "press-ups", "boxes", "series", "abs"].map((unit) =>
      amountText(1000, unit, ANY_READER),
    ),
  ).toEqual(["1 glass", "1 km", "1 press-up", "1 box", "1 series", "1 ab"]);
  expect(amountText(1000, "", ANY_READER)).toBe("1 time");
});

test("X-17 the heat map has a square for each day up to today, four levels, and a total for each week", () => {
  const day = (day: string, amount: number) => ({
    day,
    amount,
    duration: 0,
    distance: 0,
    logs: 1,
    isSkipped: false,
  });
  const days = [
    day("2026-11-16", 4000),
    day("2026-11-18", 1000),
    day("2026-11-20", 0),
    day("2026-11-23", 9000),
  ];
  expect(measureOf(days)).toBe("amount");
  const weeks = heatMap(days, "amount", "2026-11-21", { weeks: 2 });
  expect(weeks.map(({ monday, total, days }) => [monday, total, days.length])).toEqual([
    ["2026-11-09", 0, 7],
    ["2026-11-16", 5000, 6],
  ]);
  expect(weeks[1]?.days.map(({ level }) => level)).toEqual([4, 0, 1, 0, 0, 0]);
  expect(heatMap(days, "amount", "2026-11-21")).toHaveLength(53);
});

test("S-10 only a timed log with a plan has a remaining time", () => {
  const planned = log({ duration: seconds(60) });
  expect(remainingAt(planned, later(20_000))).toBe(40_000);
  expect(remainingAt(planned, later(90_000))).toBe(0);
  expect(remainingAt({ ...planned, isTimed: false }, later(0))).toBeNull();
  expect(remainingAt(log({ duration: null }), later(0))).toBeNull();
  expect(remainingAt(log({ duration: seconds(0) }), later(0))).toBeNull();
  expect(remainingAt(moved(planned, "complete", 20_000), later(30_000))).toBe(0);
});

test("E-26 a new log starts now, is done now, or waits", () => {
  const dates = (over: object) => {
    const { isTimed, startedAt, endedAt, remainingDuration, pausedAt } = newLog(draft(over), NOW);
    return { isTimed, startedAt, endedAt, remainingDuration, pausedAt };
  };
  const none = { isTimed: false, startedAt: null, endedAt: null, remainingDuration: null, pausedAt: null };
  expect(dates({ status: 1 })).toEqual({ ...none, isTimed: true, startedAt: NOW });
  expect(dates({ status: 1, duration: seconds(60) })).toEqual({
    ...none,
    isTimed: true,
    startedAt: NOW,
    endedAt: later(60_000),
    remainingDuration: 60_000,
  });
  expect(dates({ status: 2, duration: seconds(60) })).toEqual({ ...none, endedAt: NOW });
  expect(dates({ status: 3, duration: seconds(60) })).toEqual({ ...none, remainingDuration: 60_000 });
});

test("E-26 a log counts 1 only when it has no measure", () => {
  const amount = (over: object) => newLog(draft({ amount: null, ...over }), NOW).amount;
  expect([amount({}), amount({ amount: 0 }), amount({ distance: 0 }), amount({ duration: 0 })]).toEqual([
    1000,
    0,
    null,
    null,
  ]);
});

test("R-24 an edit changes the fields it names, and clears those it names as empty", () => {
  const done = log({ status: 2, title: "Old", amount: 5000, distance: 2000, duration: seconds(60) });
  expect(editLog(done, {})).toEqual({});
  expect(editLog(done, { title: "", amount: null, distance: null })).toEqual({
    title: "",
    amount: null,
    distance: null,
  });
  expect(editLog(done, { amount: 0, distance: 0 })).toEqual({ amount: 0, distance: 0 });
  // A finished log that was not timed has no remaining time.
  expect(editLog(done, { duration: null })).toEqual({ duration: null });
  const content = { content: "c", contentHtml: "<p>c</p>", summary: "c" };
  expect(editLog(done, { content })).toEqual(content);
});

test("R-24 changing the plan of a running log moves its end, and of a waiting log its remaining time", () => {
  const running = log({ duration: seconds(60) });
  expect(editLog(running, { duration: seconds(90) })).toEqual({
    duration: 90,
    remainingDuration: 90_000,
    endedAt: later(90_000),
  });
  expect(editLog(running, { duration: null })).toEqual({
    duration: null,
    remainingDuration: null,
    endedAt: null,
  });
  const paused = moved(running, "pause", 20_000);
  expect(editLog(paused, { duration: seconds(90) })).toEqual({ duration: 90, remainingDuration: 70_000 });
  expect(editLog(paused, { duration: seconds(10) })).toEqual({ duration: 10, remainingDuration: 0 });
});

test("R-24 a stopped timed log takes the typed duration as measured, and an empty one as zero", () => {
  const stopped = moved(log(), "stop", 20_400);
  expect(editLog(stopped, { duration: seconds(20) })).toEqual({});
  expect(editLog(stopped, { duration: seconds(21) })).toEqual({
    duration: 21,
    elapsedDuration: 21_000,
    remainingDuration: 0,
  });
  expect(editLog(stopped, { duration: null })).toEqual({
    duration: null,
    elapsedDuration: 0,
    remainingDuration: 0,
  });
});

test("R-08 a change of a log changes its goal by the difference, which is zero if the measures are equal", () => {
  const counted = { amount: 5, distance: 3, duration: 2, logs: 1 };
  expect(differenceOf(NOTHING, counted)).toEqual(counted);
  expect(differenceOf(counted, { amount: 1, distance: 1, duration: 1, logs: 0 })).toEqual({
    amount: -4,
    distance: -2,
    duration: -1,
    logs: -1,
  });
  expect(isNothing(differenceOf(counted, counted))).toBe(true);
  for (const measure of ["amount", "distance", "duration", "logs"]) {
    expect(isNothing({ ...NOTHING, [measure]: 1 }), measure).toBe(false);
    expect(isNothing({ ...NOTHING, [measure]: -1 }), measure).toBe(false);
  }
});

test("R-08 a log without a duration counts none, and an edit leaves unnamed fields unchanged", () => {
  expect(countOf(log({ status: 2, amount: 1000 })).duration).toBe(0);
  expect(Object.keys(editLog(log({ status: 2 }), {}))).toEqual([]);
});

test("S-11 a log that has used up its plan restarts without an end", () => {
  const used = moved(log({ duration: seconds(60) }), "stop", 60_000);
  expect(moveLog(used, "start", later(90_000))).toMatchObject({ remainingDuration: 0, endedAt: null });
  const almost = moved(log({ duration: seconds(60) }), "stop", 59_999);
  expect(moveLog(almost, "start", later(90_000)).endedAt).toBe(later(90_001));
});

test("R-62 an interval timer is Done after its last set, with the planned time, and a plain one goes on", () => {
  const interval = log({ duration: seconds(60), isInterval: true });
  expect(pendingEnd(interval, later(59_999))).toBeNull();
  expect(logAt(interval, later(19 * 60_000))).toMatchObject({
    status: LOG_STATUS.done,
    elapsedDuration: 60_000,
    remainingDuration: 0,
    endedAt: later(60_000),
  });
  expect(elapsedAt(interval, later(19 * 60_000))).toBe(60_000);
  const plain = log({ duration: seconds(60) });
  expect(pendingEnd(plain, later(90_000))).toBeNull();
  expect(elapsedAt(plain, later(90_000))).toBe(90_000);
});

test("R-62 a pause moves the end of an interval timer, and a paused one does not end", () => {
  const paused = moved(log({ duration: seconds(60), isInterval: true }), "pause", 20_000);
  expect(pendingEnd(paused, later(600_000))).toBeNull();
  const again = moved(paused, "start", 600_000);
  expect(pendingEnd(again, later(639_999))).toBeNull();
  expect(logAt(again, later(700_000))).toMatchObject({ status: LOG_STATUS.done, elapsedDuration: 60_000 });
});

test("R-62 only a timer that ended by itself, and was not corrected, has run out", () => {
  const interval = log({ duration: seconds(60), isInterval: true });
  const ended = logAt(interval, later(90_000));
  expect([hasRunOut(interval), hasRunOut(ended)]).toEqual([false, true]);
  expect(hasRunOut(moved(interval, "complete", 30_000))).toBe(false);
  expect(hasRunOut({ ...ended, ...editLog(ended, { duration: seconds(19 * 60) }) })).toBe(false);
});

test("R-62 within twelve hours the time until now may be logged instead, in whole minutes", () => {
  const ended = logAt(log({ duration: seconds(60), isInterval: true }), later(90_000));
  expect(spanUntil(ended, later(19 * 60_000 + 59_000))).toBe(19 * 60);
  expect(spanUntil(ended, later(61_000))).toBe(60);
  expect(spanUntil(ended, later(13 * 3_600_000))).toBeNull();
  expect(spanUntil({ ...ended, isInterval: false }, later(90_000))).toBeNull();
});

test("R-57 a withheld log has its texts for its owner only, and its goal where the session shares it", () => {
  const goal = { id: 1, uuid: "g", title: "Read", action: "Read", unit: "page" };
  const texts = { title: "Two pages", content: "By the stove", contentHtml: "<p>By the stove</p>" };
  const open = { ...log({}, texts), action: "Read", goal };
  const withheld = { ...open, isWithheld: true };
  expect(logSeenBy(open, false, false)).toBe(open);
  expect(logSeenBy(withheld, true, false)).toBe(withheld);
  const empty = { title: "", content: "", contentHtml: "", summary: "" };
  expect(logSeenBy(withheld, false, true)).toEqual({ ...withheld, ...empty });
  expect(logSeenBy(withheld, false, false)).toEqual({ ...withheld, ...empty, goal: null, action: "" });
});
