import { expect, test } from "vitest";
import { HutChange, HutInput } from "./huts";

test("C-17 a hut has a name of 1 to 100 characters and a text of at most 200,000", () => {
  const isRight = (given: object) => HutInput.safeParse(given).success;
  expect(HutInput.parse({ title: " Bothy walkers " })).toEqual({ title: "Bothy walkers", content: "" });
  expect([isRight({ title: "a" }), isRight({ title: " " }), isRight({})]).toEqual([true, false, false]);
  expect([isRight({ title: "a".repeat(100) }), isRight({ title: "a".repeat(101) })]).toEqual([true, false]);
  const content = (length: number) => isRight({ title: "a", content: "a".repeat(length) });
  expect([content(200_000), content(200_001)]).toEqual([true, false]);
  expect(HutChange.parse({ slug: "s" })).toEqual({ slug: "s" });
});
