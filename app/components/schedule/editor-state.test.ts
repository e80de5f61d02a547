// The reducer of the part editor: every button, undo and redo.
import { describe, expect, test } from "vitest";
import { datesText, loose, minute, part, START, schedule } from "~/domain/schedule/fixtures";
import type { Schedule } from "~/domain/schedule/shape";
import { seconds } from "~/domain/time";
import { type EditorAction, type EditorPlan, type EditorState, editParts, openEditor } from "./editor-state";

const planned: EditorPlan = { sessionStart: START, isManuallyStarted: false, rosterSize: 1 };
const manual: EditorPlan = { sessionStart: null, isManuallyStarted: true, rosterSize: 1 };
const three = () => schedule([part("a", 5), part("b", 10)], [part("c", 5)]);
const opened = (given: Schedule = three(), plan = planned) => openEditor(given, plan);
const then = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(editParts, state);
const ids = ({ schedule: { groups } }: EditorState) =>
  groups.map((group) => group.parts.map(({ id }) => id).join("")).join("|");

test("opens with dates computed from the session's start", () => {
  expect(datesText(opened().schedule)).toBe("a 0-5, b 5-15, c 15-20");
});

test("K-03 a new timer lasts 5 minutes, a new group has auto-start", () => {
  const state = then(
    opened(schedule()),
    { type: "add-group", groupId: "g", partId: "p" },
    { type: "add-part", groupId: "g", partId: "q" },
  );
  expect(datesText(state.schedule)).toBe("p 0-5, q 5-10");
  expect(state.schedule.groups[0]).toMatchObject({ isAutoStart: true, isLinked: true });
  expect(state.focusOn).toBe("q");
});

describe("U-47 order", () => {
  test.each<[string, EditorAction, string]>([
    ["down within a group", { type: "step-part", partId: "a", by: 1 }, "ba|c"],
    ["up within a group", { type: "step-part", partId: "b", by: -1 }, "ba|c"],
    ["down into the next group, at its head", { type: "step-part", partId: "b", by: 1 }, "a|bc"],
    [
      "up into the group before, and its emptied group goes",
      { type: "step-part", partId: "c", by: -1 },
      "abc",
    ],
    ["up at the very top does nothing", { type: "step-part", partId: "a", by: -1 }, "ab|c"],
    ["down at the very end does nothing", { type: "step-part", partId: "c", by: 1 }, "ab|c"],
    ["dragged into another group", { type: "move-part", partId: "a", groupId: "g2", index: 1 }, "b|ca"],
    ["deleting the last of a group removes the group", { type: "remove-part", partId: "c" }, "ab"],
    ["a group moves whole", { type: "move-group", groupId: "g2", index: 0 }, "c|ab"],
  ])("U-47 %s", (_, action, expected) => {
    expect(ids(then(opened(), action))).toBe(expected);
  });
  test("U-47 a move is announced with the new position, and dates follow", () => {
    const state = then(opened(), { type: "step-part", partId: "a", by: 1 });
    expect(state.announcement).toBe("Timer 1, moved to position 2 of 2 in group 1.");
    expect(datesText(state.schedule)).toBe("b 0-10, a 10-15, c 15-20");
  });
});

test("T-05 a duration moves every later part, and an end sets the duration", () => {
  const longer = then(opened(), { type: "set-duration", partId: "a", seconds: 600 });
  expect(datesText(longer.schedule)).toBe("a 0-10, b 10-20, c 20-25");
  const ended = then(opened(), { type: "set-end", partId: "a", at: minute(7) });
  expect(datesText(ended.schedule)).toBe("a 0-7, b 7-17, c 17-22");
});

test("T-14 intervals determine the length", () => {
  const intervals = [
    { id: "i", title: "Run", duration: seconds(40) },
    { id: "j", title: "Rest", duration: seconds(20) },
  ];
  const state = then(opened(), { type: "set-intervals", partId: "a", intervals, sets: 3 });
  expect(datesText(state.schedule)).toBe("a 0-3, b 3-13, c 13-18");
});

test("V-22 a duration of 0 is refused at its part and changes nothing", () => {
  const state = then(opened(), { type: "set-duration", partId: "b", seconds: 0 });
  expect(state.refusal).toEqual({ targetId: "b", sentence: "The duration cannot be 0" });
  expect(datesText(state.schedule)).toBe("a 0-5, b 5-15, c 15-20");
  expect(then(state, { type: "set-title", partId: "b", title: "x" }).refusal).toBeNull();
});

test("T-06 clearing a date clears those of the later parts", () => {
  const state = then(opened(), { type: "clear-start", partId: "b" });
  expect(datesText(state.schedule)).toBe("a 0-5, b ?, c ?");
});

test("T-02 a start before the previous one ends, in an unlinked group", () => {
  const given = schedule({ ...loose, parts: [part("a", 10), part("b", 10)] });
  const relativeStart = { startOf: "before-previous-ends", timeFrom: 300 } as const;
  const state = then(opened(given), { type: "set-relative-start", partId: "b", relativeStart });
  expect(datesText(state.schedule)).toBe("a 0-10, b 5-15");
  const linked = then(state, { type: "set-linked", groupId: "g1", isLinked: true });
  expect(linked.refusal?.targetId).toBe("g1");
});

describe("T-10 manual start", () => {
  const given = () => schedule([part("a", 5)], { ...loose, parts: [part("b", 5)] });
  test("T-10 has no dates and links all groups, and switching it off restores the links", () => {
    const on = then(opened(given()), { type: "set-plan", plan: manual });
    expect(datesText(on.schedule)).toBe("a ?, b ?");
    expect(on.schedule.groups.map((group) => group.isLinked)).toEqual([true, true]);
    const off = then(on, { type: "set-plan", plan: planned });
    expect(datesText(off.schedule)).toBe("a 0-5, b 5-10");
    expect(off.schedule.groups.map((group) => group.isLinked)).toEqual([true, false]);
  });
  test("T-10 a group cannot be unlinked meanwhile", () => {
    const state = then(opened(given(), manual), { type: "set-linked", groupId: "g1", isLinked: false });
    expect(state.schedule.groups.every((group) => group.isLinked)).toBe(true);
  });
});

test("a new start of the session moves all dates", () => {
  const later: EditorPlan = { ...planned, sessionStart: minute(60) };
  expect(datesText(then(opened(), { type: "set-plan", plan: later }).schedule)).toBe(
    "a 60-65, b 65-75, c 75-80",
  );
});

test("P2 the plan that the editor opened with renders nothing again", () => {
  const state = opened();
  expect(editParts(state, { type: "set-plan", plan: { ...planned } })).toBe(state);
  expect(editParts(state, { type: "set-plan", plan: { ...planned, rosterSize: 7 } })).not.toBe(state);
});

describe("undo", () => {
  test("undo and redo, one step each", () => {
    const state = then(
      opened(),
      { type: "remove-part", partId: "a" },
      { type: "step-part", partId: "b", by: 1 },
    );
    expect(ids(state)).toBe("bc");
    const back = then(state, { type: "undo" }, { type: "undo" }, { type: "undo" });
    expect(ids(back)).toBe("ab|c");
    expect(ids(then(back, { type: "redo" }, { type: "redo" }, { type: "redo" }))).toBe("bc");
  });
  test("typing a title is one step, and a new action clears the redo steps", () => {
    const typed = then(
      opened(),
      { type: "set-title", partId: "a", title: "W" },
      { type: "set-title", partId: "a", title: "Wa" },
      { type: "set-title", partId: "b", title: "R" },
    );
    expect(typed.past).toHaveLength(2);
    const undone = then(typed, { type: "undo" }, { type: "undo" });
    expect(undone.schedule.groups[0]?.parts.map(({ title }) => title)).toEqual(["", ""]);
    expect(then(undone, { type: "remove-part", partId: "c" }).future).toEqual([]);
  });
});
