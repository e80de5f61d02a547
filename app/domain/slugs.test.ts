// Slugs from titles, and reserved words.
import { expect, test } from "vitest";
import { isReservedSegment, isReservedUsername, slugify } from "./slugs";

test.each([
  ["Morning Yoga", "morning-yoga"],
  ["  Ça va, été?  ", "ca-va-ete"],
  ["5 km / 3 mi", "5-km-3-mi"],
  ["Straße", "strasse"],
  ["Źdźbło i łączność, Smørrebrød", "zdzblo-i-lacznosc-smorrebrod"],
  ["你好", "untitled"],
  ["--", "untitled"],
  ["", "untitled"],
  ["a".repeat(61), "a".repeat(60)],
  // A cut slug never ends with a dash.
  [`${"a".repeat(59)} b`, "a".repeat(59)],
  [`${"a".repeat(58)} b`, `${"a".repeat(58)}-b`],
])("X-08 the title %j has the slug %j", (title, slug) => {
  expect(slugify(title)).toBe(slug);
});

test("X-09 a reserved word is refused in any case, and a product name is no reserved segment", () => {
  expect([isReservedSegment("Goals"), isReservedSegment("goal"), isReservedSegment("wp-admin")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isReservedUsername("Support"), isReservedUsername("supporter")]).toEqual([true, false]);
});
