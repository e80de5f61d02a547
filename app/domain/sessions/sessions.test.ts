// The status, spots and plan of a session.

import { expect, test } from "vitest";
import { AppError } from "~/domain/errors";
import { editPart, type PartChange } from "~/domain/schedule/part-changes";
import { scheduleSentence } from "~/domain/schedule/sentences";
import { newPart, newPartGroup, type Part, type Schedule } from "~/domain/schedule/shape";
import { HOUR, type Instant, instant, MINUTE, seconds } from "~/domain/time";
import { isRightCode } from "./join-code";
import { planForLength, planForRoster, planSession } from "./planning";
import { canJoin } from "./sessions";
import { isFull, spotsLeft } from "./spots";
import { isClaimOpen, statusAt } from "./status";
import { totalsOf } from "./totals";

const NOW = instant(Date.UTC(2026, 10, 21, 9, 30));
const at = (minutes: number) => instant(NOW + minutes * MINUTE);

test.each<[Instant | null, Instant | null, 0 | 1 | 2]>([
  [null, null, 0],
  [at(1), at(60), 0],
  [at(0), at(60), 1],
  [at(-5), null, 1],
  [at(-5), at(1), 1],
  [at(-5), at(0), 2],
  [at(-5), at(-1), 2],
  // Cancelled before it began.
  [at(0), at(0), 2],
])("S-04 start %s, end %s: status %i", (startedAt, endedAt, status) => {
  expect(statusAt({ startedAt, endedAt }, NOW)).toBe(status);
});

test("G-29 a session without a start is never claimed", () => {
  expect(isClaimOpen({ startedAt: null, endedAt: null }, NOW)).toBe(false);
});

test("S-04 a status changes at the millisecond of the start and of the end", () => {
  const times = { startedAt: at(0), endedAt: at(5) };
  const statuses = [at(0) - 1, at(0), at(5) - 1, at(5)].map((now) => statusAt(times, instant(now)));
  expect(statuses).toEqual([0, 1, 1, 2]);
});

test.each<[number | null, number, number | null, boolean]>([
  [null, 5000, null, false],
  [0, 7, null, false],
  [10, 7, 3, false],
  [10, 10, 0, true],
  [10, 12, 0, true],
  [null, 10_000, null, true],
])(
  "R-17 a limit of %s with %i participants leaves %s spots; full: %s",
  (participantLimit, participantsCount, left, full) => {
    expect(spotsLeft({ participantLimit, participantsCount })).toBe(left);
    expect(isFull({ participantLimit, participantsCount }, 10_000)).toBe(full);
  },
);

test("U-44 a person without a seat may join until the end while there is a spot", () => {
  const open = {
    startedAt: at(5),
    endedAt: at(65),
    participantLimit: 2,
    participantsCount: 1,
    isTemplate: false,
    isExample: false,
  };
  expect(canJoin(open, false, 10, NOW)).toBe(true);
  expect(canJoin(open, true, 10, NOW)).toBe(false);
  expect(canJoin({ ...open, participantsCount: 2 }, false, 10, NOW)).toBe(false);
  expect(canJoin({ ...open, startedAt: at(-60), endedAt: at(-1) }, false, 10, NOW)).toBe(false);
  expect(canJoin({ ...open, isTemplate: true }, false, 10, NOW)).toBe(false);
  expect(canJoin({ ...open, isTemplate: true, isExample: true }, false, 10, NOW)).toBe(true);
});

test.each([
  ["", undefined, true],
  ["", "anything", true],
  ["lamp", "lamp", true],
  ["lamp", " lamp ", true],
  ["lamp", "Lamp", true],
  ["lamp", "", false],
  ["lamp", undefined, false],
])("joining a session with the code %j with %j succeeds: %s", (joinCode, given, expected) => {
  expect(isRightCode({ joinCode }, given)).toBe(expected);
});

test.each(["Tea Kettle", "tea kettle", " TEAKETTLE\u00a0", "teA\tkettle"])(
  "R-63 the code %j opens a session whose code is written Tea Kettle",
  (given) => {
    expect(isRightCode({ joinCode: "Tea Kettle" }, given)).toBe(true);
    expect(isRightCode({ joinCode: "Tea Kettles" }, given)).toBe(false);
  },
);

const schedule = (...parts: Part[]): Schedule => ({ groups: [newPartGroup("g", { parts })] });
const part = (id: string, minutes: number, over: Partial<Part> = {}) =>
  newPart(id, { duration: seconds(minutes * 60), ...over });
const plan = (over: Partial<Parameters<typeof planSession>[0]>) =>
  planSession({
    schedule: schedule(part("a", 10), part("b", 20)),
    startedAt: NOW,
    duration: seconds(3600),
    isManuallyStarted: false,
    rosterSize: 3,
    ...over,
  });

test("R-04 the end is the start plus the length, or the end of the last part if that is later", () => {
  expect(plan({}).endedAt).toBe(at(60));
  const longer = plan({ schedule: schedule(part("a", 90)) });
  expect([longer.endedAt, longer.duration]).toEqual([at(90), 5400]);
  const each = plan({ schedule: schedule(part("a", 25, { isPerParticipant: true })) });
  expect(each.endedAt).toBe(at(75));
});

test("a session is as long as requested, as its dates require, or as its parts", () => {
  expect(plan({ duration: null }).duration).toBe(1800);
  expect(plan({ duration: null, endedAt: at(45) }).duration).toBe(2700);
  expect(plan({ duration: null, startedAt: null }).duration).toBe(1800);
});

test("T-10 a manual start has no dates, whatever was requested, and linked groups", () => {
  const loose: Schedule = {
    groups: [newPartGroup("g", { isLinked: false, isAutoStart: false, parts: [part("a", 10)] })],
  };
  const made = plan({ isManuallyStarted: true, schedule: loose });
  expect(made).toMatchObject({ startedAt: null, endedAt: null, duration: 3600 });
  expect(made.schedule.groups[0]).toMatchObject({ isLinked: true, parts: [{ startedAt: null }] });
});

test("V-21 V-25 every problem is reported at its field, once, and an overlap names its timer", () => {
  const overlap = [
    part("a", 10, { startedAt: at(0), relativeStart: null }),
    part("b", 10, { startedAt: at(5), relativeStart: null }),
    part("c", 10, { startedAt: at(7), relativeStart: null }),
  ];
  const wrong = () =>
    plan({
      duration: seconds(60),
      schedule: { groups: [newPartGroup("g", { isLinked: false, parts: overlap })] },
    });
  expect(wrong).toThrow(AppError);
  try {
    wrong();
  } catch (error) {
    expect((error as AppError).fields).toEqual({
      duration: ["A session lasts from 5 minutes to 30 days."],
      schedule: [
        "Parts cannot overlap. The start dates must not occur before the previous timer's end date.",
        "Timer #2 must not start before the previous timer's end.",
        "Timer #3 must not start before the previous timer's end.",
      ],
    });
  }
});

test("E-13 totals are grouped by goal, and by action over all goals", () => {
  const row = { distance: 0, duration: HOUR, listProgress: null };
  expect(
    totalsOf([
      { goalUuid: "a", action: "Read", amount: 1000, ...row },
      { goalUuid: "b", action: "Read", amount: 500, ...row, listProgress: ["x"] },
      { goalUuid: "c", action: "Run", amount: 0, ...row, distance: 2500 },
    ]),
  ).toEqual({
    goalTotals: {
      a: { amount: 1000, distance: 0, duration: HOUR, listProgress: [] },
      b: { amount: 500, distance: 0, duration: HOUR, listProgress: ["x"] },
      c: { amount: 0, distance: 2500, duration: HOUR, listProgress: [] },
    },
    actionTotals: {
      Read: { amount: 1500, distance: 0, duration: 2 * HOUR },
      Run: { amount: 0, distance: 2500, duration: HOUR },
    },
  });
});

test.each<[string, PartChange, Partial<Part> | string]>([
  ["its title alone", { title: "New" }, { title: "New", startedAt: at(10), duration: seconds(1200) }],
  ["duration and title", { title: "New", duration: seconds(60) }, { title: "New", endedAt: at(11) }],
  ["nothing new", { duration: seconds(1200), startedAt: at(10), endedAt: at(30) }, { endedAt: at(30) }],
  [
    "intervals",
    { intervals: [{ id: "i", title: "", duration: seconds(30) }], sets: 4 },
    { duration: seconds(120) },
  ],
  ["its end", { endedAt: at(15) }, { duration: seconds(300) }],
  [
    "a date and a wrong distance: none of it",
    { title: "No", relativeStart: { startOf: "before-previous-ends", timeFrom: 0 } },
    "linked-before",
  ],
])("C-64 one call changes %s", (_, change, expected) => {
  const given = plan({}).schedule;
  const edited = editPart(given, "b", change, { sessionStart: NOW, rosterSize: 1 });
  if (typeof expected === "string") expect(edited).toEqual({ ok: false, code: expected, number: 2 });
  else expect(edited.ok && edited.schedule.groups[0]?.parts[1]).toMatchObject(expected);
});

test("C-64 a part becomes one of turns, moves within its group, or to the end of another", () => {
  const given: Schedule = {
    groups: [
      newPartGroup("g", { parts: [part("a", 10), part("b", 20), part("c", 5)] }),
      newPartGroup("h", { parts: [part("d", 5)] }),
    ],
  };
  const edited = (change: PartChange) => editPart(given, "b", change, { sessionStart: NOW, rosterSize: 2 });
  const orderOf = (change: PartChange) => {
    const edit = edited(change);
    return edit.ok
      ? edit.schedule.groups.map(({ parts }) => parts.map(({ id }) => id).join(""))
      : scheduleSentence(edit);
  };
  expect(orderOf({ index: 0 })).toEqual(["bac", "d"]);
  expect(orderOf({ index: 1 })).toEqual(["abc", "d"]);
  expect(orderOf({ index: 2 })).toEqual(["acb", "d"]);
  expect(orderOf({ groupId: "g" })).toEqual(["abc", "d"]);
  expect(orderOf({ groupId: "h" })).toEqual(["ac", "db"]);
  expect(orderOf({ groupId: "h", index: 0 })).toEqual(["ac", "bd"]);
  expect(orderOf({ groupId: "nobody" })).toBe("This group of timers no longer exists.");
  const turns = edited({ isPerParticipant: true });
  expect(turns.ok && turns.schedule.groups[0]?.parts[1]).toMatchObject({
    isPerParticipant: true,
    title: part("b", 20).title,
  });
});

test("C-64 a part's date is cleared, or set if its start is not relative", () => {
  const given: Schedule = {
    groups: [
      newPartGroup("g", {
        isLinked: false,
        parts: [part("a", 10), part("b", 20, { startedAt: at(30), relativeStart: null })],
      }),
    ],
  };
  const laid = planSession({
    schedule: given,
    startedAt: NOW,
    duration: seconds(3600),
    isManuallyStarted: false,
    rosterSize: 1,
  }).schedule;
  const startOf = (change: PartChange) => {
    const edit = editPart(laid, "b", change, { sessionStart: NOW, rosterSize: 1 });
    return edit.ok ? edit.schedule.groups[0]?.parts[1]?.startedAt : scheduleSentence(edit);
  };
  expect(startOf({ startedAt: at(40) })).toBe(at(40));
  expect(startOf({ startedAt: at(30) })).toBe(at(30));
  expect(startOf({ startedAt: null })).not.toBe(at(30));
  expect(startOf({ startedAt: at(40), relativeStart: { startOf: "after-previous-ends", timeFrom: 0 } })).toBe(
    at(10),
  );
});

test("T-10 a planned start links no groups", () => {
  const open: Schedule = { groups: [newPartGroup("g", { isLinked: false, parts: [part("a", 10)] })] };
  expect(plan({ schedule: open }).schedule.groups[0]?.isLinked).toBe(false);
});

test("V-21 R-04 a length below the timers shortens a single plain timer, else is refused or extended", () => {
  const short = { duration: seconds(300), isPlanSent: false, rosterSize: 2 };
  const lengths = (given: Schedule, asked: Partial<typeof short> | { duration: null } = {}) => {
    try {
      const { groups } = planForLength(given, { ...short, ...asked });
      return groups.flatMap(({ parts }) => parts.map(({ duration }) => duration));
    } catch (error) {
      return error instanceof AppError ? Object.keys(error.fields) : error;
    }
  };
  const one = schedule(part("a", 10));
  expect(lengths(one)).toEqual([300]);
  expect([lengths(one, { duration: null }), lengths(one, { duration: seconds(600) })]).toEqual([
    [600],
    [600],
  ]);
  for (const more of [
    schedule(part("a", 10, { title: "Row" })),
    schedule(part("a", 10, { isPerParticipant: true })),
    schedule(part("a", 0, { intervals: [{ id: "i", title: "", duration: seconds(600) }] })),
    schedule(part("a", 5), part("b", 5)),
    { groups: [newPartGroup("g", { parts: [part("a", 5)] }), newPartGroup("h", { parts: [part("b", 5)] })] },
    { groups: [newPartGroup("g", { sets: 2, parts: [part("a", 5)] })] },
  ]) {
    expect(lengths(more)).toEqual(["duration"]);
    expect(planForLength(more, { ...short, isPlanSent: true })).toBe(more);
  }
});

test("T-08 T-15 R-04 a plan with turns is recomputed for another number of people, with a later end or unchanged", () => {
  const asked = {
    schedule: schedule(part("a", 10, { isPerParticipant: true }), part("b", 5)),
    duration: null,
    rosterSize: 2,
  };
  const planned = { isManuallyStarted: false, ...plan(asked) };
  expect(planned.endedAt).toBe(at(25));
  expect(planForRoster(planned, 2)).toBeNull();
  const more = planForRoster(planned, 3);
  expect([more?.endedAt, more?.duration]).toEqual([at(35), 2100]);
  expect(planForRoster(planned, 1)?.endedAt).toBe(at(25));
  const byHand = { isManuallyStarted: true, ...plan({ ...asked, isManuallyStarted: true }) };
  expect([planForRoster(byHand, 2), planForRoster(byHand, 3)?.duration]).toEqual([null, 2100]);
  expect(planForRoster(byHand, 3)?.endedAt).toBeNull();
  const plain = { isManuallyStarted: false, ...plan({}) };
  expect(planForRoster(plain, 9)).toBeNull();
});
