// The kinds of parts: their durations and readings, also in plans stored without a kind.

import { expect, test } from "vitest";
import { seconds } from "~/domain/time";
import { advanceSchedule, nextTransitionAt } from "./advance";
import { context, minute, part, START, schedule } from "./fixtures";
import { kindOf, PART_KINDS, type PartKind, partSpan } from "./part-kinds";
import { adjustPart, startSchedule } from "./run";
import { type Part, partsInOrder } from "./shape";
import { timerAt } from "./timers";

const intervals = [
  { id: "work", title: "Work", duration: seconds(120) },
  { id: "rest", title: "Rest", duration: seconds(60) },
];
const of = {
  plain: part("plain", 3),
  intervals: part("intervals", 3, { intervals }),
  turns: part("turns", 3, { isPerParticipant: true }),
  both: part("both", 3, { isPerParticipant: true, intervals }),
} satisfies Record<PartKind | "both", Part>;

test("T-08 T-14 T-15 a part's kind follows from its fields, and turns may contain intervals", () => {
  expect(Object.values(of).map(kindOf)).toEqual(["plain", "intervals", "turns", "turns"]);
});

test("T-14 the list of parts names intervals and, if there are several, sets", () => {
  const summary = (sets: number) => {
    const one = part("a", 5, { sets, intervals: intervals.slice(0, 1) });
    return PART_KINDS[kindOf(one)].summary(one);
  };
  expect([summary(1), summary(2)]).toEqual([["1 interval"], ["1 interval, 2 sets"]]);
});

test("T-08 a stored plan without a kind gets the right kind", () => {
  const stored = JSON.parse(JSON.stringify(schedule([of.turns, of.intervals]))) as ReturnType<
    typeof schedule
  >;
  expect(partsInOrder(stored).map(kindOf)).toEqual(["turns", "intervals"]);
  expect(JSON.stringify(stored)).not.toContain('"kind"');
});

test.each([
  ["plain", 180, 180],
  ["intervals", 180, 180],
  ["turns", 540, 180],
  ["both", 540, 180],
] as const)(
  "T-08 for three people a part of kind %s lasts %i seconds, and shows %i at a time",
  (name, span, piece) => {
    const roster = ["ann", "ben", "cid"];
    expect(partSpan(of[name], roster.length)).toBe(span);
    const begun = startSchedule(schedule([of[name]]), START, context(0, roster));
    const [running] = partsInOrder(begun) as [Part];
    expect((nextTransitionAt(begun, context(0, roster)) ?? 0) - START).toBe(piece * 1000);
    expect(timerAt(running, minute(1)).interval?.title ?? null).toBe(
      name === "intervals" || name === "both" ? "Work" : null,
    );
    const { schedule: after } = advanceSchedule(begun, context(60, roster));
    expect(partsInOrder(after)[0]?.endedAt).toBe(START + span * 1000);
  },
);

test("R-29 R-61 an added minute lengthens a part, a turn or an interval, and turns and intervals keep their plan", () => {
  const roster = ["ann", "ben"];
  const adjusted = (one: Part) => {
    const begun = startSchedule(schedule([one]), START, context(0, roster));
    const edit = adjustPart(begun, one.id, 60, context(1, roster));
    if (!edit.ok) throw new Error(edit.code);
    const [changed] = partsInOrder(edit.schedule) as [Part];
    return [
      changed.duration,
      ((changed.startedAt ?? 0) - START) / 60_000,
      ((changed.endedAt ?? 0) - START) / 60_000,
    ];
  };
  expect(adjusted(of.plain)).toEqual([240, 0, 4]);
  expect(adjusted(of.turns)).toEqual([180, 0, 7]);
  expect(adjusted(of.intervals)).toEqual([180, 0, 4]);
  expect(adjusted(of.both)).toEqual([180, 0, 7]);
});
