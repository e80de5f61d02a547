// A call that sends a whole part back with some fields changed: which of its dates count.
import { describe, expect, test } from "vitest";
import { seconds } from "~/domain/time";
import {
  absolute,
  accepted,
  context,
  datesText,
  loose,
  minute,
  part,
  START,
  schedule,
  statesText,
} from "./fixtures";
import { editPart, type PartChange } from "./part-changes";
import { layOut } from "./plan";
import { startSchedule } from "./run";
import { findPart, type Schedule, withPart } from "./shape";

const plan = { sessionStart: START, rosterSize: 1 };
const planned = () =>
  layOut(schedule({ ...loose, parts: [part("a", 5), part("b", 5), part("c", 5, absolute(60))] }), START, 1);
/** The part as a call answers it. */
const answered = (given: Schedule, id: string): PartChange => {
  const { title, duration, relativeStart, startedAt, endedAt } = findPart(given, id) ?? part(id, 0);
  return { title, duration, relativeStart, startedAt, endedAt };
};
const edit = (id: string, change: PartChange, given = planned()) =>
  datesText(accepted(editPart(given, id, { ...answered(given, id), ...change }, plan)));

test.each([
  ["nothing", "b", {}, "a 0-5, b 5-10, c 60-65"],
  ["the end", "b", { endedAt: minute(20) }, "a 0-5, b 5-20, c 60-65"],
  ["the length", "b", { duration: seconds(600) }, "a 0-5, b 5-15, c 60-65"],
  ["no start of a part with its rule as it was", "b", { startedAt: minute(20) }, "a 0-5, b 5-10, c 60-65"],
  ["no cleared start of such a part", "b", { startedAt: null }, "a 0-5, b 5-10, c 60-65"],
  [
    "the start of a part that loses its rule",
    "b",
    { relativeStart: null, startedAt: minute(20), endedAt: minute(25) },
    "a 0-5, b 20-25, c 60-65",
  ],
  ["the start", "c", { startedAt: minute(70) }, "a 0-5, b 5-10, c 70-75"],
  ["the start, but no end", "c", { startedAt: minute(70), endedAt: minute(90) }, "a 0-5, b 5-10, c 70-75"],
  [
    "the end that comes without a length",
    "c",
    { startedAt: minute(70), endedAt: minute(90), duration: undefined },
    "a 0-5, b 5-10, c 70-90",
  ],
  ["end and length", "c", { endedAt: minute(90), duration: seconds(600) }, "a 0-5, b 5-10, c 60-70"],
  [
    "the rule",
    "b",
    { relativeStart: { startOf: "after-previous-ends", timeFrom: 300 } },
    "a 0-5, b 10-15, c 60-65",
  ],
] as const)("T-05 T-08 of a whole part that comes back, %s counts", (_, id, change, dates) => {
  expect(edit(id, change)).toBe(dates);
});

test("T-05 a relative part that a run moved since it was read keeps its rule and its length", () => {
  const late = withPart(planned(), "b", {
    startedAt: minute(8),
    endedAt: minute(13),
    plannedStartAt: minute(5),
  });
  const read = { startedAt: minute(5), endedAt: minute(10) };
  const changed = accepted(editPart(late, "b", { ...answered(late, "b"), ...read, title: "New" }, plan));
  expect(findPart(changed, "b")).toMatchObject({
    title: "New",
    duration: 300,
    relativeStart: { timeFrom: 0 },
  });
});

describe("T-05 R-69 a whole part from an older read", () => {
  const linked = () => layOut(schedule([part("a", 5), part("b", 5)]), START, 1);
  /** Sends the part back as it was read in `before`, with a new title. */
  const titled = (before: Schedule, now: Schedule, id: string, roster = 1) => {
    const given = { sessionStart: START, rosterSize: roster };
    const changed = accepted(editPart(now, id, { ...answered(before, id), title: "New" }, given));
    expect(findPart(changed, id)?.title).toBe("New");
    return statesText(changed);
  };
  const change = (given: Schedule, id: string, fields: PartChange) =>
    accepted(editPart(given, id, fields, plan));

  test("leaves the length that another edit gave the part before it", () => {
    const now = change(linked(), "a", { duration: seconds(600) });
    expect(titled(linked(), now, "b")).toBe("a 0-10, b 10-15");
    const row = () => planned();
    const longer = change(row(), "a", { duration: seconds(600) });
    expect(titled(row(), longer, "b")).toBe("a 0-10, b 10-15, c 60-65");
  });
  test("leaves that length too if the start of the linked part was set once", () => {
    const before = change(linked(), "b", { relativeStart: null, startedAt: minute(6) });
    expect(datesText(before)).toBe("a 0-6, b 6-11");
    const now = change(before, "a", { duration: seconds(600) });
    expect(titled(before, now, "b")).toBe("a 0-10, b 10-15");
  });
  test("keeps the turns of a round that people joined since", () => {
    const round = schedule([part("a", 5, { isPerParticipant: true }), part("b", 5)]);
    const now = layOut(round, START, 3);
    expect(titled(layOut(round, START, 2), now, "a", 3)).toBe("a 0-15, b 15-20");
    expect(titled(layOut(round, START, 2), now, "b", 3)).toBe("a 0-15, b 15-20");
    const plain = layOut(schedule([part("a", 10), part("b", 5)]), START, 3);
    const asRound = { ...answered(layOut(round, START, 2), "a"), isPerParticipant: true };
    const threefold = accepted(
      editPart(withPart(plain, "a", { duration: seconds(300) }), "a", asRound, { ...plan, rosterSize: 3 }),
    );
    expect(datesText(threefold)).toBe("a 0-15, b 15-20");
  });
  test("is taken although the part begun since, moved or ended early", () => {
    const run = startSchedule(linked(), START, context(1));
    const moved = withPart(run, "a", { endedAt: minute(6) });
    expect(titled(run, moved, "a")).toBe("a> 0-6, b 5-10");
    const dated = startSchedule(
      schedule({ ...loose, parts: [part("a", 5, absolute(1))] }),
      START,
      context(2),
    );
    const early = withPart(dated, "a", { startedAt: minute(2), endedAt: minute(3), state: "finished" });
    expect(titled(dated, early, "a")).toBe("a. 2-3");
    expect(editPart(run, "a", { endedAt: minute(9) }, plan)).toMatchObject({ ok: false, code: "part-begun" });
  });
  test("is taken although its date was put off since", () => {
    const at = (n: number) =>
      schedule({
        ...loose,
        parts: [
          part("a", n, { state: "running", startedAt: minute(0), endedAt: minute(n), plannedStartAt: START }),
          part("b", 5, { ...absolute(20), plannedStartAt: minute(20) }),
        ],
      });
    const lay = (n: number) => layOut(at(n), START, 1);
    expect(titled(lay(25), lay(30), "b")).toBe("a> 0-30, b 30-35");
    expect(editPart(lay(30), "b", { startedAt: minute(19) }, plan)).toMatchObject({ code: "overlap" });
  });
});
