// Activities: input validation and free places.
import { expect, test } from "vitest";
import { ActivityChange, ActivityInput, hasPlaces } from "./activities";

const wrong = (given: object): string[] =>
  (ActivityInput.safeParse({ title: "Yoga", ...given }).error?.issues ?? []).map(({ path }) =>
    path.join("."),
  );

test("U-37 R-17 an activity has free places while it has no limit or fewer followers than its limit", () => {
  const full = (followersCount: number, participantLimit: number | null) =>
    hasPlaces({ followersCount, participantLimit });
  expect([full(9, 10), full(10, 10), full(11, 10)]).toEqual([true, false, false]);
  expect([full(9, null), full(9, 0)]).toEqual([true, true]);
});

test("K-03 a new activity has normal difficulty, is open and timed, and is no template", () => {
  expect(ActivityInput.parse({ title: " Yoga " })).toEqual({
    title: "Yoga",
    content: "",
    category: null,
    difficulty: 4,
    hutId: null,
    participantLimit: null,
    isManuallyStarted: false,
    isTemplate: false,
  });
});

test.each<[string, object, object]>([
  ["title", { title: "a" }, { title: " " }],
  ["title", { title: "a".repeat(200) }, { title: "a".repeat(201) }],
  ["content", { content: "a".repeat(200_000) }, { content: "a".repeat(200_001) }],
  ["category", { category: "a".repeat(60) }, { category: "a".repeat(61) }],
  ["difficulty", { difficulty: "6" }, { difficulty: 5 }],
  ["hutId", { hutId: 1 }, { hutId: 0 }],
  ["duration", { duration: 300 }, { duration: 299 }],
  ["duration", { duration: 2_592_000 }, { duration: 2_592_001 }],
  ["duration", { duration: 301 }, { duration: 301.5 }],
  ["participantLimit", { participantLimit: 0 }, { participantLimit: -1 }],
  ["participantLimit", { participantLimit: 1_000_000 }, { participantLimit: 1_000_001 }],
  ["goals", { goals: Array(100).fill({}) }, { goals: Array(101).fill({}) }],
])("V-20 V-21 an activity's %s has bounds", (field, right, outside) => {
  expect(wrong(right)).toEqual([]);
  expect(wrong(outside)).toEqual([field]);
});

test("C-51 an update names its activity and leaves missing fields unchanged", () => {
  expect(ActivityChange.parse({ slug: "yoga" })).toEqual({ slug: "yoga" });
  expect(ActivityChange.safeParse({ title: "Yoga" }).success).toBe(false);
});
