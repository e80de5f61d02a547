import { expect, test } from "vitest";
import { bestOffset, correctionAt, keepProbe, offsetOf, PROBES_KEPT, type Probe, retarget } from "./clock";

const probe = (local: number, offset: number, there: number, back: number): Probe => ({
  sentAt: local,
  serverAt: local + there + offset,
  receivedAt: local + there + back,
});

test("L-10 the quickest probe of the last eight tells the offset", () => {
  const slow = probe(0, 7_200_000, 400, 20);
  const quick = probe(1000, 7_200_000, 3, 3);
  expect(bestOffset([slow, quick])).toBe(7_200_000);
  expect(bestOffset([])).toBeNull();
  expect(offsetOf(slow)).toEqual({ offset: 7_200_000 + 190, error: 210 });
  const kept = Array.from({ length: 20 }, (_, i) => probe(i, 0, 1, 1)).reduce(keepProbe, [] as Probe[]);
  expect(kept).toHaveLength(PROBES_KEPT);
});

test("L-10 corrections under 100 ms are slewed, never stepped; the clock never runs backwards", () => {
  let correction = retarget(null, 5000, 0);
  expect(correctionAt(correction, 0)).toBe(5000);
  correction = retarget(correction, 4940, 1000);
  let last = 1000 + correctionAt(correction, 1000);
  for (let local = 1000; local <= 4000; local += 16) {
    const now = local + correctionAt(correction, local);
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
  expect(correctionAt(correction, 4000)).toBe(4940);
  expect(correctionAt(retarget(correction, 9000, 5000), 5000)).toBe(9000);
});
