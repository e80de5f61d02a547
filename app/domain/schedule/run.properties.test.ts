// Property tests: invariants of every running schedule, whatever the host does (T-05 to T-15).
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  dated,
  endOf,
  expectNoOverlap,
  expectSpans,
  goodPlans,
  runs,
  startOf,
  starts,
} from "#tests/support/drawn-schedules";
import { DAY, type Instant, MINUTE, plusMillis, seconds } from "~/domain/time";
import { advanceSchedule, effectiveSchedule, nextTransitionAt, type RunContext } from "./advance";
import { mayOverlap } from "./plan";
import {
  adjustPart,
  finishPart,
  pausePart,
  resetPart,
  resumePart,
  startPart,
  startSchedule,
  updateTurns,
} from "./run";
import {
  type Edit,
  findPart,
  hasBegun,
  newPart,
  newPartGroup,
  partPlaces,
  partsInOrder,
  type Schedule,
} from "./shape";
import { ordersOf } from "./skip-and-back";

const PEOPLE = ["ann", "bob", "cy", "dee"];

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
  skip: pressed("skip"),
  back: pressed("back"),
};

/** The host's button press, call by call, up to the first refusal. */
function pressed(press: "skip" | "back") {
  return (schedule: Schedule, partId: string, ctx: RunContext): Edit => {
    const current = findPart(schedule, partId) ?? null;
    let done: Edit = { ok: true, schedule };
    for (const order of ordersOf(press, schedule, current)) {
      const move = MOVES[order.type];
      if (done.ok && move) done = move(done.schedule, order.partId, ctx);
    }
    return done;
  };
}

function take(schedule: Schedule, step: Step, ctx: RunContext): Schedule {
  if (step.kind === "look") return advanceSchedule(schedule, ctx).schedule;
  if (step.kind === "roster") return updateTurns(schedule, ctx);
  const parts = partsInOrder(schedule);
  const id = parts[step.pick % parts.length]?.id ?? "";
  const move = MOVES[step.kind];
  const edit = move ? move(schedule, id, ctx) : adjustPart(schedule, id, step.seconds, ctx);
  return edit.ok ? edit.schedule : schedule;
}

/** Applies the steps, calling `look` after each. Returns the last state and its context. */
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

test("T-09 during a run no two parts run at once unless one requested it", () => {
  let beside = 0;
  fc.assert(
    fc.property(goodPlans, steps, ({ schedule, start }, all) => {
      play(schedule, start, all, (current, ctx) => {
        const caughtUp = advanceSchedule(current, ctx).schedule;
        expectNoOverlap(
          effectiveSchedule(caughtUp, ctx.now, ctx.roster.length),
          (part) => part.state === "running" || part.state === "paused",
        );
        // Scheduled parts do not overlap running ones either.
        const shown = effectiveSchedule(caughtUp, ctx.now, ctx.roster.length);
        const under = partPlaces(shown).filter(({ part }) => part.state === "running");
        for (const { part, group, number } of dated(shown)) {
          if (hasBegun(part) || part.duration === 0) continue;
          for (const other of under) {
            const second = other.number > number ? other : { part, group };
            if (mayOverlap(second.part, second.group)) continue;
            beside++;
            expect(startOf(part)).toBeGreaterThanOrEqual(endOf(other.part));
          }
        }
      });
    }),
    runs,
  );
  expect(beside).toBeGreaterThan(0);
});

test("T-05, T-08 during a run durations hold and waiting linked parts touch", () => {
  let waiting = 0;
  fc.assert(
    fc.property(goodPlans, steps, ({ schedule, start }, all) => {
      play(schedule, start, all, (current, ctx) => {
        const { schedule: caughtUp } = advanceSchedule(current, ctx);
        expectSpans(caughtUp, ctx.roster.length);
        for (const { part, group, index } of dated(caughtUp)) {
          const before = group.parts[index - 1];
          if (!group.isLinked || hasBegun(part) || !before || before.startedAt === null) continue;
          waiting++;
          // A later part that already runs may delay it, never advance it.
          expect(startOf(part)).toBeGreaterThanOrEqual(endOf(before));
        }
      });
    }),
    runs,
  );
  expect(waiting).toBeGreaterThan(0);
});

test("L-09 one jump and many small steps give the same schedule and the same events in order", () => {
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

test("L-09 the next alarm is in the future, nothing happens before it, and following it misses nothing", () => {
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

test("T-12 repeated pauses shift the end, and all later linked parts, by the total paused time", () => {
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
        if (!resumed.ok) throw new Error(resumed.code);
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

test("T-10 every schedule without problems starts, manually or on time, and runs to its end without input", () => {
  fc.assert(
    fc.property(goodPlans, fc.boolean(), ({ schedule, start, plan }, isManuallyStarted) => {
      const auto: Schedule = { groups: schedule.groups.map((group) => ({ ...group, isAutoStart: true })) };
      const roster = PEOPLE.slice(0, plan.rosterSize);
      const begun = startSchedule(auto, start, { now: start, roster }, { isManuallyStarted });
      const over = advanceSchedule(begun, { now: plusMillis(start, 400 * DAY + MINUTE), roster }).schedule;
      expect(partsInOrder(over).every((part) => part.state === "finished")).toBe(true);
      expectNoOverlap(over);
      // Started on time and without input, every part ran exactly as planned.
      if (!isManuallyStarted)
        expect(partsInOrder(over).every((part) => part.startedAt === part.plannedStartAt)).toBe(true);
    }),
    runs,
  );
});
