// The scripts of every page's first view, visited or not.
import { expect, test } from "vitest";
import { firstViews, weightOfAll } from "./browser";

/** The goal in bytes, compressed: the form of a session has an editor, which loads when it is touched. */
function goalOf(id: string): number {
  if (id === "routes/home") return 118_000;
  if (/^routes\/session-(?:create|update)/.test(id)) return 150_000;
  return /^routes\/session-/.test(id) ? 138_000 : 122_000;
}

test("P1 no page's first view exceeds its goal, and home loads at most 20 files", () => {
  const views = firstViews();
  const weights = [...views].map(([id, scripts]) => ({ id, bytes: weightOfAll(scripts) }));
  expect(weights.length).toBeGreaterThan(60);
  expect(Math.min(...weights.map(({ bytes }) => bytes))).toBeGreaterThan(50_000);
  expect(weights.filter(({ id, bytes }) => bytes > goalOf(id))).toEqual([]);
  expect(views.get("routes/home")?.size).toBeLessThanOrEqual(20);
});
