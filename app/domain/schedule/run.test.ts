// The host's actions during a session (S-05, T-10 to T-15, R-13, R-29).

import { describe, expect, test } from "vitest";
import { seconds } from "~/domain/time";
import { advanceSchedule } from "./advance";
import {
  absolute,
  accepted,
  byHand,
  context,
  datesText,
  loose,
  minute,
  part,
  refusalSentence,
  START,
  schedule,
  startedSchedule,
  statesText,
  three,
} from "./fixtures";
import { MAX_TURNS, partSpan } from "./part-kinds";
import { layOut } from "./plan";
import {
  adjustPart,
  finishPart,
  pausePart,
  resetPart,
  resumePart,
  startPart,
  startSchedule,
  updateTurns,
} from "./run";
import { type Edit, findPart, partsInOrder, type Schedule } from "./shape";
import { turnAt } from "./timer-pieces";
import { timerAt } from "./timers";

const auto = (n = 0) => startedSchedule(schedule(three()), n);
const manual = (n = 0) => startedSchedule(schedule({ ...byHand, parts: three() }), n);
type Move = (schedule: Schedule, partId: string, ctx: ReturnType<typeof context>) => Edit;
const play = (given: Schedule, ...moves: [Move, string, number][]): Schedule =>
  moves.reduce((value, [move, id, n]) => accepted(move(value, id, context(n))), given);

describe("S-05 the start", () => {
  test("S-05 dates are computed and stored as the plan, and due auto-start parts run", () => {
    const started = auto();
    expect(statesText(started)).toBe("a> 0-5, b 5-10, c 10-15");
    expect(started.groups[0]?.parts.map((one) => one.plannedStartAt)).toEqual([
      minute(0),
      minute(5),
      minute(10),
    ]);
    expect(statesText(manual())).toBe("a 0-5, b 5-10, c 10-15");
  });
  test("T-10 a manual start puts all parts in sequence from that instant and links them", () => {
    const given = schedule(
      {
        ...loose,
        parts: [part("a", 5, absolute(100)), part("b", 5, { isUndated: true, relativeStart: null })],
      },
      {
        ...loose,
        ...byHand,
        parts: [part("c", 5, { relativeStart: { startOf: "after-previous-ends", timeFrom: 300 } })],
      },
    );
    const started = startSchedule(layOut(given, null, 1), minute(7), context(7), { isManuallyStarted: true });
    expect(statesText(started)).toBe("a> 7-12, b 12-17, c 22-27");
    expect(started.groups.every((group) => group.isLinked)).toBe(true);
  });
  test("R-13 an early start moves absolute dates along", () => {
    const given = layOut(schedule({ ...loose, parts: [part("a", 5), part("b", 5, absolute(30))] }), START, 1);
    const started = startSchedule(given, minute(-10), context(-10), { plannedStart: START });
    expect(statesText(started)).toBe("a> -10--5, b 20-25");
    expect(datesText(startSchedule(given, START, context(0), { plannedStart: START }))).toBe(
      "a 0-5, b 30-35",
    );
  });
  test("R-13 without a planned start all parts run in sequence, with their links unchanged", () => {
    const given = schedule({ ...loose, parts: [part("a", 5, absolute(100)), part("b", 5)] });
    const started = startSchedule(given, minute(3), context(3), { plannedStart: null });
    expect(statesText(started)).toBe("a> 3-8, b 8-13");
    expect(started.groups[0]?.isLinked).toBe(false);
  });
});

describe("T-12 pause and resume", () => {
  test("T-12 resume moves the start and all later linked parts by the paused time", () => {
    const paused = play(auto(), [pausePart, "a", 2]);
    expect(statesText(paused)).toBe("a= 0-5, b 5-10, c 10-15");
    const resumed = play(paused, [resumePart, "a", 6]);
    expect(statesText(resumed)).toBe("a> 4-9, b 9-14, c 14-19");
    expect(findPart(resumed, "a")?.pausedAt).toBe(null);
    expect(timerAt(findPart(resumed, "a") ?? part("", 0), minute(6)).elapsed).toBe(2 * 60_000);
  });
  test("T-12 nothing ends or starts during a pause", () => {
    const paused = play(auto(), [pausePart, "a", 2]);
    expect(statesText(advanceSchedule(paused, context(500)).schedule)).toBe(statesText(paused));
  });
  test("T-12 pausing a part that is not running and resuming one that is not paused are refused", () => {
    expect(refusalSentence(pausePart(auto(), "b", context(1)))).toBe("This timer is not running.");
    expect(refusalSentence(pausePart(auto(), "a", context(5)))).toBe("This timer is not running.");
    expect(refusalSentence(resumePart(auto(), "a", context(1)))).toBe("This timer is not paused.");
    expect(refusalSentence(pausePart(auto(), "nobody", context(1)))).toBe("This timer no longer exists.");
  });
  test("T-12 Start on a paused part resumes it", () => {
    expect(statesText(play(auto(), [pausePart, "a", 2], [startPart, "a", 6]))).toBe(
      "a> 4-9, b 9-14, c 14-19",
    );
  });
  test("T-12 an absolute date of the plan stays, unless the previous part still runs then", () => {
    const given = (n: number) =>
      startedSchedule(schedule([part("a", 5)], { ...loose, parts: [part("b", 5, absolute(n))] }));
    expect(statesText(play(given(20), [pausePart, "a", 2], [resumePart, "a", 6]))).toBe("a> 4-9, b 20-25");
    const pushed = play(given(6), [pausePart, "a", 2], [resumePart, "a", 6]);
    expect(statesText(pushed)).toBe("a> 4-9, b 9-14");
    expect(statesText(play(pushed, [finishPart, "a", 6]))).toBe("a. 4-6, b> 6-11");
  });
});

describe("T-13 starting early or late", () => {
  test("T-13 early: the running previous part ends, and linked parts after it move up", () => {
    expect(statesText(play(auto(), [startPart, "b", 2]))).toBe("a. 0-2, b> 2-7, c 7-12");
  });
  test("T-13 late: linked parts after move", () => {
    expect(statesText(play(manual(), [startPart, "a", 3]))).toBe("a> 3-8, b 8-13, c 13-18");
    expect(statesText(play(manual(), [startPart, "a", 0], [startPart, "b", 9]))).toBe(
      "a. 0-5, b> 9-14, c 14-19",
    );
  });
  test("T-13 skipped parts in a linked group end as they start, so that all still touch", () => {
    expect(statesText(play(auto(), [startPart, "c", 2]))).toBe("a. 0-2, b. 2-2, c> 2-7");
  });
  test("T-13 skipped parts of other groups keep waiting", () => {
    const given = startedSchedule(
      schedule({ ...byHand, parts: [part("a", 5)] }, { ...byHand, parts: [part("b", 5)] }),
    );
    const started = play(given, [startPart, "b", 2]);
    expect(statesText(started)).toBe("a 7-12, b> 2-7");
    expect(statesText(play(started, [startPart, "a", 4]))).toBe("a> 4-9, b. 2-4");
  });
  test("T-09 a part that requested the overlap runs beside the previous one", () => {
    const before = { relativeStart: { startOf: "before-previous-ends", timeFrom: 300 } } as const;
    const given = startedSchedule(
      schedule({ ...loose, ...byHand, parts: [part("a", 10), part("b", 10, before)] }),
    );
    expect(statesText(play(given, [startPart, "a", 0], [startPart, "b", 5]))).toBe("a> 0-10, b> 5-15");
    expect(statesText(play(given, [startPart, "b", 0], [startPart, "a", 5]))).toBe("a> 5-15, b> 0-10");
  });
  test("T-07 in a linked group no parts run at once, regardless of their start rules", () => {
    const before = { relativeStart: { startOf: "before-previous-ends", timeFrom: 300 } } as const;
    const given = startedSchedule(schedule({ ...byHand, parts: [part("a", 10), part("b", 10, before)] }));
    expect(statesText(play(given, [startPart, "a", 0], [startPart, "b", 5]))).toBe("a. 0-5, b> 5-15");
  });
  test("T-13 an overdue part starts at the host's action, not in the past", () => {
    const before = { relativeStart: { startOf: "before-previous-ends", timeFrom: 1800 } } as const;
    const given = startedSchedule(
      schedule({ ...byHand, parts: [part("a", 5)] }, { ...loose, parts: [part("b", 9, before)] }),
    );
    expect(statesText(play(given, [startPart, "a", 60]))).toBe("a> 60-65, b> 60-69");
  });
  test("T-13 a running or finished part is not started again", () => {
    expect(refusalSentence(startPart(auto(), "a", context(1)))).toBe("This timer is already running.");
    expect(refusalSentence(startPart(auto(), "a", context(6)))).toBe(
      "This timer has ended. Reset it to run it again.",
    );
  });
  test("T-13 a paused part that another one ends has run only until its pause", () => {
    const ended = play(auto(), [pausePart, "a", 2], [startPart, "b", 9]);
    expect(statesText(ended)).toBe("a. 7-9, b> 9-14, c 14-19");
  });
});

describe("R-29 finish and reset", () => {
  test("R-29 finish ends a part now, and linked parts move up", () => {
    expect(statesText(play(auto(), [finishPart, "a", 3]))).toBe("a. 0-3, b> 3-8, c 8-13");
    expect(statesText(play(manual(), [startPart, "a", 0], [finishPart, "a", 3]))).toBe(
      "a. 0-3, b 3-8, c 8-13",
    );
    expect(statesText(play(auto(), [pausePart, "a", 2], [finishPart, "a", 4]))).toBe(
      "a. 2-4, b> 4-9, c 9-14",
    );
    expect(refusalSentence(finishPart(auto(), "b", context(3)))).toBe("This timer is not running.");
  });
  test("R-29 a reset part waits for the host, even in an auto-start group", () => {
    const reset = play(auto(), [resetPart, "a", 3]);
    expect(statesText(reset)).toBe("a 0-5, b 5-10, c 10-15");
    expect(statesText(advanceSchedule(reset, context(60)).schedule)).toBe("a 0-5, b 5-10, c 10-15");
    expect(findPart(reset, "a")?.isHeld).toBe(true);
    expect(findPart(play(reset, [startPart, "a", 60]), "a")?.isHeld).toBe(undefined);
    expect(statesText(play(reset, [startPart, "a", 60]))).toBe("a> 60-65, b 65-70, c 70-75");
    expect(statesText(advanceSchedule(play(reset, [startPart, "a", 60]), context(66)).schedule)).toBe(
      "a. 60-65, b> 65-70, c 70-75",
    );
  });
  test("R-29 reset also resets later linked parts", () => {
    expect(statesText(play(auto(), [resetPart, "a", 7]))).toBe("a 0-5, b 5-10, c 10-15");
  });
});

describe("R-29 adjust", () => {
  const adjust = (given: Schedule, id: string, span: number, n: number) =>
    adjustPart(given, id, span, context(n));
  test("R-29 added minutes lengthen a part and move linked ones, removed minutes shorten it", () => {
    expect(statesText(accepted(adjust(auto(), "a", 120, 2)))).toBe("a> 0-7, b 7-12, c 12-17");
    expect(statesText(accepted(adjust(auto(), "a", -120, 2)))).toBe("a> 0-3, b 3-8, c 8-13");
    expect(statesText(accepted(adjust(auto(), "b", 60, 2)))).toBe("a> 0-5, b 5-11, c 11-16");
  });
  test("R-29 paused parts can be adjusted too", () => {
    const paused = play(auto(), [pausePart, "a", 2]);
    const longer = accepted(adjust(paused, "a", 60, 4));
    expect(statesText(play(longer, [resumePart, "a", 4]))).toBe("a> 2-8, b 8-13, c 13-18");
  });
  test.each([
    ["more than is left", "a", -180, "There is less time left than that. You can finish this timer instead."],
    ["half a second", "a", 0.5, "Please give whole seconds."],
    ["no number", "a", Number.NaN, "Please give whole seconds."],
    ["all of a waiting part", "b", -300, "The duration cannot be 0"],
  ])("R-29 removing %s is refused", (_, id, span, sentence) => {
    expect(refusalSentence(adjust(auto(), id, span, 2))).toBe(sentence);
  });
  test("R-29 R-61 in a per-participant part the current turn changes, or with all each later one too", () => {
    const each = startedSchedule(schedule([part("a", 5, { isPerParticipant: true }), part("b", 5)]), 6, [
      "ann",
      "bob",
      "cy",
    ]);
    const ctx = context(6, ["ann", "bob", "cy"]);
    const longer = accepted(adjustPart(each, "a", 60, ctx));
    const timer = findPart(longer, "a") ?? part("", 0);
    expect(turnAt(timer, minute(6))).toMatchObject({ username: "bob", remaining: 5 * 60_000 });
    expect(statesText(longer)).toBe("a> 0-16, b 16-21");
    expect(timer.duration).toBe(300);
    const all = accepted(adjustPart(each, "a", 60, ctx, true));
    expect(statesText(all)).toBe("a> 0-17, b 17-22");
    expect(turnAt(findPart(all, "a") ?? timer, minute(12))).toMatchObject({
      username: "cy",
      remaining: 5 * 60_000,
    });
    // Taking away more than is left passes the turn on now; nothing goes back to ann.
    const short = accepted(adjustPart(each, "a", -600, ctx));
    expect(turnAt(findPart(short, "a") ?? timer, minute(6))).toMatchObject({ username: "cy", index: 2 });
    expect(statesText(short)).toBe("a> 0-11, b 11-16");
    // Added time stays with its turn when somebody before it leaves.
    const left = updateTurns(longer, context(6, ["ann", "cy"]));
    expect(turnAt(findPart(left, "a") ?? timer, minute(6))).toMatchObject({
      username: "cy",
      remaining: 5 * 60_000,
    });
    expect(statesText(updateTurns(all, context(6, ["ann", "cy"])))).toBe("a> 0-12, b 12-17");
  });
  test("R-29 R-61 the current interval of the current set changes, and a waiting interval timer does not", () => {
    const intervals = [{ id: "i", title: "", duration: seconds(60) }];
    const given = startedSchedule(schedule([part("a", 0, { intervals, sets: 5 }), part("b", 5)]));
    const longer = accepted(adjust(given, "a", 60, 2.5));
    expect(statesText(longer)).toBe("a> 0-6, b 6-11");
    expect(findPart(longer, "a")).toMatchObject({ duration: 300, sets: 5, intervals });
    const readAt = (from: Schedule, n: number) => {
      const { set, intervalRemaining } = timerAt(findPart(from, "a") ?? part("", 0), minute(n));
      return [set, intervalRemaining];
    };
    expect([1.5, 2.5, 3.5, 4.5].map((n) => readAt(longer, n))).toEqual([
      [2, 30_000],
      [3, 90_000],
      [3, 30_000],
      [4, 30_000],
    ]);
    // The interval ends now; the next one begins, and the first never returns.
    const shorter = accepted(adjust(longer, "a", -600, 3));
    expect(readAt(shorter, 3)).toEqual([4, 60_000]);
    expect(statesText(shorter)).toBe("a> 0-5, b 5-10");
    expect(statesText(accepted(adjust(given, "a", -600, 4.5)))).toBe("a. 0-4.5, b> 4.5-9.5");
    expect(statesText(accepted(adjustPart(given, "a", 60, context(2.5), true)))).toBe("a> 0-8, b 8-13");
    expect(refusalSentence(adjustPart(given, "a", -60, context(2.5), true))).toBe(
      "There is less time than that in a later one.",
    );
    const most = (30 * 24 * 60 - 5) * 60;
    expect(refusalSentence(adjust(given, "a", most + 1, 2))).toBe("A timer lasts at most 30 days.");
    expect(accepted(adjust(given, "a", most, 2))).toBeTruthy();
    const waiting = startedSchedule(schedule({ ...byHand, parts: [part("a", 0, { intervals, sets: 5 })] }));
    expect(refusalSentence(adjust(waiting, "a", 60, 2))).toBe(
      "An interval timer lasts as long as its intervals.",
    );
  });
  test("R-29 a finished part keeps its length", () => {
    expect(refusalSentence(adjust(auto(), "a", 60, 6))).toBe("This timer has ended.");
  });
});

describe("T-15 the roster changes", () => {
  const all = ["ann", "bob", "cy"];
  const each = (n: number) =>
    startedSchedule(
      schedule([part("a", 5, { isPerParticipant: true }), part("b", 5, { isPerParticipant: true })]),
      n,
      all,
    );
  const change = (given: Schedule, n: number, roster: string[]) => updateTurns(given, context(n, roster));
  const turns = (given: Schedule) => findPart(given, "a")?.turns;
  const whose = (given: Schedule, n: number) =>
    turnAt(findPart(given, "a") ?? part("", 0), minute(n))?.username;

  test("T-15 everybody on the roster has a turn, in order of joining", () => {
    expect(statesText(each(0))).toBe("a> 0-15, b 15-30");
    expect(turns(each(0))).toEqual(all);
  });
  test("T-15 a leaver loses future turns, and linked parts move", () => {
    const left = change(each(2), 2, ["ann", "cy"]);
    expect(statesText(left)).toBe("a> 0-10, b 10-20");
    expect(turns(left)).toEqual(["ann", "cy"]);
  });
  test("T-15 leaving after a person's turn changes nothing", () => {
    const left = change(each(7), 7, ["bob", "cy"]);
    expect(statesText(left)).toBe("a> 0-15, b 15-25");
    expect(whose(left, 7)).toBe("bob");
  });
  test("T-15 leaving during a person's turn gives the next person a full turn", () => {
    const left = change(each(7), 7, ["ann", "cy"]);
    expect([whose(left, 7), statesText(left)]).toEqual(["cy", "a> 0-12, b 12-22"]);
    expect(timerAt(findPart(left, "a") ?? part("", 0), minute(7)).remaining).toBe(5 * 60_000);
  });
  test("T-15 leaving during the last turn ends the part", () => {
    expect(statesText(change(each(12), 12, ["ann", "bob"]))).toBe("a. 0-12, b> 12-22");
  });
  test("T-15 a joiner is appended, and a returning person gets no second turn", () => {
    const joined = change(each(7), 7, [...all, "dee"]);
    expect([turns(joined), statesText(joined)]).toEqual([[...all, "dee"], "a> 0-20, b 20-40"]);
    expect(turns(change(change(each(7), 7, ["bob", "cy"]), 8, [...all, "ann"]))).toEqual(all);
  });
  test("T-15 a person who left before the turn and returns comes last", () => {
    const left = change(each(2), 2, ["ann", "cy"]);
    expect(turns(change(left, 3, ["ann", "cy", "bob"]))).toEqual(["ann", "cy", "bob"]);
  });
  test("T-15 during a pause the paused turn passes on in the same way", () => {
    const paused = accepted(pausePart(each(7), "a", context(7, all)));
    const left = change(paused, 9, ["ann", "cy"]);
    expect([whose(left, 9), whose(left, 30)]).toEqual(["cy", "cy"]);
    expect(statesText(accepted(resumePart(left, "a", context(10, ["ann", "cy"]))))).toBe("a> 3-15, b 15-25");
  });
  test("T-15 a waiting per-participant part counts the participants present at its start", () => {
    const later = change(each(7), 7, [...all, "dee"]);
    const two = advanceSchedule(change(later, 18, ["bob", "dee"]), context(21, ["bob", "dee"])).schedule;
    expect([statesText(two), findPart(two, "b")?.turns]).toEqual(["a. 0-20, b> 20-30", ["bob", "dee"]]);
  });
  test("T-15 when everybody has left the part ends", () => {
    expect(findPart(change(each(2), 2, []), "a")?.state).toBe("finished");
  });
  test("T-08 T-15 a finished part keeps its length and drops its names, however it ended", () => {
    const over = {
      byItself: advanceSchedule(each(0), context(16, all)).schedule,
      byTheHost: accepted(finishPart(each(0), "a", context(7, all))),
      byStartingTheNext: accepted(startPart(each(0), "b", context(7, all))),
      byLeaving: change(each(12), 12, ["ann", "bob"]),
    };
    const lengths = Object.values(over).map((given) => {
      const a = findPart(given, "a") ?? part("", 0);
      return [a.state, a.turns, partSpan(a, 99) / 60];
    });
    expect(lengths).toEqual([15, 7, 7, 12].map((minutes) => ["finished", [], minutes]));
  });
});

describe("R-35 simultaneous turns", () => {
  const crowd = (people: number) => Array.from({ length: people }, (_, n) => `p${n}`);
  const side = { relativeStart: { startOf: "before-previous-ends", timeFrom: 3600 } as const };
  const each = (id: string) => part(id, 1, { isPerParticipant: true });
  const both = (isAutoStart: boolean) =>
    schedule([each("a")], { isLinked: false, isAutoStart, parts: [{ ...each("b"), ...side }] });
  const running = (given: Schedule) =>
    Object.fromEntries(partsInOrder(given).map(({ id, state, turns }) => [id, [state, turns.length]]));

  test("R-35 T-11 T-15 a part with too many turns starts after the one beside it has ended", () => {
    const few = crowd(MAX_TURNS / 2);
    const many = crowd(MAX_TURNS / 2 + 1);
    expect(running(startedSchedule(both(true), few.length - 1, few))).toMatchObject({
      b: ["running", few.length],
    });
    const waiting = startedSchedule(both(true), many.length - 1, many);
    expect(running(waiting)).toEqual({ a: ["running", many.length], b: ["waiting", 0] });
    const after = advanceSchedule(waiting, context(many.length, many)).schedule;
    expect(running(after)).toEqual({ a: ["finished", 0], b: ["running", many.length] });
    expect(findPart(after, "b")?.startedAt).toBe(minute(many.length));
  });
  test("R-35 the refusal names the timer that the host must finish first", () => {
    const people = crowd(MAX_TURNS);
    const one = startedSchedule(both(false), 1, people);
    expect(refusalSentence(startPart(one, "b", context(1, people)))).toBe(
      "Too many people take turns in another timer. Please finish that one first.",
    );
    const free = accepted(finishPart(one, "a", context(2, people)));
    expect(running(accepted(startPart(free, "b", context(2, people))))).toMatchObject({
      b: ["running", people.length],
    });
  });
  test("R-35 T-15 if there are more people than turns, the first get a turn, and joiners are appended up to the limit", () => {
    const people = crowd(MAX_TURNS + 1);
    expect(running(startedSchedule(schedule([each("a")]), 0, people))).toEqual({
      a: ["running", MAX_TURNS],
    });
    const half = crowd(MAX_TURNS / 2 - 1);
    const two = accepted(startPart(startedSchedule(both(false), 0, half), "b", context(1, half)));
    const joined = updateTurns(two, context(1, [...half, "x", "y", "z"]));
    expect(running(joined)).toEqual({ a: ["running", half.length + 2], b: ["running", half.length] });
  });
});
