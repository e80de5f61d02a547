// The scripts of every page's first view, visited or not.
import { expect, test } from "vitest";
import { firstViews, weightOfAll } from "./browser";

/** The forms of a session are pages like others. */
const ofSession = (id: string): boolean => /^routes\/session-(?!create|update)/.test(id);

test("P1 no page's first view exceeds 105 kB of scripts, and no page of a session 120", () => {
  const weights = [...firstViews()].map(([id, scripts]) => ({ id, bytes: weightOfAll(scripts) }));
  expect(weights.length).toBeGreaterThan(60);
  expect(Math.min(...weights.map(({ bytes }) => bytes))).toBeGreaterThan(50_000);
  expect(weights.filter(({ id, bytes }) => bytes > (ofSession(id) ? 120_000 : 105_000))).toEqual([]);
});
