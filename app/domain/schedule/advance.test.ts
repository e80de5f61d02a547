// Scheduled starts and ends (T-11, T-16, S-09), the next alarm, and the schedule at an instant.
import { describe, expect, test } from "vitest";
import { type Instant, MINUTE } from "~/domain/time";
import { advanceSchedule, effectiveSchedule, nextTransitionAt, planOffsetSeconds } from "./advance";
import {
  absolute,
  accepted,
  byHand,
  context,
  datesText,
  loose,
  minute,
  part,
  START,
  schedule,
  startedSchedule,
  statesText,
  three,
} from "./fixtures";
import { adjustPart, pausePart, startPart } from "./run";
import type { Schedule } from "./shape";

const auto = () => startedSchedule(schedule(three()));
const manual = () => startedSchedule(schedule({ ...byHand, parts: three() }));
const at = (given: Schedule, n: number, roster?: string[]) =>
  advanceSchedule(given, context(n, roster)).schedule;
const inMinutes = (when: Instant | null) => (when === null ? null : (when - START) / MINUTE);
const alarm = (given: Schedule, n: number, roster?: string[]) =>
  inMinutes(nextTransitionAt(given, context(n, roster)));

test.each([
  [0, "a> 0-5, b 5-10, c 10-15"],
  [4.99, "a> 0-5, b 5-10, c 10-15"],
  [5, "a. 0-5, b> 5-10, c 10-15"],
  [12, "a. 0-5, b. 5-10, c> 10-15"],
  [15, "a. 0-5, b. 5-10, c. 10-15"],
  [9999, "a. 0-5, b. 5-10, c. 10-15"],
])("T-11 auto-start parts start and end on schedule: minute %d", (n, expected) => {
  expect(statesText(at(auto(), n))).toBe(expected);
});

test("L-09 a late alarm catches up in order, at the exact instants, and a second one changes nothing", () => {
  const { schedule: caughtUp, events } = advanceSchedule(auto(), context(11));
  expect(events).toEqual([
    { type: "part-finished", partId: "a", at: minute(5) },
    { type: "part-started", partId: "b", at: minute(5) },
    { type: "part-finished", partId: "b", at: minute(10) },
    { type: "part-started", partId: "c", at: minute(10) },
  ]);
  expect(advanceSchedule(caughtUp, context(11))).toEqual({ schedule: caughtUp, events: [] });
});

describe("T-11 parts that wait for the host", () => {
  test("T-11 do not start on schedule, nor do linked parts after them", () => {
    expect(statesText(at(manual(), 60))).toBe("a 0-5, b 5-10, c 10-15");
  });
  test.each([
    [-1, "a 0-5, b 5-10, c 10-15"],
    [0, "a 0-5, b 5-10, c 10-15"],
    [3, "a 3-8, b 8-13, c 13-18"],
    [60, "a 60-65, b 65-70, c 70-75"],
  ])("T-11 shift all linked parts while they wait: minute %d", (n, expected) => {
    expect(datesText(effectiveSchedule(manual(), minute(n), 1))).toBe(expected);
  });
  test("T-11 hold back an auto-start group measured from them, not one with its own date", () => {
    const given = startedSchedule(
      schedule({ ...byHand, parts: [part("a", 5)] }, [part("b", 5)], {
        ...loose,
        parts: [part("c", 5, absolute(30))],
      }),
    );
    expect(statesText(at(given, 20))).toBe("a 0-5, b 5-10, c 30-35");
    expect(datesText(effectiveSchedule(given, minute(20), 1))).toBe("a 20-25, b 25-30, c 30-35");
    expect(datesText(effectiveSchedule(given, minute(28), 1))).toBe("a 28-33, b 33-38, c 30-35");
    expect(statesText(at(given, 31))).toBe("a 35-40, b 40-45, c> 30-35");
    const started = accepted(startPart(given, "a", context(28)));
    expect(statesText(at(started, 40))).toBe("a. 28-33, b. 33-38, c> 38-43");
  });
  test("T-11 a manual part ends on schedule, and the next waits", () => {
    const started = accepted(startPart(manual(), "a", context(1)));
    expect(statesText(at(started, 30))).toBe("a. 1-6, b 6-11, c 11-16");
    expect(datesText(effectiveSchedule(at(started, 30), minute(30), 1))).toBe("a 1-6, b 30-35, c 35-40");
  });
});

test("T-11 a part measured from the start of a waiting part is shown after it", () => {
  const early = { relativeStart: { startOf: "after-previous-starts", timeFrom: 300 } } as const;
  const given = startedSchedule(
    schedule({ ...loose, ...byHand, parts: [part("a", 5), part("b", 5, early)] }),
  );
  const longer = accepted(adjustPart(given, "a", 300, context(0)));
  expect(datesText(effectiveSchedule(longer, minute(20), 1))).toBe("a 20-30, b 30-35");
});

test("L-09 at one instant ends come before starts", () => {
  const given = startedSchedule(
    schedule(
      { ...loose, parts: [part("a", 5, absolute(7))] },
      { ...loose, ...byHand, parts: [part("b", 5)] },
    ),
  );
  const running = accepted(startPart(given, "b", context(2)));
  expect(advanceSchedule(running, context(7)).events.map(({ type, partId }) => `${partId} ${type}`)).toEqual([
    "b part-finished",
    "a part-started",
  ]);
});

test("T-11 a paused part holds back later parts, even dated ones, and they are shown as if it resumed now", () => {
  const given = startedSchedule(schedule([part("a", 5)], { ...loose, parts: [part("b", 5, absolute(6))] }));
  const paused = accepted(pausePart(given, "a", context(2)));
  expect(statesText(at(paused, 20))).toBe("a= 0-5, b 6-11");
  const shown = effectiveSchedule(paused, minute(20), 1);
  expect(datesText(shown)).toBe("a 18-23, b 23-28");
});

test("T-02 a part without a date never starts on schedule", () => {
  const given = startedSchedule(
    schedule({ ...loose, parts: [part("a", 5), part("b", 5, { relativeStart: null })] }),
  );
  expect(statesText(at(given, 60))).toBe("a. 0-5, b ?");
});

test("T-09 'before previous ends' starts beside the previous part", () => {
  const before = { relativeStart: { startOf: "before-previous-ends", timeFrom: 300 } } as const;
  const given = startedSchedule(schedule({ ...loose, parts: [part("a", 10), part("b", 10, before)] }));
  expect(statesText(at(given, 7))).toBe("a> 0-10, b> 5-15");
  expect(statesText(at(given, 12))).toBe("a. 0-10, b> 5-15");
});

test("a change made now has no effect in the past", () => {
  const flipped: Schedule = { groups: manual().groups.map((group) => ({ ...group, isAutoStart: true })) };
  const { schedule: caughtUp, events } = advanceSchedule(flipped, context(30), minute(30));
  expect(statesText(caughtUp)).toBe("a> 30-35, b 35-40, c 40-45");
  expect(events).toEqual([{ type: "part-started", partId: "a", at: minute(30) }]);
});

describe("L-09 the next alarm", () => {
  test.each([
    ["the end of the running part", auto(), 2, 5],
    ["the next end", at(auto(), 5), 5, 10],
    ["nothing when all has ended", at(auto(), 60), 60, null],
    ["nothing while waiting for the host", manual(), 60, null],
    ["nothing while paused", accepted(pausePart(auto(), "a", context(2))), 30, null],
    ["the end of a manual part", accepted(startPart(manual(), "a", context(1))), 1, 6],
    [
      "the start of a dated part",
      startedSchedule(schedule({ ...loose, parts: [part("a", 5, absolute(20))] })),
      0,
      20,
    ],
  ])("L-09 is %s", (_, given, n, expected) => {
    expect(alarm(given, n)).toBe(expected);
  });
  test("T-15 is each change of turn", () => {
    const roster = ["ann", "bob", "cy"];
    const given = startedSchedule(schedule([part("a", 5, { isPerParticipant: true })]), 0, roster);
    expect([0, 4, 5, 9, 10, 14].map((n) => alarm(given, n, roster))).toEqual([5, 5, 10, 10, 15, 15]);
  });
  test("T-14 ignores intervals, because screens count those themselves", () => {
    const intervals = [{ id: "i", title: "", duration: part("x", 1).duration }];
    expect(alarm(startedSchedule(schedule([part("a", 0, { intervals, sets: 5 })])), 0)).toBe(5);
  });
});

describe("T-16 alarms that are early or late", () => {
  const seconds = (n: number) => n / 60;
  const given = startedSchedule(schedule(["a", "b", "c", "d"].map((id) => part(id, seconds(10)))));
  test("T-16 an alarm 25 seconds late applies every start since then, each at its own instant", () => {
    const { events } = advanceSchedule(given, context(seconds(35)));
    const starts = events.filter(({ type }) => type === "part-started");
    expect(starts.map(({ partId, at: when }) => [partId, when])).toEqual([
      ["b", minute(seconds(10))],
      ["c", minute(seconds(20))],
      ["d", minute(seconds(30))],
    ]);
  });
  test.each([60, 1, 0.001])(
    "T-16 an alarm %d s early starts nothing and is due again at the start",
    (ahead) => {
      const only = startedSchedule(schedule({ ...loose, parts: [part("a", 5, absolute(20))] }));
      const now = 20 - seconds(ahead);
      expect(advanceSchedule(only, context(now)).events).toEqual([]);
      expect(alarm(only, now)).toBe(20);
    },
  );
});

describe("ahead of and behind the plan", () => {
  const offset = (given: Schedule, n: number) => planOffsetSeconds(given, minute(n)) / 60;
  test.each([
    ["as planned", auto(), 2, 0],
    ["the host is awaited since minute 0", manual(), 7, 7],
    ["begun late", accepted(startPart(manual(), "a", context(3))), 4, 3],
    ["begun early", accepted(startPart(auto(), "b", context(3))), 4, -2],
    ["paused since minute 2", accepted(pausePart(auto(), "a", context(2))), 6, 4],
    ["the last part begun late", accepted(startPart(manual(), "c", context(17))), 18, 7],
    ["over", at(auto(), 60), 60, 0],
    ["without parts", schedule(), 5, 0],
  ])("%s", (_, given, n, expected) => {
    expect(offset(given, n)).toBe(expected);
  });
});

test("T-09 when a running part is lengthened, a part with its own date waits for all that precede it", () => {
  const running = startedSchedule(
    schedule({ ...loose, parts: [part("a", 5), part("b", 5), part("c", 5, absolute(10))] }),
  );
  expect(statesText(accepted(adjustPart(running, "a", 300, context(2))))).toBe("a> 0-10, b 10-15, c 15-20");
});
