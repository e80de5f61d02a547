// A call that sends a whole part back with some fields changed: which of its dates count.
import { expect, test } from "vitest";
import { seconds } from "~/domain/time";
import { absolute, accepted, datesText, loose, minute, part, START, schedule } from "./fixtures";
import { editPart, type PartChange } from "./part-changes";
import { layOut } from "./plan";
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
  ["the start of a relative part", "b", { startedAt: minute(20) }, "a 0-5, b 20-25, c 60-65"],
  [
    "both dates of a relative part",
    "b",
    { startedAt: minute(20), endedAt: minute(25) },
    "a 0-5, b 20-25, c 60-65",
  ],
  ["the start", "c", { startedAt: minute(70) }, "a 0-5, b 5-10, c 70-75"],
  ["start and end", "c", { startedAt: minute(70), endedAt: minute(90) }, "a 0-5, b 5-10, c 70-90"],
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
