// The order of what the palette finds, and the names in its text.
import { expect, test } from "vitest";
import { byMatch, type PaletteResult, usernamePrefixOf } from "./palette";

const found = (title: string): PaletteResult => ({
  kind: "hut",
  title,
  path: "/",
  place: null,
  status: null,
  startedAt: null,
});

test("Y-01 the title that equals the text is first, then beginnings, then words, then the rest", () => {
  const titles = ["By the river", "The morning", "Morning pages", "Morning"];
  expect(
    titles
      .map(found)
      .sort(byMatch("morning"))
      .map(({ title }) => title),
  ).toEqual(["Morning", "Morning pages", "The morning", "By the river"]);
});

test("Y-01 people are searched from two letters on, with or without @, by one word", () => {
  expect(["@An", "an-na", " anna "].map(usernamePrefixOf)).toEqual(["an", "an-na", "anna"]);
  expect(["a", "@a", "two words", "50%", ""].map(usernamePrefixOf)).toEqual([null, null, null, null, null]);
});
