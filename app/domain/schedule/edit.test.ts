// The host's edits, and how later dates follow (T-05 to T-08, U-47).
import { describe, expect, test } from "vitest";
import { seconds } from "~/domain/time";
import {
  addPart,
  clearPartStart,
  describePart,
  duplicatePart,
  movePart,
  removePart,
  reorderParts,
  setIntervals,
  setKind,
  setPartDuration,
  setPartEnd,
  setPartStart,
  setRelativeStart,
} from "./edit";
import { accepted, datesText, loose, minute, part, refusalSentence, START, schedule } from "./fixtures";
import { layOut, type Plan } from "./plan";
import { findPart, type Schedule } from "./shape";

const plan: Plan = { sessionStart: START, rosterSize: 2 };
const lay = (...groups: Parameters<typeof schedule>): Schedule => layOut(schedule(...groups), START, 2);
const row = (): Schedule => lay([part("a", 5), part("b", 5), part("c", 5)]);
const absolute = (n: number) => ({ startedAt: minute(n), relativeStart: null });
const started = {
  state: "running",
  startedAt: minute(0),
  endedAt: minute(5),
  plannedStartAt: minute(0),
} as const;

describe("T-05 in a linked group", () => {
  test("T-05 changing a duration moves every later part", () => {
    expect(datesText(accepted(setPartDuration(row(), "a", 600, plan)))).toBe("a 0-10, b 10-15, c 15-20");
    expect(datesText(accepted(setPartDuration(row(), "b", 60, plan)))).toBe("a 0-5, b 5-6, c 6-11");
  });
  test("T-05 changing an end sets the part's duration", () => {
    const edited = accepted(setPartEnd(row(), "b", minute(12), plan));
    expect(datesText(edited)).toBe("a 0-5, b 5-12, c 12-17");
    expect(findPart(edited, "b")?.duration).toBe(420);
  });
  test("T-05 changing the first start moves all", () => {
    expect(datesText(accepted(setPartStart(row(), "a", minute(20), plan)))).toBe("a 20-25, b 25-30, c 30-35");
  });
  test("T-05 changing a later start moves the parts after it and leaves no gap before it", () => {
    expect(datesText(accepted(setPartStart(row(), "b", minute(8), plan)))).toBe("a 0-8, b 8-13, c 13-18");
    expect(datesText(accepted(setPartStart(row(), "b", minute(2), plan)))).toBe("a 0-2, b 2-7, c 7-12");
  });
  test("T-05 a later start cannot be earlier than the previous start", () => {
    expect(refusalSentence(setPartStart(row(), "b", minute(0), plan))).toBe("The duration cannot be 0");
    expect(refusalSentence(setPartStart(row(), "b", minute(-1), plan))).toBe(
      "A timer cannot end before it starts.",
    );
  });
  test("T-05 the next group follows if it is measured from this one", () => {
    const two = lay([part("a", 5)], [part("b", 5), part("c", 5)], {
      ...loose,
      parts: [part("d", 5, absolute(60))],
    });
    expect(datesText(accepted(setPartDuration(two, "a", 600, plan)))).toBe(
      "a 0-10, b 10-15, c 15-20, d 60-65",
    );
  });
});

describe("T-05 without links", () => {
  const open = () => lay({ ...loose, parts: [part("a", 5, absolute(0)), part("b", 5, absolute(20))] });
  test("T-05 a start, a duration or an end moves only its part", () => {
    expect(datesText(accepted(setPartStart(open(), "a", minute(3), plan)))).toBe("a 3-8, b 20-25");
    expect(datesText(accepted(setPartDuration(open(), "a", 600, plan)))).toBe("a 0-10, b 20-25");
    expect(datesText(accepted(setPartEnd(open(), "a", minute(9), plan)))).toBe("a 0-9, b 20-25");
  });
  test("T-05 setting a start makes it absolute", () => {
    const relative = lay({ ...loose, parts: [part("a", 5), part("b", 5)] });
    const edited = accepted(setPartStart(relative, "b", minute(30), plan));
    expect(findPart(edited, "b")?.relativeStart).toBe(null);
    expect(datesText(accepted(setPartDuration(edited, "a", 60, plan)))).toBe("a 0-1, b 30-35");
  });
  test("T-05 dates can be set before the session has one (V-23 reports it)", () => {
    const none: Plan = { sessionStart: null, rosterSize: 1 };
    const given = schedule([part("a", 5), part("b", 5)]);
    expect(datesText(accepted(setPartStart(given, "a", minute(9), none)))).toBe("a 9-14, b 14-19");
  });
});

test("T-08 an end of a per-participant part sets the length of each turn", () => {
  const each = lay([part("a", 5, { isPerParticipant: true }), part("b", 5)]);
  const edited = accepted(setPartEnd(each, "a", minute(30), plan));
  expect(datesText(edited)).toBe("a 0-30, b 30-35");
  expect(findPart(edited, "a")?.duration).toBe(900);
  expect(datesText(accepted(setKind(row(), "a", { isPerParticipant: true }, plan)))).toBe(
    "a 0-10, b 10-15, c 15-20",
  );
});

test.each([
  ["half a second", 0.5, "A duration is in whole seconds."],
  ["less than nothing", -1, "A duration is in whole seconds."],
  ["nothing", 0, "The duration cannot be 0"],
])("V-22 a duration of %s is refused", (_, duration, sentence) => {
  expect(refusalSentence(setPartDuration(row(), "a", duration, plan))).toBe(sentence);
});

test("V-22 a part without dates may have duration 0", () => {
  const undated = layOut(schedule([part("a", 5)]), null, 1);
  const edited = accepted(setPartDuration(undated, "a", 0, { sessionStart: null, rosterSize: 1 }));
  expect(findPart(edited, "a")?.duration).toBe(0);
});

describe("T-06 clearing a date", () => {
  test.each([
    ["a", "a ?, b ?, c ?"],
    ["b", "a 0-5, b ?, c ?"],
    ["c", "a 0-5, b 5-10, c ?"],
  ])("T-06 of %s clears the dates of the later parts", (id, expected) => {
    const cleared = accepted(clearPartStart(row(), id, plan));
    expect(datesText(cleared)).toBe(expected);
    // The dates stay cleared after other edits.
    expect(datesText(layOut(cleared, START, 2))).toBe(expected);
  });
  test("T-06 absolute dates of later groups are cleared too, earlier ones stay", () => {
    const open = lay({ ...loose, parts: [part("a", 5, absolute(0)), part("b", 5, absolute(9))] }, [
      part("c", 5, absolute(20)),
      part("d", 5),
    ]);
    expect(datesText(accepted(clearPartStart(open, "b", plan)))).toBe("a 0-5, b ?, c ?, d ?");
  });
  test("T-06 setting a date again restores the linked dates", () => {
    const cleared = accepted(clearPartStart(row(), "b", plan));
    expect(datesText(accepted(setPartStart(cleared, "b", minute(5), plan)))).toBe("a 0-5, b 5-10, c 10-15");
    expect(
      datesText(
        accepted(setRelativeStart(cleared, "b", { startOf: "after-previous-ends", timeFrom: 0 }, plan)),
      ),
    ).toBe("a 0-5, b 5-10, c 10-15");
  });
});

test("T-07 'before previous ends' is refused in a linked group and accepted elsewhere", () => {
  const before = { startOf: "before-previous-ends", timeFrom: 300 } as const;
  expect(refusalSentence(setRelativeStart(row(), "b", before, plan))).toBe(
    "Timer #2 starts before the previous timer ends, so it cannot be linked.",
  );
  const open = lay({ ...loose, parts: [part("a", 10), part("b", 5)] });
  expect(datesText(accepted(setRelativeStart(open, "b", before, plan)))).toBe("a 0-10, b 5-10");
});

test("T-05 inside a linked group there is no distance to the previous part, except before the first", () => {
  const distance = { startOf: "after-previous-ends", timeFrom: 300 } as const;
  expect(refusalSentence(setRelativeStart(row(), "b", distance, plan))).toBe(
    "In a linked group each timer starts when the one before it ends.",
  );
  expect(datesText(accepted(setRelativeStart(row(), "a", distance, plan)))).toBe("a 5-10, b 10-15, c 15-20");
});

test("T-14 intervals times sets determine the duration, and another duration is refused", () => {
  const intervals = [
    { id: "w", title: "Work", duration: seconds(45) },
    { id: "r", title: "Rest", duration: seconds(15) },
  ];
  const edited = accepted(setIntervals(row(), "a", intervals, 10, plan));
  expect(datesText(edited)).toBe("a 0-10, b 10-15, c 15-20");
  const sentence = "An interval timer lasts as long as its intervals.";
  expect(refusalSentence(setPartDuration(edited, "a", 60, plan))).toBe(sentence);
  expect(refusalSentence(setPartEnd(edited, "a", minute(3), plan))).toBe(sentence);
  expect(datesText(accepted(setIntervals(edited, "a", [], 1, plan)))).toBe(datesText(edited));
});

describe("U-47 adding, removing and moving parts", () => {
  test("U-47 adding gives the part its dates", () => {
    expect(datesText(accepted(addPart(row(), "g1", part("x", 1), plan)))).toBe(
      "a 0-5, b 5-10, c 10-15, x 15-16",
    );
    expect(datesText(accepted(addPart(row(), "g1", part("x", 1), plan, 1)))).toBe(
      "a 0-5, x 5-6, b 6-11, c 11-16",
    );
    expect(refusalSentence(addPart(row(), "g1", part("a", 1), plan))).toBe(
      "There is already a timer with this id.",
    );
  });
  test("U-47 removing closes the gap, and the last part takes its group along", () => {
    expect(datesText(accepted(removePart(row(), "b", plan)))).toBe("a 0-5, c 5-10");
    expect(
      accepted(removePart(lay([part("a", 5)], [part("b", 5)]), "a", plan)).groups.map(({ id }) => id),
    ).toEqual(["g2"]);
    expect(refusalSentence(removePart(row(), "nobody", plan))).toBe("This timer no longer exists.");
  });
  test("U-47 a copy comes right after its original, with ids of its own", () => {
    const timer = part("a", 0, { intervals: [{ id: "i", title: "", duration: seconds(60) }] });
    const copied = accepted(duplicatePart(lay([timer, part("b", 5)]), "a", "n", plan));
    expect(datesText(copied)).toBe("a 0-1, n 1-2, b 2-7");
    expect(findPart(copied, "n")?.intervals[0]?.id).toBe("n~1");
    const dated = lay({ ...loose, parts: [part("a", 5, absolute(10))] });
    expect(datesText(accepted(duplicatePart(dated, "a", "n", plan)))).toBe("a 10-15, n 15-20");
  });
  test("U-47 moving and reordering recompute the dates", () => {
    expect(datesText(accepted(movePart(row(), "c", "g1", 0, plan)))).toBe("c 0-5, a 5-10, b 10-15");
    expect(datesText(accepted(reorderParts(row(), "g1", ["b", "c", "a"], plan)))).toBe(
      "b 0-5, c 5-10, a 10-15",
    );
    expect(datesText(accepted(reorderParts(row(), "g1", ["c"], plan)))).toBe("c 0-5, a 5-10, b 10-15");
    expect(refusalSentence(reorderParts(row(), "g1", ["a", "nobody"], plan))).toBe(
      "This timer no longer exists.",
    );
  });
  test("U-47 a linked group keeps its date whichever part comes first", () => {
    const dated = () => lay([part("a", 5, absolute(60)), part("b", 5)]);
    expect(datesText(accepted(movePart(dated(), "b", "g1", 0, plan)))).toBe("b 60-65, a 65-70");
    expect(datesText(accepted(addPart(dated(), "g1", part("x", 1), plan, 0)))).toBe(
      "x 60-61, a 61-66, b 66-71",
    );
    expect(datesText(accepted(removePart(dated(), "a", plan)))).toBe("b 60-65");
  });
  test("U-47 without links each part keeps its own date", () => {
    const open = lay({ ...loose, parts: [part("a", 5, absolute(0)), part("b", 5, absolute(20))] });
    expect(datesText(accepted(movePart(open, "b", "g1", 0, plan)))).toBe("b 20-25, a 0-5");
  });
  test("U-47 a part moves into another group", () => {
    const two = lay([part("a", 5), part("b", 5)], [part("c", 5)]);
    const moved = accepted(movePart(two, "a", "g2", 1, plan));
    expect(moved.groups.map((group) => group.parts.map(({ id }) => id))).toEqual([["b"], ["c", "a"]]);
    expect(datesText(moved)).toBe("b 0-5, c 5-10, a 10-15");
    expect(datesText(accepted(reorderParts(two, "g2", ["b", "c"], plan)))).toBe("a 0-5, b 5-10, c 10-15");
  });
});

describe("a part that has begun keeps its place", () => {
  const running = () => lay([part("a", 5, started), part("b", 5), part("c", 5)]);
  test.each([
    ["its start", setPartStart(running(), "a", minute(1), plan)],
    ["its end", setPartEnd(running(), "a", minute(9), plan)],
    ["its duration", setPartDuration(running(), "a", 60, plan)],
    ["its date", clearPartStart(running(), "a", plan)],
  ])("%s cannot be edited", (_, edit) => {
    expect(refusalSentence(edit)).toBe("This timer has already started.");
  });
  test("a running part cannot be removed, and nothing moves before it", () => {
    expect(refusalSentence(removePart(running(), "a", plan))).toBe(
      "This timer is running. Please finish it first.",
    );
    const sentence = "A timer cannot be put before one that has already started.";
    expect(refusalSentence(movePart(running(), "c", "g1", 0, plan))).toBe(sentence);
    expect(refusalSentence(addPart(running(), "g1", part("x", 1), plan, 0))).toBe(sentence);
    expect(datesText(accepted(movePart(running(), "c", "g1", 1, plan)))).toBe("a 0-5, c 5-10, b 10-15");
  });
  test("a date set during the run becomes the new plan", () => {
    const open = lay({
      ...loose,
      parts: [part("a", 5, started), part("b", 5, { ...absolute(20), plannedStartAt: minute(20) })],
    });
    const moved = accepted(setPartStart(open, "b", minute(30), plan));
    expect([datesText(moved), findPart(moved, "b")?.plannedStartAt]).toEqual(["a 0-5, b 30-35", minute(30)]);
    const planned = accepted(setPartStart(row(), "a", minute(30), plan));
    expect(findPart(planned, "a")?.plannedStartAt).toBe(null);
  });
  test("T-09 V-25 a date before the previous end is refused, unless it is less than a minute before it", () => {
    const open = lay({
      ...loose,
      parts: [part("a", 5, started), part("b", 5, { ...absolute(20), plannedStartAt: minute(20) })],
    });
    expect(setPartStart(open, "b", minute(4), plan)).toEqual({ ok: false, code: "overlap", number: 2 });
    expect(datesText(accepted(setPartStart(open, "b", minute(4.5), plan)))).toBe("a 0-5, b 5-10");
  });
  test("T-06 clearing a date clears the planned dates of the later parts too", () => {
    const open = lay({
      ...loose,
      parts: [
        part("a", 5, started),
        part("b", 5, { ...absolute(20), plannedStartAt: minute(20) }),
        part("c", 5, { ...absolute(40), plannedStartAt: minute(40) }),
      ],
    });
    const cleared = accepted(clearPartStart(open, "b", plan));
    expect(datesText(cleared)).toBe("a 0-5, b ?, c ?");
    expect(datesText(accepted(setPartStart(cleared, "c", minute(30), plan)))).toBe("a 0-5, b ?, c 30-35");
  });
  test("its texts may change", () => {
    expect(findPart(accepted(describePart(running(), "a", { title: "New" })), "a")?.title).toBe("New");
  });
});

test("T-05 a part without a start refuses an end, and an unknown group refuses a part", () => {
  const open = schedule([part("a", 5)]);
  expect(refusalSentence(setPartEnd(open, "a", minute(9), { sessionStart: null, rosterSize: 1 }))).toBe(
    "Please set the start date of this timer first.",
  );
  expect(refusalSentence(movePart(row(), "a", "nobody", 0, plan))).toBe(
    "This group of timers no longer exists.",
  );
  expect(refusalSentence(setPartEnd(row(), "a", minute(-1), plan))).toBe(
    "A timer cannot end before it starts.",
  );
  expect(refusalSentence(setPartEnd(row(), "a", minute(0), plan))).toBe("The duration cannot be 0");
});
