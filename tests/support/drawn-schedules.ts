// Random schedules, and the properties that hold for every schedule (T-01 to T-16).

import fc from "fast-check";
import { expect } from "vitest";
import { partSpan } from "~/domain/schedule/part-kinds";
import { layOut, mayOverlap, type Plan } from "~/domain/schedule/plan";
import { scheduleProblems } from "~/domain/schedule/problems";
import {
  hasBegun,
  type Interval,
  newPart,
  newPartGroup,
  type Part,
  partPlaces,
  type Schedule,
  START_OF,
  TIME_FROM,
} from "~/domain/schedule/shape";
import { type Instant, instant, plusSeconds, SECOND, seconds } from "~/domain/time";

export const runs = { numRuns: 300 };

// Starts around midnight, clock changes, leap days, and ends of months and years, at any second.
export const starts = fc
  .tuple(
    fc.constantFrom(
      "2026-03-29T01:00Z",
      "2026-10-25T01:00Z",
      "2028-02-29T00:00Z",
      "2027-03-01T00:00Z",
      "2027-01-01T00:00Z",
    ),
    fc.integer({ min: -7200, max: 7200 }),
  )
  .map(([day, off]) => instant(Date.parse(day) + off * SECOND));

const relatives = fc.record({
  startOf: fc.constantFrom(...START_OF),
  timeFrom: fc.constantFrom(...TIME_FROM),
});
const durations = fc
  .oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 3 * 86_400 }))
  .map(seconds);

type Drawn = {
  parts: Partial<Part>[];
  isLinked: boolean;
  isAutoStart: boolean;
  sets: number;
  offset: number;
};
const parts = fc.record({
  duration: durations,
  isPerParticipant: fc.boolean(),
  relativeStart: fc.option(relatives, { freq: 2 }),
  intervals: fc.oneof(
    { weight: 4, arbitrary: fc.constant<Interval[]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .array(durations, { minLength: 1, maxLength: 3 })
        .map((all) => all.map((duration, i) => ({ id: `i${i}`, title: "", duration }))),
    },
  ),
  sets: fc.integer({ min: 1, max: 3 }),
});
const groups: fc.Arbitrary<Drawn> = fc.record({
  parts: fc.array(parts, { minLength: 1, maxLength: 4 }),
  isLinked: fc.boolean(),
  isAutoStart: fc.boolean(),
  sets: fc.integer({ min: 1, max: 2 }),
  offset: fc.integer({ min: 0, max: 40_000 }),
});

/** Absolute dates are `offset` seconds apart, from the start on. */
export const build = (drawn: Drawn[], start: Instant): Schedule => ({
  groups: drawn.map(({ parts, offset, ...group }, g) =>
    newPartGroup(`g${g}`, {
      ...group,
      parts: parts.map((one, i) =>
        newPart(`p${g}-${i}`, {
          ...one,
          startedAt: one.relativeStart === null ? plusSeconds(start, offset * (g * 4 + i)) : null,
        }),
      ),
    }),
  ),
});
export const plans = fc.tuple(
  fc.array(groups, { minLength: 1, maxLength: 4 }),
  starts,
  fc.integer({ min: 1, max: 4 }),
);
/** Schedules without problems, with their instants computed. */
export const goodPlans = plans
  .map(([drawn, start, rosterSize]) => {
    const plan: Plan = { sessionStart: start, rosterSize };
    return { plan, start, schedule: layOut(build(drawn, start), start, rosterSize) };
  })
  .filter(
    ({ plan, schedule }) => scheduleProblems(schedule, { ...plan, isManuallyStarted: false }).length === 0,
  );

export const dated = (schedule: Schedule) =>
  partPlaces(schedule).filter(({ part }) => part.startedAt !== null && part.endedAt !== null);
export const startOf = (part: Part) => part.startedAt ?? Number.NaN;
export const endOf = (part: Part) => part.endedAt ?? Number.NaN;

export function expectSpans(schedule: Schedule, rosterSize: number) {
  for (const { part } of dated(schedule))
    if (part.state !== "finished")
      expect(endOf(part) - startOf(part)).toBe(Math.round(partSpan(part, rosterSize) * SECOND));
}
export function expectLinks(schedule: Schedule) {
  for (const { part, group, index } of dated(schedule)) {
    const before = group.parts[index - 1];
    if (!group.isLinked || !before || hasBegun(part)) continue;
    expect(startOf(part)).toBe(endOf(before));
  }
}
/** Two parts overlap only if one of them asks for it; a part without length overlaps none. */
export function expectNoOverlap(schedule: Schedule, which: (part: Part) => boolean = () => true) {
  const all = dated(schedule).filter(({ part }) => which(part) && endOf(part) > startOf(part));
  for (const [i, first] of all.entries())
    for (const second of all.slice(i + 1)) {
      if (mayOverlap(second.part, second.group)) continue;
      const apart = startOf(second.part) >= endOf(first.part) || startOf(first.part) >= endOf(second.part);
      expect(apart, `${first.part.id} and ${second.part.id}`).toBe(true);
    }
}
