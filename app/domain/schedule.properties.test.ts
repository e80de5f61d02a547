// What holds for every schedule, whatever happens to it (rulings 7): found by trying, not by example.
import fc from "fast-check";
import { expect, test } from "vitest";
import { advanceSchedule, effectiveSchedule, nextTransitionAt, type RunContext } from "./schedule-advance";
import {
  addPart,
  clearPartStart,
  movePart,
  removePart,
  setPartDuration,
  setPartEnd,
  setPartStart,
} from "./schedule-edit";
import { setLinked } from "./schedule-groups";
import { layOut, mayOverlap, type Plan } from "./schedule-plan";
import { scheduleProblems } from "./schedule-problems";
import {
  adjustPart,
  backPart,
  finishPart,
  pausePart,
  resetPart,
  resumePart,
  rosterChanged,
  skipPart,
  startPart,
  startSchedule,
} from "./schedule-run";
import {
  type Edit,
  hasBegun,
  type Interval,
  newPart,
  newPartGroup,
  type Part,
  partSpan,
  partsInOrder,
  placesInOrder,
  type Schedule,
  START_OF,
  TIME_FROM,
} from "./schedule-shape";
import { DAY, type Instant, instant, MINUTE, plusMillis, plusSeconds, SECOND, seconds } from "./time";

const PEOPLE = ["ann", "bob", "cy", "dee"];
const runs = { numRuns: 300 };

// Starts around midnight, clock changes, leap days and ends of months and years, in any second of them.
const starts = fc
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

/** Absolute dates stand `offset` seconds apart from the start on. */
const build = (drawn: Drawn[], start: Instant): Schedule => ({
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
const plans = fc.tuple(
  fc.array(groups, { minLength: 1, maxLength: 4 }),
  starts,
  fc.integer({ min: 1, max: 4 }),
);
/** Schedules without problems, laid. */
const goodPlans = plans
  .map(([drawn, start, rosterSize]) => {
    const plan: Plan = { sessionStart: start, rosterSize };
    return { plan, start, schedule: layOut(build(drawn, start), start, rosterSize) };
  })
  .filter(
    ({ plan, schedule }) => scheduleProblems(schedule, { ...plan, isManuallyStarted: false }).length === 0,
  );

const dated = (schedule: Schedule) =>
  placesInOrder(schedule).filter(({ part }) => part.startedAt !== null && part.endedAt !== null);
const startOf = (part: Part) => part.startedAt ?? Number.NaN;
const endOf = (part: Part) => part.endedAt ?? Number.NaN;

function expectSpans(schedule: Schedule, rosterSize: number) {
  for (const { part } of dated(schedule))
    if (part.state !== "finished")
      expect(endOf(part) - startOf(part)).toBe(partSpan(part, rosterSize) * SECOND);
}
function expectLinks(schedule: Schedule) {
  for (const { part, group, index } of dated(schedule)) {
    const before = group.parts[index - 1];
    if (!group.isLinked || !before || hasBegun(part)) continue;
    expect(startOf(part)).toBe(endOf(before));
  }
}
/** Two parts of which neither asked for it never share an instant; a part of no length shares none. */
function expectNoOverlap(schedule: Schedule, which: (part: Part) => boolean = () => true) {
  const all = dated(schedule).filter(({ part }) => which(part) && endOf(part) > startOf(part));
  for (const [i, first] of all.entries())
    for (const second of all.slice(i + 1)) {
      if (mayOverlap(second.part, second.group)) continue;
      const apart = startOf(second.part) >= endOf(first.part) || startOf(first.part) >= endOf(second.part);
      expect(apart, `${first.part.id} and ${second.part.id}`).toBe(true);
    }
}

test("T-05, T-08 every laid schedule: ended = started + span, links never gap, laying again changes nothing", () => {
  fc.assert(
    fc.property(plans, ([drawn, start, rosterSize]) => {
      const laid = layOut(build(drawn, start), start, rosterSize);
      expectSpans(laid, rosterSize);
      expectLinks(laid);
      expect(layOut(laid, start, rosterSize)).toEqual(laid);
    }),
    runs,
  );
});

test("T-09 a schedule without problems has no overlap that nobody asked for", () => {
  fc.assert(
    fc.property(goodPlans, ({ schedule }) => expectNoOverlap(schedule)),
    runs,
  );
});

// --- edits

const someEdit = fc.record({
  pick: fc.nat(),
  second: fc.integer({ min: 1, max: 100_000 }),
  kind: fc.constantFrom("duration", "end", "start", "clear", "add", "remove", "move", "link"),
});
function applyEdit(
  schedule: Schedule,
  { pick, second, kind }: { pick: number; second: number; kind: string },
  plan: Plan,
): Edit {
  const places = placesInOrder(schedule);
  const place = places[pick % Math.max(1, places.length)];
  if (!place) return { ok: true, schedule };
  const { id } = place.part;
  const at = plusSeconds(place.part.startedAt ?? plan.sessionStart ?? instant(0), second);
  if (kind === "duration") return setPartDuration(schedule, id, second, plan);
  if (kind === "end") return setPartEnd(schedule, id, at, plan);
  if (kind === "start") return setPartStart(schedule, id, at, plan);
  if (kind === "clear") return clearPartStart(schedule, id, plan);
  if (kind === "add") return addPart(schedule, place.group.id, newPart(`n${second}`), plan, place.index);
  if (kind === "remove") return removePart(schedule, id, plan);
  if (kind === "move")
    return movePart(
      schedule,
      id,
      schedule.groups[second % schedule.groups.length]?.id ?? "",
      second % 3,
      plan,
    );
  return setLinked(schedule, place.group.id, second % 2 === 0, plan);
}

test("T-05, T-08 after any edits spans and links still hold", () => {
  fc.assert(
    fc.property(goodPlans, fc.array(someEdit, { maxLength: 8 }), ({ schedule, plan }, edits) => {
      let current = schedule;
      for (const one of edits) {
        const edit = applyEdit(current, one, plan);
        if (!edit.ok) continue;
        current = edit.schedule;
        expectSpans(current, plan.rosterSize);
        expectLinks(current);
      }
    }),
    runs,
  );
});

test("T-05 an edit and its undo are the identity", () => {
  fc.assert(
    fc.property(goodPlans, someEdit, ({ schedule, plan }, one) => {
      const places = placesInOrder(schedule);
      const place = places[one.pick % places.length];
      if (!place || !["duration", "end", "start", "add", "move"].includes(one.kind)) return;
      const { part, group, index } = place;
      // Setting a start makes it absolute: only an absolute one comes back as it was.
      if (one.kind === "start" && (part.relativeStart !== null || (group.isLinked && index > 0))) return;
      const edit = applyEdit(schedule, one, plan);
      if (!edit.ok) return;
      const undo: Record<string, () => Edit> = {
        duration: () => setPartDuration(edit.schedule, part.id, part.duration, plan),
        end: () => setPartEnd(edit.schedule, part.id, part.endedAt ?? instant(0), plan),
        start: () => setPartStart(edit.schedule, part.id, part.startedAt ?? instant(0), plan),
        add: () => removePart(edit.schedule, `n${one.second}`, plan),
        move: () => movePart(edit.schedule, part.id, group.id, index, plan),
      };
      // In another group a part may have been given another date meanwhile.
      const isElsewhere = !edit.schedule.groups[place.groupIndex]?.parts.some(({ id }) => id === part.id);
      if (one.kind === "move" && isElsewhere) return;
      expect(undo[one.kind]?.()).toEqual({ ok: true, schedule });
    }),
    runs,
  );
});

// --- running

type Step = { kind: string; pick: number; wait: number; seconds: number; roster: string[] };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      "start",
      "pause",
      "resume",
      "finish",
      "reset",
      "skip",
      "back",
      "adjust",
      "roster",
      "look",
    ),
    pick: fc.nat(),
    wait: fc.oneof(fc.integer({ min: 0, max: 900_000 }), fc.integer({ min: 0, max: 2 * DAY })),
    seconds: fc.integer({ min: -600, max: 600 }),
    roster: fc.subarray(PEOPLE, { minLength: 1 }),
  }),
  { maxLength: 15 },
);

const MOVES: Record<string, (schedule: Schedule, partId: string, ctx: RunContext) => Edit> = {
  start: startPart,
  pause: pausePart,
  resume: resumePart,
  finish: finishPart,
  reset: resetPart,
  skip: skipPart,
  back: backPart,
};

function take(schedule: Schedule, step: Step, ctx: RunContext): Schedule {
  if (step.kind === "look") return advanceSchedule(schedule, ctx).schedule;
  if (step.kind === "roster") return rosterChanged(schedule, ctx);
  const parts = partsInOrder(schedule);
  const id = parts[step.pick % parts.length]?.id ?? "";
  const move = MOVES[step.kind];
  const edit = move ? move(schedule, id, ctx) : adjustPart(schedule, id, step.seconds, ctx);
  return edit.ok ? edit.schedule : schedule;
}

/** Plays the steps; `look` sees each state right after its step. Returns the last state and its context. */
function play(
  schedule: Schedule,
  start: Instant,
  all: Step[],
  look: (schedule: Schedule, ctx: RunContext) => void = () => {},
): { schedule: Schedule; ctx: RunContext } {
  let ctx: RunContext = { now: start, roster: PEOPLE.slice(0, 2) };
  let current = startSchedule(schedule, start, ctx);
  look(current, ctx);
  for (const step of all) {
    const roster = step.kind === "roster" ? step.roster : ctx.roster;
    ctx = { now: plusMillis(ctx.now, step.wait), roster };
    current = take(current, step, ctx);
    look(current, ctx);
  }
  return { schedule: current, ctx };
}

test("T-09 while it runs, whatever the host does, no two parts run at once that did not ask for it", () => {
  fc.assert(
    fc.property(goodPlans, steps, ({ schedule, start }, all) => {
      play(schedule, start, all, (current, ctx) => {
        const caughtUp = advanceSchedule(current, ctx).schedule;
        expectNoOverlap(
          effectiveSchedule(caughtUp, ctx.now, ctx.roster.length),
          (part) => part.state === "running" || part.state === "paused",
        );
        // What is to come by itself does not overlap what runs either.
        const shown = effectiveSchedule(caughtUp, ctx.now, ctx.roster.length);
        const under = placesInOrder(shown).filter(({ part }) => part.state === "running");
        for (const { part, group, number } of dated(shown)) {
          if (hasBegun(part) || part.duration === 0) continue;
          for (const other of under) {
            const second = other.number > number ? other : { part, group };
            if (!mayOverlap(second.part, second.group))
              expect(startOf(part)).toBeGreaterThanOrEqual(endOf(other.part));
          }
        }
      });
    }),
    runs,
  );
});

test("T-05, T-08 while it runs spans hold and waiting linked parts touch", () => {
  fc.assert(
    fc.property(goodPlans, steps, ({ schedule, start }, all) => {
      play(schedule, start, all, (current, ctx) => {
        const { schedule: caughtUp } = advanceSchedule(current, ctx);
        expectSpans(caughtUp, ctx.roster.length);
        for (const { part, group, index } of dated(caughtUp)) {
          const before = group.parts[index - 1];
          if (!group.isLinked || hasBegun(part) || !before || before.startedAt === null) continue;
          // A later part that runs already may push it on, never pull it in.
          expect(startOf(part)).toBeGreaterThanOrEqual(endOf(before));
        }
      });
    }),
    runs,
  );
});

test("rulings 7.9 one jump or many small steps: the same schedule, the same events, in order", () => {
  fc.assert(
    fc.property(
      goodPlans,
      steps,
      fc.integer({ min: 0, max: 5 * DAY }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      ({ schedule, start }, all, jump, cuts) => {
        const { schedule: given, ctx } = play(schedule, start, all);
        const caughtUp = advanceSchedule(given, ctx).schedule;
        const atOnce = advanceSchedule(caughtUp, { ...ctx, now: plusMillis(ctx.now, jump) });
        let current = caughtUp;
        const events = [...cuts, 1]
          .sort((a, b) => a - b)
          .flatMap((cut) => {
            const step = advanceSchedule(current, {
              ...ctx,
              now: plusMillis(ctx.now, Math.round(jump * cut)),
            });
            current = step.schedule;
            return step.events;
          });
        expect(current).toEqual(atOnce.schedule);
        expect(events).toEqual(atOnce.events);
        expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => a - b));
        expect(events.every(({ at }) => at >= ctx.now)).toBe(true);
      },
    ),
    runs,
  );
});

test("rulings 7.9 the one alarm: it lies ahead, nothing happens before it, and following it misses nothing", () => {
  fc.assert(
    fc.property(goodPlans, steps, ({ schedule, start }, all) => {
      const { schedule: given, ctx } = play(schedule, start, all);
      const until = plusMillis(ctx.now, 40 * DAY);
      let current = advanceSchedule(given, ctx).schedule;
      let now = ctx.now;
      for (let i = 0; i < 200; i++) {
        const next = nextTransitionAt(current, { ...ctx, now });
        if (next === null || next > until) break;
        expect(next).toBeGreaterThan(now);
        expect(advanceSchedule(current, { ...ctx, now: plusMillis(next, -1) }).events).toEqual([]);
        now = next;
        current = advanceSchedule(current, { ...ctx, now }).schedule;
        expect(i).toBeLessThan(199);
      }
      expect(advanceSchedule(given, { ...ctx, now: until }).schedule).toEqual(current);
    }),
    runs,
  );
});

test("T-12 pausing n times shifts the end, and all linked parts after, by the sum of the pauses", () => {
  const pauses = fc.array(fc.tuple(fc.integer({ min: 0, max: 50_000 }), fc.integer({ min: 0, max: DAY })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(starts, pauses, (start, all) => {
      const minutes = (n: number) => seconds(n * 60);
      const given: Schedule = {
        groups: [
          newPartGroup("g", { parts: [newPart("a", { duration: minutes(6) }), newPart("b"), newPart("c")] }),
        ],
      };
      const begun = startSchedule(given, start, { now: start, roster: ["ann"] });
      let current = begun;
      let now = start;
      let sum = 0;
      for (const [run, pause] of all) {
        now = plusMillis(now, run);
        const paused = pausePart(current, "a", { now, roster: ["ann"] });
        now = plusMillis(now, pause);
        const resumed = paused.ok ? resumePart(paused.schedule, "a", { now, roster: ["ann"] }) : paused;
        if (!resumed.ok) throw new Error(resumed.sentence);
        current = resumed.schedule;
        sum += pause;
      }
      const shift = partsInOrder(current).map(
        (part, i) => startOf(part) - startOf(partsInOrder(begun)[i] ?? part),
      );
      expect(shift).toEqual([sum, sum, sum]);
      expectSpans(current, 1);
    }),
    runs,
  );
});

test("T-10 every schedule without problems can be started by hand or by time, and runs to its end untouched", () => {
  fc.assert(
    fc.property(goodPlans, fc.boolean(), ({ schedule, start, plan }, isManuallyStarted) => {
      const auto: Schedule = { groups: schedule.groups.map((group) => ({ ...group, isAutoStart: true })) };
      const roster = PEOPLE.slice(0, plan.rosterSize);
      const begun = startSchedule(auto, start, { now: start, roster }, { isManuallyStarted });
      const over = advanceSchedule(begun, { now: plusMillis(start, 400 * DAY + MINUTE), roster }).schedule;
      expect(partsInOrder(over).every((part) => part.state === "finished")).toBe(true);
      expectNoOverlap(over);
      // By time, untouched: everything ran exactly where the plan put it.
      if (!isManuallyStarted)
        expect(partsInOrder(over).every((part) => part.startedAt === part.plannedStartAt)).toBe(true);
    }),
    runs,
  );
});
