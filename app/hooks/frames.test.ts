// The loop of animation frames, with the browser's frames and clock replaced.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchFrames } from "./frames";

let local = 0;
let next: FrameRequestCallback | null = null;
const runAt = (startedAt: number, now = startedAt) => {
  local = now;
  const run = next;
  next = null;
  run?.(startedAt);
};

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", (onFrame: FrameRequestCallback) => {
    next = onFrame;
    return 1;
  });
  vi.spyOn(performance, "now").mockImplementation(() => local);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("T3 every clock of a frame draws the instant at which the frame is seen", () => {
  const seen: number[] = [];
  const draw = (aheadMs: number) => {
    seen.push(local + aheadMs);
    // The next clock draws a little later.
    local += 3;
  };
  const stops = [draw, (aheadMs: number) => draw(aheadMs)].map(watchFrames);
  runAt(1000);
  runAt(1016);
  // A frame that begins late.
  runAt(1032, 1040);
  expect(seen).toEqual([1000, 1003, 1032, 1032, 1048, 1048]);
  for (const stop of stops) stop();
  runAt(1048);
  expect(next).toBeNull();
});
