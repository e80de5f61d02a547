// The calls that skipping and going back make on a running schedule.
import { expect, test } from "vitest";
import { loose, part, schedule, startedSchedule, three } from "./fixtures";
import { findPart, withPart } from "./shape";
import { ordersOf } from "./skip-and-back";

const said = (orders: ReturnType<typeof ordersOf>) => orders.map(({ type, partId }) => `${type} ${partId}`);
const press = (which: "skip" | "back", given: ReturnType<typeof startedSchedule>, id: string | null) =>
  said(ordersOf(which, given, id === null ? null : (findPart(given, id) ?? null)));
const atB = (over = {}) =>
  withPart(
    withPart(startedSchedule(schedule({ ...over, parts: three() })), "a", { state: "finished" }),
    "b",
    {
      state: "running",
    },
  );

test("R-29 skipping starts the next waiting timer, and finishes the last", () => {
  expect(press("skip", startedSchedule(schedule(three())), "a")).toEqual(["start b"]);
  expect(press("skip", atB(), "b")).toEqual(["start c"]);
  expect(press("skip", atB(), null)).toEqual(["start c"]);
  const last = startedSchedule(schedule([part("a", 5)]));
  expect(press("skip", last, "a")).toEqual(["finish a"]);
  const over = withPart(last, "a", { state: "finished" });
  expect([press("skip", over, "a"), press("skip", over, null)]).toEqual([[], []]);
});

test("R-29 going back starts the previous timer, or restarts the first one", () => {
  expect(press("back", atB(), "b")).toEqual(["reset a", "start a"]);
  expect(press("back", atB(loose), "b")).toEqual(["reset b", "reset a", "start a"]);
  expect(press("back", startedSchedule(schedule(three())), "a")).toEqual(["reset a", "start a"]);
  const groups = startedSchedule(schedule([part("a", 5)], [part("b", 5)]));
  expect(press("back", groups, "b")).toEqual(["reset b", "reset a", "start a"]);
});

test("R-29 going back between timers starts the last finished one, and before the first does nothing", () => {
  expect(press("back", withPart(atB(), "b", { state: "finished" }), null)).toEqual(["reset b", "start b"]);
  expect(press("back", schedule(three()), null)).toEqual([]);
});
