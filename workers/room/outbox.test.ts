// The queue of calls between a room and a leaf.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerOf, Outbox } from "./outbox";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

test("R-26 an outbox makes one call at a time, at least 50 ms apart, and the items of one turn leave together", async () => {
  const calls: { at: number; items: number[] }[] = [];
  let [open, most] = [0, 0];
  const outbox = new Outbox<number>(
    async (items) => {
      calls.push({ at: Date.now() - 1_000_000, items });
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, calls.length === 2 ? 200 : 1));
      open--;
    },
    () => 1,
  );
  outbox.push(1);
  outbox.push(2);
  await vi.advanceTimersByTimeAsync(10);
  outbox.push(3);
  await vi.advanceTimersByTimeAsync(60);
  outbox.push(4);
  outbox.push(5);
  await vi.advanceTimersByTimeAsync(300);
  expect(calls).toEqual([
    { at: 0, items: [1, 2] },
    { at: 50, items: [3] },
    { at: 250, items: [4, 5] },
  ]);
  expect(most).toBe(1);
  expect(outbox.isEmpty).toBe(true);
});

test("R-26 an outbox that has rested for a tick calls at once, without a timer", async () => {
  const calls: number[][] = [];
  const outbox = new Outbox<number>(
    async (items) => void calls.push(items),
    () => 1,
  );
  outbox.push(1);
  await vi.advanceTimersByTimeAsync(50);
  outbox.push(2);
  expect(vi.getTimerCount()).toBe(0);
  await null;
  expect(calls).toEqual([[1], [2]]);
});

test("R-26 a call that fails or does not answer within ten seconds has no answer, and says why", async () => {
  const why: unknown[] = [];
  const note = (error: unknown) => void why.push(String(error));
  expect(await answerOf(Promise.resolve(1), note)).toBe(1);
  expect(await answerOf(Promise.reject(new Error("cut")), note)).toBeNull();
  const late = answerOf(new Promise(() => {}), note);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await late).toBeNull();
  expect(why).toEqual(["Error: cut", "Error: no answer"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("R-26 a call carries a bounded weight, in order, and a cleared outbox calls nobody", async () => {
  const calls: number[][] = [];
  const outbox = new Outbox<number>(
    async (items) => void calls.push(items),
    (weight) => weight,
  );
  for (const weight of [3_000_000, 1_000_000, 1_000_000, 3_000_001, 6_000_000, 1]) outbox.push(weight);
  await vi.advanceTimersByTimeAsync(300);
  expect(calls).toEqual([[3_000_000, 1_000_000], [1_000_000], [3_000_001], [6_000_000], [1]]);
  outbox.push(1);
  outbox.clear();
  await vi.advanceTimersByTimeAsync(200);
  expect(calls).toHaveLength(5);
});
