// The live preview: pieces, gaps, repeats, ticks.
import { expect, test } from "vitest";
import { byHand, loose, minute, part, START, schedule } from "~/domain/schedule/fixtures";
import { MINUTE, seconds } from "~/domain/time";
import { intervalTicks } from "./interval-ticks";
import { offsetSeconds, timelineOf } from "./timeline";

const planned = { sessionStart: START, isManuallyStarted: false, rosterSize: 2 };
const words = (given: ReturnType<typeof timelineOf>) =>
  given.pieces.map(({ title, span, isGap }) => `${isGap ? "-" : title} ${span / MINUTE}`).join(", ");

test("parts are in sequence, with the gaps between them", () => {
  const given = schedule([part("a", 5, { title: "A" })], {
    ...loose,
    parts: [part("b", 10, { title: "B", relativeStart: null, startedAt: minute(20) })],
  });
  const timeline = timelineOf(given, planned);
  expect(words(timeline)).toBe("A 5, - 15, B 10");
  expect(timeline.length).toBe(30 * 60);
  expect([...timeline.offsets]).toEqual([
    ["a", 0],
    ["b", 20 * MINUTE],
  ]);
});

test("T-15 each person has a turn, and repeats by sets are expanded", () => {
  const given = schedule({
    sets: 2,
    parts: [part("a", 5, { title: "A", isPerParticipant: true }), part("b", 1, { title: "B" })],
  });
  expect(words(timelineOf(given, planned))).toBe("A 10, B 1, A 10, B 1");
});

test("T-10 without a start everything counts from zero", () => {
  const given = schedule({ ...byHand, parts: [part("a", 5, { title: "A" }), part("b", 5, { title: "B" })] });
  const timeline = timelineOf(given, { sessionStart: null, isManuallyStarted: true, rosterSize: 1 });
  expect(words(timeline)).toBe("A 5, B 5");
  expect(timeline.isDated).toBe(false);
  expect(timeline.offsets.get("b")).toBe(5 * MINUTE);
});

test("T-14 intervals are ticks, unless there are too many", () => {
  const intervals = [
    { id: "i", title: "", duration: seconds(30) },
    { id: "j", title: "", duration: seconds(30) },
  ];
  expect(intervalTicks(part("a", 0, { intervals, sets: 2 }))).toEqual([0.25, 0.5, 0.75]);
  expect(intervalTicks(part("a", 0, { intervals, sets: 1000 }))).toEqual([]);
  expect(intervalTicks(part("a", 5))).toEqual([]);
});

test("the offset of a part is in whole seconds", () => {
  expect([0, 499, 1500, 5 * MINUTE].map(offsetSeconds)).toEqual([0, 0, 2, 300]);
});
