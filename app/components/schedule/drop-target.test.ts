// The target of a dragged part.
import { expect, test } from "vitest";
import { part, schedule } from "~/domain/schedule/fixtures";
import { groupEndId, isSamePlace, partTarget } from "./drop-target";

const given = schedule([part("a", 1), part("b", 1), part("c", 1)], [part("d", 1)]);

test.each([
  ["a", "c", { groupId: "g1", index: 2 }],
  ["c", "a", { groupId: "g1", index: 0 }],
  ["a", "d", { groupId: "g2", index: 0 }],
  ["a", groupEndId("g2"), { groupId: "g2", index: 1 }],
  ["a", groupEndId("g1"), { groupId: "g1", index: 2 }],
  ["a", "gone", null],
  ["gone", "a", null],
])("U-47 a part dragged from %s over %s goes to %j", (dragged, over, expected) => {
  expect(partTarget(given, dragged, over)).toEqual(expected);
});

test("U-47 a part dropped where it was stays in its place", () => {
  expect(isSamePlace(given, "c", { groupId: "g1", index: 2 })).toBe(true);
  expect(isSamePlace(given, "c", { groupId: "g2", index: 2 })).toBe(false);
});
