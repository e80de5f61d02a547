import { expect, test } from "vitest";
import { shiftPast } from "./toasts-shift";

test("K-01 toasts stay at their place where it is free, and otherwise begin below what they would cover", () => {
  const title = { top: 140, bottom: 184 };
  expect(shiftPast([], 72, 60, 400)).toBe(0);
  expect(shiftPast([title], 72, 60, 400)).toBe(0);
  // Nearer than the gap counts as covered.
  expect(shiftPast([title], 72, 61, 400)).toBe(120);
  expect(shiftPast([{ top: 20, bottom: 65 }], 72, 60, 400)).toBe(1);
  // The space between two is too small, and below the second it is free.
  expect(shiftPast([title, { top: 230, bottom: 270 }], 72, 97, 400)).toBe(206);
  expect(shiftPast([title, { top: 230, bottom: 270 }], 72, 97, 374)).toBeNull();
});
