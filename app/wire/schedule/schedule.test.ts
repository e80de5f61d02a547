// A schedule on the wire: the outside values of a timer's state.
import { expect, test } from "vitest";
import { minute, part, schedule } from "~/domain/schedule/fixtures";
import { scheduleIn, scheduleOut } from "./schedule";

test("S-09 a timer's status is 1 while running and 3 while waiting, paused or finished", () => {
  const at = { startedAt: minute(0), endedAt: minute(5) };
  const all = schedule([
    part("waits", 5),
    part("runs", 5, { ...at, state: "running" }),
    part("is paused", 5, { ...at, state: "paused", pausedAt: minute(1) }),
    part("has finished", 5, { ...at, state: "finished" }),
  ]);
  const parts = scheduleOut(all, minute(2))[0]?.parts ?? [];
  expect(parts.map(({ uuid, status, active }) => [uuid, status, active])).toEqual([
    ["waits", 3, 0],
    ["runs", 1, 1],
    ["is paused", 3, 0],
    ["has finished", 3, 0],
  ]);
});

test("E-08 a schedule survives the round trip over the wire", () => {
  const all = schedule([
    part("a", 5, {
      isPerParticipant: true,
      turns: ["ann", "ben"],
      startedAt: minute(0),
      endedAt: minute(10),
    }),
    part("b", 5, { isUndated: true, isHeld: true, isFocus: true }),
  ]);
  const again = scheduleIn(scheduleOut(all, minute(2)));
  expect(scheduleOut(again, minute(2))).toEqual(scheduleOut(all, minute(2)));
  expect(again.groups[0]?.parts.map(({ isFocus }) => isFocus)).toEqual([false, true]);
});
