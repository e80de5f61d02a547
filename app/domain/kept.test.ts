// What is kept is made once, and forgotten when there are too many keys.
import { expect, test } from "vitest";
import { keptBy } from "./kept";

test("what is made for a key is made once, and made anew after too many others", () => {
  const made: string[] = [];
  const of = keptBy((key) => made.push(key), 2);
  expect([of("a"), of("a"), of("b"), of("a")]).toEqual([1, 1, 2, 1]);
  expect([of("c"), of("a")]).toEqual([3, 4]);
  expect(made).toEqual(["a", "b", "c", "a"]);
});
