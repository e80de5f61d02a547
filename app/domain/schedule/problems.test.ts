// Tests of the problems that refuse a plan, with the documented sentences (T-07, T-09, V-21 to V-26).
import { expect, test } from "vitest";
import { sessionDurationProblem } from "~/domain/sessions/limits";
import { byHand, loose, minute, part, START, schedule } from "./fixtures";
import { scheduleProblems } from "./problems";
import { scheduleSentence, withSentence } from "./sentences";
import type { RelativeStart, Schedule } from "./shape";

const at = (n: number) => ({ startedAt: minute(n), relativeStart: null });
const before: { relativeStart: RelativeStart } = {
  relativeStart: { startOf: "before-previous-ends", timeFrom: 300 },
};
const problems = (
  given: Schedule,
  over: { sessionStart?: null; isManuallyStarted?: boolean } = {},
): string[] =>
  scheduleProblems(given, { sessionStart: START, isManuallyStarted: false, rosterSize: 2, ...over }).map(
    (problem) =>
      problem.partId === null
        ? scheduleSentence(problem)
        : `${problem.partId} #${problem.number}: ${scheduleSentence(problem)}`,
  );

const ZERO = "The duration cannot be 0";
const NO_START =
  "Please set the challenge start date. The challenge start date must be set if any timer dates are set.";
const OVERLAP = "Parts cannot overlap. The start dates must not occur before the previous timer's end date.";
const early = (n: number) =>
  `The start date of timer #${n} must not occur before the challenge's start date.`;

test("a valid plan has no problems", () => {
  expect(
    problems(schedule([part("a", 5), part("b", 5)], { ...loose, parts: [part("c", 5, at(10))] })),
  ).toEqual([]);
  expect(problems(schedule())).toEqual([]);
});

test.each([
  [0, "Please set the challenge duration."],
  [Number.NaN, "Please set the challenge duration."],
  [299, "A session lasts from 5 minutes to 30 days."],
  [300, null],
  [2_592_000, null],
  [2_592_001, "A session lasts from 5 minutes to 30 days."],
])("V-21 a session of %d seconds", (duration, expected) => {
  expect(sessionDurationProblem(duration)).toBe(expected);
});

test("V-22 a part's duration cannot be 0", () => {
  expect(problems(schedule([part("a", 5), part("b", 0), part("c", 5)]))).toEqual([`b #2: ${ZERO}`]);
});

test("V-22 a part with zero duration and no dates is valid", () => {
  expect(problems(schedule({ ...loose, parts: [part("a", 0, { relativeStart: null })] }))).toEqual([]);
  expect(problems(schedule([part("a", 0)]), { sessionStart: null })).toEqual([]);
  expect(problems(schedule([part("a", 0)]), { sessionStart: null, isManuallyStarted: true })).toEqual([]);
});

test("V-23 dated parts require a start date of the session, unless its start is manual", () => {
  const dated = schedule([part("a", 5, at(0))]);
  expect(problems(dated, { sessionStart: null })).toEqual([NO_START]);
  expect(problems(dated, { sessionStart: null, isManuallyStarted: true })).toEqual([]);
  expect(problems(schedule([part("a", 5)]), { sessionStart: null })).toEqual([]);
});

test("V-24 the first timer does not start before the session", () => {
  expect(problems(schedule([part("a", 5, at(-1))]))).toEqual([`a #1: ${early(1)}`]);
  expect(problems(schedule([part("a", 5, at(0))]))).toEqual([]);
  expect(problems(schedule({ ...loose, parts: [part("a", 5, before)] }))).toEqual([`a #1: ${early(1)}`]);
});

test("V-25 timers must not overlap, but may touch", () => {
  const second = (n: number) => schedule([part("a", 10)], { ...loose, parts: [part("b", 5, at(n))] });
  expect(problems(second(9))).toEqual([`b #2: ${OVERLAP}`]);
  expect(problems(second(10))).toEqual([]);
  expect(problems(schedule({ ...loose, parts: [part("a", 10, at(20)), part("b", 5, at(0))] }))).toEqual([
    `b #2: ${OVERLAP}`,
  ]);
});

test("V-25 a part that starts before the previous one ends overlaps it", () => {
  const given = (timeFrom: 300 | 1800) =>
    schedule({
      ...loose,
      parts: [part("a", 10), part("b", 5, { relativeStart: { startOf: "after-previous-starts", timeFrom } })],
    });
  expect(problems(given(300))).toEqual([`b #2: ${OVERLAP}`]);
  expect(problems(given(1800))).toEqual([]);
});

test("V-25 per-participant parts count a turn for each participant, and sets every repeat", () => {
  const turns = (n: number) =>
    schedule([part("a", 5, { isPerParticipant: true })], { ...loose, parts: [part("b", 5, at(n))] });
  expect(problems(turns(9))).toEqual([`b #2: ${OVERLAP}`]);
  expect(problems(turns(10))).toEqual([]);
  const sets = (n: number) =>
    schedule({ sets: 3, parts: [part("a", 5)] }, { ...loose, parts: [part("b", 5, at(n))] });
  expect(problems(sets(14))).toEqual([`b #2: ${OVERLAP}`]);
  expect(problems(sets(15))).toEqual([]);
});

test("V-25 a repeat that overlaps the previous set is reported for its original part", () => {
  const parts = [
    part("a", 10),
    part("b", 1, { relativeStart: { startOf: "before-previous-ends", timeFrom: 300 } }),
  ];
  expect(problems(schedule({ ...loose, sets: 1, parts }))).toEqual([]);
  expect(problems(schedule({ ...loose, sets: 3, parts }))).toEqual([`a #1: ${OVERLAP}`]);
});

test("T-09 'before previous ends' permits the overlap of that part, not of the next", () => {
  expect(
    problems(schedule({ ...loose, parts: [part("a", 10), part("b", 20, before), part("c", 5)] })),
  ).toEqual([]);
  expect(
    problems(schedule({ ...loose, parts: [part("a", 10), part("b", 2, before), part("c", 5)] })),
  ).toEqual([`c #3: ${OVERLAP}`]);
});

test("T-09 timers are numbered from 1 across all groups, without goals", () => {
  const given = schedule(
    [part("a", 10)],
    { type: "task", parts: [part("goal", 5)] },
    { ...loose, parts: [part("b", 5, at(3))] },
  );
  expect(problems(given)).toEqual([`b #2: ${OVERLAP}`]);
});

test("T-07 'before previous ends' cannot be linked", () => {
  const sentence = "b #2: Timer #2 starts before the previous timer ends, so it cannot be linked.";
  expect(problems(schedule([part("a", 10), part("b", 5, before)]))).toEqual([sentence]);
  const open = schedule({ ...loose, ...byHand, parts: [part("a", 10), part("b", 5, before)] });
  expect(problems(open)).toEqual([]);
  // A manual start links all groups (T-10).
  expect(problems(open, { sessionStart: null, isManuallyStarted: true })).toEqual([sentence]);
});

test("V-26 auto-start parts must be linked when manually started", () => {
  const given = (group: { isLinked: boolean; isAutoStart: boolean }) =>
    schedule({ ...group, parts: [part("a", 5)] });
  const manual = { sessionStart: null, isManuallyStarted: true } as const;
  expect(problems(given({ isLinked: false, isAutoStart: true }), manual)).toEqual([
    "Auto started events must be linked.",
  ]);
  expect(problems(given({ isLinked: true, isAutoStart: true }), manual)).toEqual([]);
  // a manual start links the other groups itself.
  expect(problems(given({ isLinked: false, isAutoStart: false }), manual)).toEqual([]);
  expect(problems(given({ isLinked: false, isAutoStart: true }))).toEqual([]);
});

test("V-25 parts that have begun are not reported, in whatever order the host started them", () => {
  const ran = (from: number, to: number) =>
    ({ state: "finished", startedAt: minute(from), endedAt: minute(to), plannedStartAt: minute(0) }) as const;
  const given = schedule(
    [part("a", 5, ran(5, 10))],
    [part("b", 5, ran(0, 5))],
    [part("c", 0, ran(10, 10)), part("d", 5)],
  );
  expect(problems(given)).toEqual([]);
});

test("V-21 parts may not exceed 30 days in total", () => {
  const day = 24 * 60;
  expect(problems(schedule([part("a", 20 * day), part("b", 10 * day)]))).toEqual([]);
  expect(problems(schedule([part("a", day, at(30 * day))]))).toEqual([
    "A session lasts from 5 minutes to 30 days.",
  ]);
  const long = schedule([part("a", 20 * day), part("b", 10 * day + 1)]);
  expect(problems(long)).toEqual(["A session lasts from 5 minutes to 30 days."]);
  expect(problems(long, { sessionStart: null, isManuallyStarted: true })).toEqual([
    "A session lasts from 5 minutes to 30 days.",
  ]);
});

test("V-23 a single dated part requires the session's start", () => {
  const given = schedule([part("a", 5)], { ...loose, parts: [part("b", 5, at(30))] });
  expect(problems(given, { sessionStart: null })).toEqual([NO_START]);
});

test("V-25 an overlap is shown with the sentence that names its timer", () => {
  const shown = (code: "overlap" | "no-duration") => withSentence({ code, number: 2 }).sentence;
  expect(shown("overlap")).toBe(`${OVERLAP} Timer #2 must not start before the previous timer's end.`);
  expect(shown("no-duration")).toBe("The duration cannot be 0");
});
