// The dates of parts before a session runs (T-01 to T-10), its length and its end.

import { describe, expect, test } from "vitest";
import { DAY, instant, MINUTE, plusSeconds } from "~/domain/time";
import { byHand, datesText, loose, minute, part, START, schedule } from "./fixtures";
import { partSpan } from "./part-kinds";
import { asResumed, layOut, lineUp, linkAllGroups, scheduleEnd, scheduleLength, sessionEnd } from "./plan";
import { findPart, type RelativeStart, type StartOf, TIME_FROM, type TimeFrom } from "./shape";

const from = (startOf: StartOf, timeFrom: TimeFrom): { relativeStart: RelativeStart } => ({
  relativeStart: { startOf, timeFrom },
});
const absolute = (n: number) => ({ startedAt: minute(n), relativeStart: null });

test("T-01 computing the dates is idempotent and mutates nothing", () => {
  const given = schedule([part("a", 5), part("b", 7)], { ...loose, parts: [part("c", 3, absolute(30))] });
  const before = structuredClone(given);
  const once = layOut(given, START, 3);
  expect(layOut(once, START, 3)).toEqual(once);
  expect(given).toEqual(before);
});

describe("T-02 planned starts", () => {
  const cases: [string, RelativeStart | null, string][] = [
    ["after the previous ends", from("after-previous-ends", 0).relativeStart, "b 10-15"],
    ["after the previous ends, with a distance", from("after-previous-ends", 300).relativeStart, "b 15-20"],
    ["before the previous ends", from("before-previous-ends", 300).relativeStart, "b 5-10"],
    ["before the previous ends, no distance", from("before-previous-ends", 0).relativeStart, "b 10-15"],
    ["after the previous starts", from("after-previous-starts", 1800).relativeStart, "b 30-35"],
    ["after the previous starts, at once", from("after-previous-starts", 0).relativeStart, "b 0-5"],
    ["absolute", null, "b 40-45"],
  ];
  test.each(cases)("T-02 %s", (_, relativeStart, expected) => {
    const given = schedule({
      ...loose,
      parts: [part("a", 10), part("b", 5, { relativeStart, startedAt: relativeStart ? null : minute(40) })],
    });
    expect(datesText(layOut(given, START, 1))).toBe(`a 0-10, ${expected}`);
  });
});

test("T-03 the distances are at once, 5 minutes, 30 minutes, 1 hour and 1 day", () => {
  expect(TIME_FROM).toEqual([0, 300, 1800, 3600, 86_400]);
  const starts = TIME_FROM.map((timeFrom) =>
    datesText(layOut(schedule([part("a", 5, from("after-previous-ends", timeFrom))]), START, 1)),
  );
  expect(starts).toEqual(["a 0-5", "a 5-10", "a 30-35", "a 60-65", "a 1440-1445"]);
});

test.each<[StartOf, string]>([
  ["after-previous-ends", "a 30-35"],
  ["after-previous-starts", "a 30-35"],
  ["before-previous-ends", "a -30--25"],
])("T-04 the first part is measured from the session's start: %s", (startOf, expected) => {
  const given = schedule({ ...loose, parts: [part("a", 5, from(startOf, 1800))] });
  expect(datesText(layOut(given, START, 1))).toBe(expected);
});

test("T-04 the first part of a later group is measured from the last part of the previous group", () => {
  const given = schedule([part("a", 5), part("b", 5)], { type: "task" }, { parts: [] }, [
    part("c", 5, from("after-previous-ends", 300)),
    part("d", 5),
  ]);
  expect(datesText(layOut(given, START, 1))).toBe("a 0-5, b 5-10, c 15-20, d 20-25");
});

test("T-05 in a linked group each part starts when the previous one ends, regardless of its own date", () => {
  const given = schedule([
    part("a", 5, absolute(10)),
    part("b", 5, absolute(12)),
    part("c", 5, from("after-previous-starts", 3600)),
  ]);
  expect(datesText(layOut(given, START, 1))).toBe("a 10-15, b 15-20, c 20-25");
});

test("T-05 without links an absolute date stays", () => {
  const given = schedule({ ...loose, parts: [part("a", 5, absolute(10)), part("b", 5, absolute(40))] });
  expect(datesText(layOut(given, START, 1))).toBe("a 10-15, b 40-45");
});

test("T-02 a part after one without a date has none", () => {
  const given = schedule({
    ...loose,
    parts: [part("a", 5, { relativeStart: null }), part("b", 5), part("c", 5, absolute(30)), part("d", 5)],
  });
  expect(datesText(layOut(given, START, 1))).toBe("a ?, b ?, c 30-35, d 35-40");
});

test.each([
  [1, 300],
  [4, 1200],
  [0, 300],
])("T-08 a per-participant part lasts its duration for each of %i", (rosterSize, span) => {
  const each = part("a", 5, { isPerParticipant: true });
  expect(partSpan(each, rosterSize)).toBe(span);
  const laid = layOut(schedule([each, part("b", 5)]), START, rosterSize);
  expect(findPart(laid, "b")?.startedAt).toBe(plusSeconds(START, span));
});

test("T-10 a manual start has no dates until the host starts, and links all groups", () => {
  const given = schedule(
    { ...loose, parts: [part("a", 5, absolute(3)), part("b", 5, absolute(20))] },
    { ...loose, ...byHand, parts: [part("c", 5, from("after-previous-ends", 300))] },
  );
  const linked = linkAllGroups(given);
  expect(linked.groups.map((group) => group.isLinked)).toEqual([true, true]);
  const waiting = layOut(linked, null, 2);
  expect(datesText(waiting)).toBe("a ?, b ?, c ?");
  expect(datesText(layOut(waiting, START, 2))).toBe("a 0-5, b 5-10, c 15-20");
});

test("a group of several sets takes its length as many times before the next group starts", () => {
  const given = schedule({ sets: 3, parts: [part("a", 5), part("b", 2)] }, [part("c", 4)]);
  const laid = layOut(given, START, 1);
  expect(datesText(laid)).toBe("a 0-5, b 5-7, c 21-25");
  expect(scheduleEnd(laid)).toBe(minute(25));
  expect(scheduleEnd(layOut(schedule({ sets: 3, parts: [part("a", 5)] }), START, 1))).toBe(minute(15));
});

test("a schedule's length is from its first start to its last end, and without dates as in a manual start", () => {
  const row = schedule([part("a", 5), part("b", 7)], [part("c", 3, from("after-previous-ends", 300))]);
  expect(scheduleLength(row, 1)).toBe(20 * 60);
  expect(scheduleLength(layOut(row, START, 1), 1)).toBe(20 * 60);
  expect(scheduleLength(schedule(), 1)).toBe(0);
  expect(datesText(lineUp(schedule([part("a", 5, absolute(9))])))).toBe("a ?");
});

describe("R-04 the session's end", () => {
  const long = (minutes: number) => layOut(schedule([part("a", minutes)]), START, 1);
  const limit = instant(START + 30 * DAY);
  test.each([
    ["follows its last part later", 90, minute(60), minute(90)],
    ["never moves earlier by itself", 30, minute(60), minute(60)],
    ["never goes past 30 days", 43_300, minute(60), limit],
    ["is the last part's end where there was none", 30, null, minute(30)],
  ])("R-04 %s", (_, minutes, currentEnd, expected) => {
    expect(sessionEnd(long(minutes), currentEnd, START)).toBe(expected);
  });
  test("R-04 stays the same without parts", () => {
    expect(sessionEnd(schedule(), minute(60), START)).toBe(minute(60));
    expect(sessionEnd(schedule(), null, START)).toBe(null);
  });
});

test.each([
  ["midnight", "2026-11-21T23:50:00Z", "2026-11-22T00:20:00.000Z"],
  ["a change to summer time", "2026-03-29T00:45:00Z", "2026-03-29T01:15:00.000Z"],
  ["a change to winter time", "2026-10-25T00:45:00Z", "2026-10-25T01:15:00.000Z"],
  ["29 February", "2028-02-28T23:45:00Z", "2028-02-29T00:15:00.000Z"],
  ["the end of a February without one", "2027-02-28T23:45:00Z", "2027-03-01T00:15:00.000Z"],
  ["the end of a year", "2026-12-31T23:45:00Z", "2027-01-01T00:15:00.000Z"],
])("T-01 thirty minutes are thirty minutes across %s", (_, start, end) => {
  const laid = layOut(schedule([part("a", 10), part("b", 20)]), instant(Date.parse(start)), 1);
  expect(new Date(scheduleEnd(laid) ?? 0).toISOString()).toBe(end);
});

test("R-04 a month is 30 days, whatever month it is", () => {
  const february = instant(Date.UTC(2027, 1, 1));
  const laid = layOut(schedule([part("a", (30 * DAY) / MINUTE)]), february, 1);
  expect(scheduleEnd(laid)).toBe(Date.UTC(2027, 2, 3));
});

test("T-12 a paused part without an end moves only its start", () => {
  const paused = part("a", 5, { state: "paused", startedAt: START, endedAt: null, pausedAt: minute(2) });
  expect(asResumed(paused, minute(5))).toMatchObject({
    startedAt: minute(3),
    endedAt: null,
    pausedAt: minute(5),
  });
});
