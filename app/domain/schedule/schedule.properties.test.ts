// Property tests: invariants of every planned schedule (T-02 to T-10).
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  build,
  expectLinks,
  expectNoOverlap,
  expectSpans,
  goodPlans,
  plans,
  runs,
} from "#tests/support/drawn-schedules";
import { instant, plusSeconds } from "~/domain/time";
import {
  addPart,
  clearPartStart,
  movePart,
  removePart,
  setPartDuration,
  setPartEnd,
  setPartStart,
} from "./edit";
import { setLinked } from "./groups";
import { layOut, type Plan } from "./plan";
import { type Edit, newPart, partPlaces, type Schedule } from "./shape";

test("T-05, T-08 in every schedule with dates end = start + duration, links have no gap, and recomputing changes nothing", () => {
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

test("T-09 a schedule without problems has no overlap that was not requested", () => {
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
  const places = partPlaces(schedule);
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

test("T-05, T-08 durations and links still hold after any edits", () => {
  let done = 0;
  fc.assert(
    fc.property(goodPlans, fc.array(someEdit, { maxLength: 8 }), ({ schedule, plan }, edits) => {
      let current = schedule;
      for (const one of edits) {
        const edit = applyEdit(current, one, plan);
        if (!edit.ok) continue;
        done++;
        current = edit.schedule;
        expectSpans(current, plan.rosterSize);
        expectLinks(current);
      }
    }),
    runs,
  );
  expect(done).toBeGreaterThan(0);
});

test.each(["duration", "end", "start", "add", "move"])("T-05 %s and its undo are the identity", (kind) => {
  let undone = 0;
  fc.assert(
    fc.property(goodPlans, someEdit, ({ schedule, plan }, drawn) => {
      const one = { ...drawn, kind };
      const places = partPlaces(schedule);
      const place = places[one.pick % places.length];
      if (!place) return;
      const { part, group, index } = place;
      // Setting a start makes it absolute, so only an absolute start is restored.
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
      // In another group a part may have received another date in between.
      const isElsewhere = !edit.schedule.groups[place.groupIndex]?.parts.some(({ id }) => id === part.id);
      if (one.kind === "move" && isElsewhere) return;
      undone++;
      expect(undo[one.kind]?.()).toEqual({ ok: true, schedule });
    }),
    { numRuns: 100 },
  );
  expect(undone).toBeGreaterThan(0);
});
