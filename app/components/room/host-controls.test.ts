// Skip and back as documented calls, compared with the rules for them.
import { describe, expect, test } from "vitest";
import { advanceSchedule } from "~/domain/schedule/advance";
import {
  accepted,
  byHand,
  context,
  loose,
  minute,
  part,
  START,
  schedule,
  statesText,
} from "~/domain/schedule/fixtures";
import { finishPart, resetPart, startPart, startSchedule } from "~/domain/schedule/run";
import type { Edit, Schedule } from "~/domain/schedule/shape";
import { ordersOf, type PartOrder } from "~/domain/schedule/skip-and-back";
import { stageAt } from "./stage-reading";

const times = { startedAt: START, endedAt: minute(600) };
const at = (given: Schedule, n: number) =>
  advanceSchedule(startSchedule(given, START, context(0)), context(n)).schedule;
const moves: Record<string, (given: Schedule, id: string, n: number) => Edit> = {
  start: (given, id, n) => startPart(given, id, context(n)),
  finish: (given, id, n) => finishPart(given, id, context(n)),
  reset: (given, id, n) => resetPart(given, id, context(n)),
};
const carried = (given: Schedule, orders: PartOrder[], n: number) =>
  orders.reduce(
    (schedule, order) => accepted(moves[order.type]?.(schedule, order.partId, n) ?? { ok: true, schedule }),
    given,
  );
const onStage = (given: Schedule, n: number) => {
  const stage = stageAt(times, given, minute(n));
  return stage.kind === "part" ? stage.part : null;
};
const press = (which: "skip" | "back", given: Schedule, n: number) => {
  const ready = at(given, n);
  return statesText(carried(ready, ordersOf(which, ready, onStage(ready, n)), n));
};
const linked = () => schedule([part("a", 5), part("b", 5), part("c", 5)]);

describe("skip", () => {
  test("ends the running part and starts the next", () => {
    expect(press("skip", linked(), 2)).toBe("a. 0-2, b> 2-7, c 7-12");
  });
  test("of the last part ends it", () => {
    expect(press("skip", linked(), 12)).toBe("a. 0-5, b. 5-10, c. 10-12");
  });
  test("after the last part does nothing", () => {
    expect(ordersOf("skip", at(linked(), 60), null)).toEqual([]);
  });
});

describe("back", () => {
  test("restarts the previous part, and later parts wait again", () => {
    expect(press("back", linked(), 7)).toBe("a> 7-12, b 12-17, c 17-22");
  });
  test("of the first part restarts it", () => {
    expect(press("back", linked(), 2)).toBe("a> 2-7, b 7-12, c 12-17");
  });
  test("across the boundary of two groups", () => {
    expect(press("back", schedule([part("a", 5)], { ...loose, parts: [part("b", 5)] }), 7)).toBe(
      "a> 7-12, b 12-17",
    );
  });
  test("while waiting for the host restarts the last part that ran", () => {
    expect(press("back", schedule([part("a", 5)], { ...byHand, parts: [part("b", 5)] }), 7)).toBe(
      "a> 7-12, b 12-17",
    );
  });
});
