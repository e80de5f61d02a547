import { expect, test } from "vitest";
import { nextFrameAt, notBefore } from "./frames";
import { instant } from "./time";

test("T3 what a frame draws is seen at the next frame of the screen, however late in the frame it is drawn", () => {
  const starts = [0, 10, 20, 30];
  for (const [now, seenAt] of [
    [30, 40],
    [33, 40],
    [39.5, 40],
    [40, 50],
    [57, 60],
  ])
    expect(nextFrameAt(starts, now ?? 0)).toBe(seenAt);
});

test("T3 a skipped frame does not make a screen slow", () => {
  expect(nextFrameAt([0, 16, 48, 64], 66)).toBe(80);
});

test("T3 nothing is drawn ahead while the screen's frames are unknown, too far apart or of another clock", () => {
  for (const starts of [[], [5], [5, 5], [0, 100, 200], [5000, 5010]])
    expect(nextFrameAt(starts, 201)).toBe(201);
});

test("L-10 a small correction of the clock takes nothing back that was drawn, and a large one does", () => {
  const drawn = instant(10_000);
  expect(notBefore(drawn, instant(10_016))).toBe(10_016);
  expect(notBefore(drawn, instant(9_700))).toBe(10_000);
  expect(notBefore(drawn, instant(8_001))).toBe(10_000);
  expect(notBefore(drawn, instant(8_000))).toBe(8_000);
});
