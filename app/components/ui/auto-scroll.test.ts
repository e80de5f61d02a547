// Auto-scrolling during a drag.
import { expect, test } from "vitest";
import { autoScrollOptions, DRAG_CONTEXT_ID, DRAG_SCROLL } from "./auto-scroll";

test("K-06 a drag scrolls within 30 px of the edge, at speed 10, and every drag context has the id people", () => {
  expect(DRAG_SCROLL).toEqual({ sensitivity: 30, speed: 10 });
  expect(DRAG_CONTEXT_ID).toBe("people");
  for (const height of [600, 1200]) {
    const { acceleration, threshold } = autoScrollOptions(height);
    expect(acceleration).toBe(10);
    expect(threshold.y * height).toBeCloseTo(30);
    expect(threshold.x).toBe(0);
  }
});
