import { expect, test } from "vitest";
import { addProbe, bestOffset, correctionAt, MAX_PROBES, offsetOf, type Probe, retarget } from "./clock";

const probe = (local: number, offset: number, there: number, back: number): Probe => ({
  sentAt: local,
  serverAt: local + there + offset,
  receivedAt: local + there + back,
});

test("L-10 the fastest of the last eight probes gives the offset", () => {
  const slow = probe(0, 7_200_000, 400, 20);
  const quick = probe(1000, 7_200_000, 3, 3);
  expect(bestOffset([slow, quick])).toBe(7_200_000);
  expect(bestOffset([])).toBeNull();
  expect(offsetOf(slow)).toEqual({ offset: 7_200_000 + 190, error: 210 });
  const kept = Array.from({ length: 20 }, (_, i) => probe(i, 0, 1, 1)).reduce(addProbe, [] as Probe[]);
  expect(kept).toHaveLength(MAX_PROBES);
});

test("L-10 corrections under 100 ms are slewed, never stepped, so the clock never runs backwards", () => {
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

test("L-10 of two equally fast probes the earlier gives the offset, and the error is half the round trip", () => {
  const first = probe(0, 100, 5, 5);
  const second = probe(1000, 300, 5, 5);
  expect(bestOffset([first, second])).toBe(100);
  expect(bestOffset([second, first])).toBe(300);
});

test("L-10 a correction of 100 ms is stepped, one of 99 ms is slewed at a twentieth", () => {
  const settled = retarget(null, 0, 0);
  expect(retarget(settled, 100, 0)).toEqual({ from: 100, to: 100, since: 0 });
  expect(retarget(settled, -100, 0)).toEqual({ from: -100, to: -100, since: 0 });
  const slewed = retarget(settled, 99, 1000);
  expect(slewed).toEqual({ from: 0, to: 99, since: 1000 });
  expect([900, 1000, 1020, 2000, 2980, 9000].map((local) => correctionAt(slewed, local))).toEqual([
    0, 0, 1, 50, 99, 99,
  ]);
  expect(correctionAt(retarget(settled, -99, 0), 1000)).toBe(-50);
});
