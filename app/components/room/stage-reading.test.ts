// The stage at each instant of a session.

import { describe, expect, test } from "vitest";
import { advanceSchedule } from "~/domain/schedule/advance";
import { accepted, byHand, context, loose, minute, part, START, schedule } from "~/domain/schedule/fixtures";
import { comingTurns } from "~/domain/schedule/round";
import { adjustPart, pausePart, resumePart, startSchedule } from "~/domain/schedule/run";
import { actualStart, partsInOrder, type Schedule } from "~/domain/schedule/shape";
import { statusAt } from "~/domain/sessions/status";
import { instant, MINUTE, seconds } from "~/domain/time";
import { maskHiddenParts, nextOf, planOffsetText, readFace, ribbonAt, stageAt } from "./stage-reading";

const times = { startedAt: START, endedAt: minute(60) };
const begun = (given: Schedule, roster: readonly string[] = ["ann"]) =>
  startSchedule(given, START, context(0, roster));
const stage = (given: Schedule, n: number, roster: readonly string[] = ["ann"]) => {
  const found = stageAt(times, advanceSchedule(given, context(n, roster)).schedule, minute(n));
  return "part" in found ? `${found.kind} ${found.part.id}` : found.kind;
};
const first = (given: Schedule) => given.groups[0]?.parts[0] ?? part("", 0);

test.each([
  [-1, 0],
  [0, 1],
  [59, 1],
  [60, 2],
])("S-04 at minute %i the status is %i", (n, status) => {
  expect(statusAt(times, minute(n))).toBe(status);
});
test("S-04 without a start the session awaits its participants", () => {
  expect(statusAt({ startedAt: null, endedAt: null }, START)).toBe(0);
});

describe("the stage", () => {
  test.each<[string, Schedule, number, string]>([
    ["before the start", schedule([part("a", 5)]), -5, "before"],
    ["a part that runs", begun(schedule([part("a", 5), part("b", 5)])), 6, "part b"],
    [
      "a part that is paused",
      accepted(pausePart(begun(schedule([part("a", 5)])), "a", context(1))),
      30,
      "part a",
    ],
    ["the host is awaited", begun(schedule({ ...byHand, parts: [part("a", 5)] })), 3, "host-awaited a"],
    [
      "a gap before what starts by itself",
      begun(
        schedule([part("a", 5)], {
          ...loose,
          parts: [part("b", 5, { relativeStart: null, startedAt: minute(20) })],
        }),
      ),
      10,
      "gap b",
    ],
    ["all timers are over", begun(schedule([part("a", 5)])), 10, "open"],
    ["no timers at all", begun(schedule()), 10, "open"],
    ["after the end", begun(schedule([part("a", 5)])), 61, "after"],
  ])("%s", (_, given, n, expected) => {
    expect(stage(given, n)).toBe(expected);
  });
  test("of two running parts it shows the later one, with the other beside it", () => {
    const before = { relativeStart: { startOf: "before-previous-ends", timeFrom: 300 } } as const;
    const given = advanceSchedule(
      begun(schedule({ ...loose, parts: [part("a", 10), part("b", 10, before)] })),
      context(7),
    ).schedule;
    expect(stageAt(times, given, minute(7))).toMatchObject({ part: { id: "b" }, beside: [{ id: "a" }] });
  });
});

describe("the face", () => {
  test("a plain part shows its remaining time", () => {
    expect(readFace(first(begun(schedule([part("a", 5)]))), minute(2), null)).toMatchObject({
      label: "Left",
      remaining: 3 * MINUTE,
      span: 5 * MINUTE,
      wholeRemaining: null,
    });
  });
  test("T-14 an interval timer shows the interval, its set and the next interval", () => {
    const intervals = [
      { id: "i", title: "Run", duration: seconds(60) },
      { id: "j", title: "Rest", duration: seconds(30) },
    ];
    const given = first(begun(schedule([part("a", 0, { intervals, sets: 2 })])));
    expect(readFace(given, minute(0.5), null)).toMatchObject({
      label: "Run",
      detail: "Set 1 of 2 · next: Rest",
      remaining: MINUTE / 2,
      span: MINUTE,
      wholeRemaining: 2.5 * MINUTE,
    });
    expect(readFace(given, minute(2.75), null)).toMatchObject({
      label: "Rest",
      detail: "Set 2 of 2",
      remaining: MINUTE / 4,
    });
  });
  test("T-15 a turn shows its person and the next one", () => {
    const roster = ["ann", "bob", "cy"];
    const given = first(begun(schedule([part("a", 2, { isPerParticipant: true })]), roster));
    expect(readFace(given, minute(1), "bob")).toMatchObject({
      label: "ann’s turn",
      detail: "Turn 1 of 3 · next: you",
      remaining: MINUTE,
      isMyTurn: false,
    });
    expect(readFace(given, minute(3), "bob")).toMatchObject({
      label: "Your turn",
      detail: "Turn 2 of 3 · next: cy",
      isMyTurn: true,
    });
  });
  test("H-23 a turn names guests as people read them, with or without the roster", () => {
    const given = first(begun(schedule([part("a", 2, { isPerParticipant: true })]), ["~Ada-L", "~Bo", "cy"]));
    const people = [
      { username: "~Ada-L", guestName: "Ada | L" },
      { username: "~Bo", guestName: "Bo" },
    ];
    expect(readFace(given, minute(1), null, [], people)).toMatchObject({
      label: "Ada | L (guest)’s turn",
      next: "Bo (guest)",
    });
    expect(readFace(given, minute(1), "~Bo")).toMatchObject({ label: "Ada-L (guest)’s turn", next: "you" });
  });
  test("R-83 the face names the person whom the round goes to next, whoever is in the room", () => {
    const roster = ["ann", "bob", "cy", "dan"];
    const given = first(begun(schedule([part("a", 2, { isPerParticipant: true })]), roster));
    for (const again of [[], ["dan"], ["cy", "dan"]])
      for (let set = 0; set < 2 ** roster.length; set++) {
        const online = roster.filter((_, n) => set & (2 ** n));
        const here = new Set(online);
        const round = { ...given, again };
        for (let turn = 0; turn < roster.length; turn++) {
          const at = minute(2 * turn + 1);
          const [next = null] = comingTurns(round, at, (name) => ({
            isHere: here.has(name),
            since: instant(0),
          }));
          expect([again, online, turn, readFace(round, at, null, online).next]).toEqual([
            again,
            online,
            turn,
            next,
          ]);
        }
      }
    expect(readFace(given, minute(1), "cy", ["ann", "cy"])).toMatchObject({ next: "you" });
  });
});

test("the next part has a time, unless a person decides", () => {
  const auto = begun(schedule([part("a", 5), part("b", 5)]));
  expect(nextOf(auto, minute(2))).toMatchObject({ part: { id: "b" }, at: minute(5) });
  const host = begun(schedule([part("a", 5)], { ...byHand, parts: [part("b", 5)] }));
  expect(nextOf(host, minute(2))).toMatchObject({ part: { id: "b" }, at: null });
  const paused = accepted(pausePart(auto, "a", context(1)));
  expect(nextOf(paused, minute(2))).toMatchObject({ part: { id: "b" }, at: null });
  expect(nextOf(begun(schedule([part("a", 5)])), minute(2))).toBeNull();
});

test("the ribbon contains past, running and waiting parts, and the gaps", () => {
  const given = begun(
    schedule([part("a", 5)], {
      ...loose,
      parts: [part("b", 5, { relativeStart: null, startedAt: minute(20) })],
    }),
  );
  const pieces = ribbonAt(advanceSchedule(given, context(2)).schedule, minute(2), 1);
  expect(pieces.map(({ id, state, span, isGap }) => `${isGap ? "-" : id} ${state} ${span / MINUTE}`)).toEqual(
    ["a running 5", "- waiting 15", "b waiting 5"],
  );
  expect(pieces[0]?.doneAt?.(minute(2.5))).toBe(0.5);
});

test("R-61 neither an added minute nor a pause makes a gap in the ribbon, and both ribbon and recap know the start", () => {
  const intervals = [{ id: "i", title: "Work", duration: seconds(60) }];
  const given = begun(schedule([part("a", 5), part("b", 0, { intervals, sets: 5 }), part("c", 5)]));
  const added = accepted(adjustPart(given, "b", 60, context(6)));
  const paused = accepted(pausePart(added, "b", context(7)));
  const resumed = accepted(resumePart(paused, "b", context(9)));
  const pieces = ribbonAt(resumed, minute(9), 1);
  expect(pieces.map(({ id, span, isGap }) => [id, span / MINUTE, isGap === true])).toEqual([
    ["a", 5, false],
    ["b", 6, false],
    ["c", 5, false],
  ]);
  expect(pieces[1]?.ticks?.map((tick) => Math.round(tick * 6))).toEqual([1, 3, 4, 5]);
  const b = partsInOrder(resumed)[1] ?? part("", 0);
  expect(actualStart(b)).toBe(minute(5));
  // The face shows the length of this interval, not the planned one.
  expect(readFace(b, minute(9), null)).toMatchObject({ span: 2 * MINUTE, remaining: MINUTE });
});

test.each([
  [0, null],
  [29, null],
  [-80, "1 min ahead of plan"],
  [180, "3 min behind plan"],
])("%i seconds off plan: %s", (offset, words) => {
  expect(planOffsetText(offset)).toBe(words);
});

test("hidden parts show no name until they start, except to people who run the session", () => {
  const given = begun(
    schedule({ isHidden: true, parts: [part("a", 5, { title: "A" }), part("b", 5, { title: "B" })] }),
  );
  const titles = (one: Schedule) => one.groups[0]?.parts.map(({ title }) => title);
  expect(titles(maskHiddenParts(given, false))).toEqual(["A", "Not revealed yet"]);
  expect(titles(maskHiddenParts(given, true))).toEqual(["A", "B"]);
});
