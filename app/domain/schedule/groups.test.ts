// Edits of groups, repeats by sets, and replacing or resetting a whole schedule.
import { describe, expect, test } from "vitest";
import { seconds } from "~/domain/time";
import { advanceSchedule } from "./advance";
import {
  absolute,
  accepted,
  byHand,
  context,
  datesText,
  loose,
  minute,
  part,
  refusalSentence,
  START,
  schedule,
  statesText,
} from "./fixtures";
import {
  addGroup,
  asOnOtherDates,
  describeGroup,
  duplicateGroup,
  moveGroup,
  removeGroup,
  replaceSchedule,
  setGroupSets,
  setLinked,
} from "./groups";
import { layOut, type Plan } from "./plan";
import { startSchedule } from "./run";
import { foldSets, unrollSets } from "./sets";
import {
  deriveId,
  findPart,
  newPartGroup,
  type Part,
  partsInOrder,
  type RelativeStart,
  type Schedule,
  withPart,
} from "./shape";

const plan: Plan = { sessionStart: START, rosterSize: 1 };
const two = (): Schedule => layOut(schedule([part("a", 5)], [part("b", 5), part("c", 5)]), START, 1);

test("adding, removing and moving groups recomputes the dates", () => {
  expect(datesText(accepted(addGroup(two(), newPartGroup("n", { parts: [part("x", 1)] }), plan, 0)))).toBe(
    "x 0-1, a 1-6, b 6-11, c 11-16",
  );
  expect(datesText(accepted(moveGroup(two(), "g1", 1, plan)))).toBe("b 0-5, c 5-10, a 10-15");
  expect(datesText(accepted(removeGroup(two(), "g1", plan)))).toBe("b 0-5, c 5-10");
  expect(refusalSentence(removeGroup(two(), "nobody", plan))).toBe("This group of timers no longer exists.");
});

test("a copied group comes right after its original, with new ids", () => {
  let n = 0;
  const copied = accepted(duplicateGroup(two(), "g2", () => `n${++n}`, plan));
  expect(datesText(copied)).toBe("a 0-5, b 5-10, c 10-15, n2 15-20, n3 20-25");
  expect(copied.groups.map(({ id }) => id)).toEqual(["g1", "g2", "n1"]);
});

test("T-05 linking closes gaps, and unlinking keeps the dates", () => {
  const at = (n: number) => ({ startedAt: minute(n), relativeStart: null });
  const open = layOut(schedule({ ...loose, parts: [part("a", 5, at(0)), part("b", 5, at(20))] }), START, 1);
  const linked = accepted(setLinked(open, "g1", true, plan));
  expect(datesText(linked)).toBe("a 0-5, b 5-10");
  expect(datesText(accepted(setLinked(linked, "g1", false, plan)))).toBe("a 0-5, b 5-10");
});

test("T-07 a group with 'before previous ends' cannot be linked", () => {
  const before = { relativeStart: { startOf: "before-previous-ends", timeFrom: 300 } } as const;
  const open = layOut(schedule({ ...loose, parts: [part("a", 10), part("b", 5, before)] }), START, 1);
  expect(refusalSentence(setLinked(open, "g1", true, plan))).toBe(
    "Timer #2 starts before the previous timer ends, so it cannot be linked.",
  );
});

test("T-11 auto-start and visibility move nothing", () => {
  const edited = accepted(describeGroup(two(), "g1", { isAutoStart: false, isHidden: true }));
  expect(edited.groups[0]).toMatchObject({ isAutoStart: false, isHidden: true });
  expect(datesText(edited)).toBe(datesText(two()));
});

describe("a group of several sets", () => {
  const sets = (over = {}) =>
    layOut(schedule({ sets: 3, parts: [part("a", 5), part("b", 2)], ...over }, [part("c", 4)]), START, 1);
  test("repeats expand in order and collapse to the original", () => {
    const written = unrollSets(sets());
    expect(datesText(written)).toBe("a 0-5, b 5-7, a~2 7-12, b~2 12-14, a~3 14-19, b~3 19-21, c 21-25");
    expect(layOut(written, START, 1)).toEqual(written);
    expect(unrollSets(written)).toEqual(written);
    expect(foldSets(written)).toEqual(sets());
  });
  test("repeats keep the distances inside a set, not the distance before the first", () => {
    const after = { relativeStart: { startOf: "after-previous-ends", timeFrom: 300 } } as const;
    const distant = sets({ ...loose, sets: 2, parts: [part("a", 5, after), part("b", 2, after)] });
    const written = unrollSets(distant);
    expect(datesText(written)).toBe("a 5-10, b 15-17, a~2 17-22, b~2 27-29, c 29-33");
    expect(datesText(layOut(written, START, 1))).toBe(datesText(written));
  });
  test("absolute dates repeat by the length of a set", () => {
    const at = (n: number) => ({ startedAt: minute(n), relativeStart: null });
    const dated = sets({ ...loose, sets: 2, parts: [part("a", 5, at(1)), part("b", 2, at(9))] });
    expect(datesText(unrollSets(dated))).toBe("a 1-6, b 9-11, a~2 11-16, b~2 19-21, c 21-25");
  });
  test("the number of sets changes only before the start", () => {
    expect(datesText(accepted(setGroupSets(sets(), "g1", 1, plan)))).toBe("a 0-5, b 5-7, c 7-11");
    expect(refusalSentence(setGroupSets(sets(), "g1", 0, plan))).toBe("A group runs at least once.");
    const running = startSchedule(sets(), START, context(0));
    expect(refusalSentence(setGroupSets(running, "g1", 2, plan))).toBe(
      "This group of timers has already started.",
    );
  });
  test("ids derived from a uuid are distinct uuids, and the same each time", () => {
    const id = "018f5c3e-9b1a-7c3d-8e4f-ffffffffffff";
    const derived = Array.from({ length: 1000 }, (_, n) => deriveId(id, n + 2));
    expect(new Set([id, ...derived]).size).toBe(1001);
    for (const one of derived) expect(one).toMatch(/^018f5c3e-9b1a-7c3d-8e4f-[0-9a-f]{12}$/);
    expect(deriveId(id, 2)).toBe(derived[0]);
  });
});

test("R-07 a reset schedule has no dates and no progress, and starts as before", () => {
  const given = schedule({ sets: 2, parts: [part("a", 5), part("b", 2)] }, [part("c", 4)]);
  const running = startSchedule(given, START, context(8), { isManuallyStarted: true });
  expect(statesText(running)).toBe("a. 0-5, b. 5-7, a~2> 7-12, b~2 12-14, c 14-18");
  const reset = asOnOtherDates(running);
  expect(datesText(reset)).toBe("a ?, b ?, c ?");
  expect(partsInOrder(reset).every((one) => one.state === "waiting" && one.plannedStartAt === null)).toBe(
    true,
  );
  expect(startSchedule(reset, START, context(8), { isManuallyStarted: true })).toEqual(running);
});

test("T-06 V-22 a plan for another date has no dates of its own, and its parts without a date stay so", () => {
  const date = { relativeStart: null, startedAt: minute(30) };
  const after = { relativeStart: { startOf: "after-previous-starts", timeFrom: 300 } } as const;
  const given = layOut(
    schedule({
      ...loose,
      parts: [
        part("a", 5),
        part("b", 5, date),
        part("c", 0, { relativeStart: null }),
        part("d", 5, { relativeStart: null, isUndated: true }),
        part("e", 5, after),
      ],
    }),
    START,
    1,
  );
  const other = asOnOtherDates(given);
  expect(partsInOrder(other).map(({ relativeStart }) => relativeStart?.startOf ?? null)).toEqual([
    "after-previous-ends",
    "after-previous-ends",
    null,
    null,
    "after-previous-starts",
  ]);
  expect(datesText(other)).toBe("a ?, b ?, c ?, d ?, e ?");
  expect(datesText(layOut(other, START, 1))).toBe("a 0-5, b 5-10, c ?, d ?, e ?");
  expect(asOnOtherDates(other)).toEqual(other);
});

describe("a schedule replaced during the run", () => {
  const running = () => startSchedule(schedule([part("a", 5), part("b", 5)]), START, context(3));
  test("a running part keeps its times, texts change, and waiting parts follow the new plan", () => {
    const next = schedule([part("a", 99, { title: "New", state: "finished" }), part("b", 10), part("c", 5)]);
    const replaced = accepted(replaceSchedule(running(), next, plan));
    expect(statesText(replaced)).toBe("a> 0-5, b 5-15, c 15-20");
    expect(findPart(replaced, "a")?.title).toBe("New");
  });
  test("the request cannot start, end or date parts that have begun", () => {
    const forged = withPart(schedule([part("a", 5), part("b", 5)]), "b", {
      state: "running",
      startedAt: minute(1),
      endedAt: minute(2),
      plannedStartAt: minute(1),
      turns: ["eve"],
    });
    expect(statesText(accepted(replaceSchedule(running(), forged, plan)))).toBe("a> 0-5, b 5-10");
  });
  test("a running part cannot be removed, and no part waits before it", () => {
    expect(refusalSentence(replaceSchedule(running(), schedule([part("b", 5)]), plan))).toBe(
      "A timer that is running cannot be removed. Please finish it first.",
    );
    expect(refusalSentence(replaceSchedule(running(), schedule([part("b", 5), part("a", 5)]), plan))).toBe(
      "A timer cannot be put before one that has already started.",
    );
  });
  test("expanded repeats stay unchanged, and new groups expand theirs", () => {
    const given = schedule({ sets: 2, parts: [part("a", 5)] });
    const started = startSchedule(given, START, context(3));
    const { isUnrolled: _, ...group } = started.groups[0] ?? newPartGroup("g1");
    const next: Schedule = { groups: [group, newPartGroup("g2", { sets: 2, parts: [part("b", 1)] })] };
    expect(statesText(accepted(replaceSchedule(started, next, plan)))).toBe(
      "a> 0-5, a~2 5-10, b 10-11, b~2 11-12",
    );
  });
  test("a newly set date is the new plan, and a shifted date keeps its own", () => {
    const at = (n: number) => ({ startedAt: minute(n), relativeStart: null });
    const given = schedule({ ...loose, parts: [part("a", 5), part("b", 5, at(6))] });
    const started = startSchedule(given, START, context(3));
    const longer = advanceSchedule(
      withPart(started, "a", { duration: seconds(480), endedAt: minute(8) }),
      context(3),
    ).schedule;
    expect(statesText(longer)).toBe("a> 0-8, b 8-13");
    expect(findPart(accepted(replaceSchedule(longer, longer, plan)), "b")?.plannedStartAt).toBe(minute(6));
    const moved = withPart(longer, "b", { startedAt: minute(20) });
    const replaced = accepted(replaceSchedule(longer, moved, plan));
    expect(statesText(replaced)).toBe("a> 0-8, b 20-25");
    expect(findPart(replaced, "b")?.plannedStartAt).toBe(minute(20));
  });
  describe("T-07 T-09 V-22 V-24 V-25 in a run", () => {
    const started = startSchedule(
      schedule({ ...loose, parts: [part("a", 10), part("b", 5, absolute(20)), part("c", 5, absolute(40))] }),
      START,
      context(3),
    );
    const replace = (next: Schedule) => replaceSchedule(started, next, plan);
    const rule = (startOf: RelativeStart["startOf"], timeFrom: RelativeStart["timeFrom"]) => ({
      relativeStart: { startOf, timeFrom },
    });
    const before = rule("before-previous-ends", 300);
    const withNew = (fields: Partial<Part>, group = {}) => ({
      groups: [
        ...started.groups,
        newPartGroup("n", { parts: [part("x", 5), part("d", 5, fields)], ...group }),
      ],
    });
    const overlap =
      "Parts cannot overlap. The start dates must not occur before the previous timer's end date.";
    test.each([
      ["a date before the previous end", withPart(started, "b", absolute(5)), overlap, 2],
      ["a new part before the previous end", withNew(absolute(42), loose), overlap, 5],
      ["a rule that overlaps", withPart(started, "b", rule("after-previous-starts", 300)), overlap, 2],
      [
        "a date before the session's start",
        withPart(started, "b", absolute(-1)),
        "The start date of timer #2 must not occur before the challenge's start date.",
        2,
      ],
      ["no length", withPart(started, "b", { duration: seconds(0) }), "The duration cannot be 0", 2],
      ["a new part of no length", withNew({ duration: seconds(0) }), "The duration cannot be 0", 5],
      [
        "an overlap in a linked group",
        withNew(before),
        "Timer #5 starts before the previous timer ends, so it cannot be linked.",
        5,
      ],
    ])("%s is refused", (_, next, sentence, number) => {
      const refused = replace(next);
      expect([refusalSentence(refused), "number" in refused && refused.number]).toEqual([sentence, number]);
    });
    test.each([
      [
        "less than a minute before the previous end",
        withPart(started, "b", absolute(9.5)),
        "b 10-15, c 40-45",
      ],
      [
        "another length that reaches a later date",
        withPart(started, "b", { duration: seconds(1500) }),
        "b 20-45, c 45-50",
      ],
      ["a rule that fits", withPart(started, "b", rule("after-previous-starts", 1800)), "b 30-35, c 40-45"],
      ["a requested overlap", withPart(started, "b", before), "b 5-10, c 40-45"],
      ["a cleared date", withPart(started, "c", { startedAt: null }), "b 20-25, c ?"],
    ])("%s is accepted", (_, next, text) => {
      expect(statesText(accepted(replace(next)))).toBe(`a> 0-10, ${text}`);
    });
    test("a new group that repeats has its repeats after its date, also if only the first timer has one", () => {
      const repeated = (parts: Part[]) => ({
        groups: [...started.groups, newPartGroup("n", { parts, sets: 2, ...loose })],
      });
      const text = (parts: Part[]) =>
        datesText(accepted(replace(repeated(parts))))
          .split(", ")
          .slice(3);
      const id = (name: string) => deriveId(name, 2);
      expect(text([part("d", 5, absolute(60))])).toEqual(["d 60-65", `${id("d")} 65-70`]);
      expect(text([part("d", 5, absolute(60)), part("e", 5, absolute(70))])).toEqual([
        "d 60-65",
        "e 70-75",
        `${id("d")} 75-80`,
        `${id("e")} 85-90`,
      ]);
      expect(refusalSentence(replace(repeated([part("d", 5, absolute(42))])))).toBe(overlap);
    });
    test("dates that a client read earlier in the run are accepted, although the part was put off since", () => {
      const late = advanceSchedule(
        withPart(started, "a", { duration: seconds(1500), endedAt: minute(25) }),
        context(4),
      ).schedule;
      for (const seen of [20, 22, 25]) {
        const replaced = replaceSchedule(late, withPart(late, "b", absolute(seen)), plan);
        expect(statesText(accepted(replaced))).toBe("a> 0-25, b 25-30, c 40-45");
      }
      expect(refusalSentence(replaceSchedule(late, withPart(late, "b", absolute(19)), plan))).toBe(overlap);
    });
  });
  test("before the start the new schedule simply replaces the old one, with dates", () => {
    const next = schedule({
      ...byHand,
      ...loose,
      parts: [part("x", 5), part("a", 2, { startedAt: minute(9) })],
    });
    const replaced = accepted(replaceSchedule(two(), next, plan));
    expect([datesText(replaced), findPart(replaced, "a")?.plannedStartAt]).toEqual(["x 0-5, a 9-11", null]);
  });
});

test("a duplicate group id is refused", () => {
  const again = newPartGroup("g1", { parts: [part("x", 1)] });
  expect(refusalSentence(addGroup(two(), again, plan))).toBe("There is already a group with this id.");
  expect(datesText(accepted(addGroup(two(), newPartGroup("n", { parts: [part("x", 1)] }), plan)))).toBe(
    "a 0-5, b 5-10, c 10-15, x 15-16",
  );
});

test("U-47 a group with a running timer stays, and its copy comes right after it", () => {
  for (const state of ["running", "paused"] as const) {
    const given = schedule([part("a", 5, { state }), part("b", 5)], [part("c", 5)]);
    expect(refusalSentence(removeGroup(given, "g1", plan))).toBe(
      "A timer of this group is running. Please finish it first.",
    );
  }
  const copied = accepted(duplicateGroup(two(), "g1", () => "copy", plan));
  expect(copied.groups.map(({ id }) => id)).toEqual(["g1", "copy", "g2"]);
  expect(refusalSentence(describeGroup(two(), "nobody", { isHidden: true }))).toBe(
    "This group of timers no longer exists.",
  );
});
