// Parsing schedules: defaults, limits, refusals.
import { describe, expect, test } from "vitest";
import { context, minute, part, START, schedule } from "./fixtures";
import { PartGroupInput, PartInput, ScheduleInput } from "./input";
import { layOut } from "./plan";
import { startSchedule } from "./run";
import { emptySchedule, newPart, newPartGroup } from "./shape";

test("K-03 a new part lasts 5 minutes, and a new group has auto-start", () => {
  expect(PartInput.parse({ id: "a" })).toEqual(newPart("a"));
  expect(PartInput.parse({ id: "a" })).toMatchObject({ duration: 300, sets: 1 });
  expect(PartGroupInput.parse({ id: "g" })).toEqual(newPartGroup("g"));
  expect(PartGroupInput.parse({ id: "g" })).toMatchObject({ isAutoStart: true, sets: 1, type: "event" });
  expect(ScheduleInput.parse({})).toEqual(emptySchedule());
});

test("T-02 a part with its own date is absolute, one without follows, and an explicit null has none", () => {
  expect(PartInput.parse({ id: "a", startedAt: "2026-11-21 09:30:00" })).toMatchObject({
    startedAt: START,
    relativeStart: null,
  });
  expect(PartInput.parse({ id: "a" }).relativeStart).toEqual({ startOf: "after-previous-ends", timeFrom: 0 });
  for (const timeFrom of [0, 300, 1800, 3600, 86_400] as const) {
    const relativeStart = { startOf: "after-previous-ends", timeFrom };
    expect(PartInput.parse({ id: "a", relativeStart }).relativeStart).toEqual(relativeStart);
  }
  expect(PartInput.parse({ id: "a", relativeStart: null }).relativeStart).toBe(null);
  expect(newPart("a", { startedAt: minute(0) }).relativeStart).toBe(null);
});

test("T-14 an interval timer's duration is computed, regardless of the input", () => {
  const intervals = [
    { id: "w", title: "Work", duration: 45 },
    { id: "r", title: "Rest", duration: 15 },
  ];
  expect(PartInput.parse({ id: "a", duration: 7, intervals, sets: 4 }).duration).toBe(240);
});

test("a stored schedule parses to itself", () => {
  const laid = layOut(schedule([part("a", 5), part("b", 5, { isPerParticipant: true })]), START, 2);
  const running = startSchedule(laid, START, context(6, ["ann", "bob"]));
  for (const value of [laid, running])
    expect(ScheduleInput.parse(JSON.parse(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
});

const group = (over: object) => ({ groups: [{ id: "g", ...over }] });
const parts = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `p${i}` }));
describe("limits and refusals", () => {
  test.each<[string, unknown]>([
    ["no object", "schedule"],
    ["a part without id", group({ parts: [{}] })],
    ["a negative duration", group({ parts: [{ id: "a", duration: -1 }] })],
    ["half a second", group({ parts: [{ id: "a", duration: 0.5 }] })],
    ["more than 30 days", group({ parts: [{ id: "a", duration: 2_592_001 }] })],
    [
      "intervals of more than 30 days",
      group({ parts: [{ id: "a", sets: 1000, intervals: [{ id: "i", duration: 86_400 }] }] }),
    ],
    [
      "101 intervals",
      group({ parts: [{ id: "a", intervals: parts(101).map((one) => ({ ...one, duration: 1 })) }] }),
    ],
    ["no set", group({ sets: 0 })],
    ["a title of 201 characters", group({ parts: [{ id: "a", title: "x".repeat(201) }] })],
    [
      "a distance that is not offered",
      group({ parts: [{ id: "a", relativeStart: { startOf: "after-previous-ends", timeFrom: 7 } }] }),
    ],
    [
      "a start of its own making",
      group({ parts: [{ id: "a", relativeStart: { startOf: "whenever", timeFrom: 0 } }] }),
    ],
    ["a date that is none", group({ parts: [{ id: "a", startedAt: "2026-02-30" }] })],
    ["a state of its own making", group({ parts: [{ id: "a", state: "flying" }] })],
    ["51 groups", { groups: parts(51) }],
    ["501 parts", group({ parts: parts(501) })],
    ["501 parts with repeats", group({ sets: 167, parts: parts(3) })],
    ["an id twice", group({ parts: [{ id: "a" }, { id: "a" }] })],
  ])("%s is refused", (_, value) => {
    expect(ScheduleInput.safeParse(value).success).toBe(false);
  });
  test("a realistic schedule is accepted", () => {
    expect(ScheduleInput.safeParse(group({ sets: 100, parts: parts(5) })).success).toBe(true);
    expect(
      ScheduleInput.safeParse(
        group({
          parts: [
            { id: "a", duration: 0 },
            { id: "b", duration: 2_592_000 },
          ],
        }),
      ).success,
    ).toBe(true);
  });
});
