import { expect, test } from "vitest";
import { loadAgain, PAUSES } from "./loading-again";

function failing(times: number) {
  const pauses: number[] = [];
  let asked = 0;
  const load = async () => {
    if (asked++ < times) throw new Error(`failure ${asked}`);
    return "the chunk";
  };
  return { pauses, load, wait: async (ms: number) => void pauses.push(ms), asked: () => asked };
}

test("P1 a part whose chunk fails to load is loaded again after a pause", async () => {
  for (const times of [0, 1, PAUSES.length]) {
    const { load, wait, pauses, asked } = failing(times);
    expect(await loadAgain(load, wait)).toBe("the chunk");
    expect([pauses, asked()]).toEqual([PAUSES.slice(0, times), times + 1]);
  }
});

test("P1 a chunk that never loads fails with its last error", async () => {
  const { load, wait, asked } = failing(PAUSES.length + 1);
  await expect(loadAgain(load, wait)).rejects.toThrow(`failure ${PAUSES.length + 1}`);
  expect(asked()).toBe(PAUSES.length + 1);
});
