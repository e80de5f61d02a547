// Memoised values: created once for each key until the cache is full.
import { expect, test } from "vitest";
import { memoiseByKey } from "./memoise";

test("memoiseByKey creates a value once for each key, and again after the cache was full", () => {
  const made: string[] = [];
  const of = memoiseByKey((key) => made.push(key), 2);
  expect([of("a"), of("a"), of("b"), of("a")]).toEqual([1, 1, 2, 1]);
  expect([of("c"), of("a")]).toEqual([3, 4]);
  expect(made).toEqual(["a", "b", "c", "a"]);
});
