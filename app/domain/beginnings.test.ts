// Shortened texts end with whole characters.
import { expect, test } from "vitest";
import { beginningOf, shorten } from "./beginnings";

const FAMILY = "👩‍👩‍👧‍👦";

test.each([
  ["emoji", "😀"],
  ["families", FAMILY],
  ["flags", "🇳🇵"],
  ["letters with marks", "é̂"],
  ["Hindi syllables", "क्षि"],
  ["Thai letters with vowels", "กำ"],
  ["Hangul of parts", "한"],
])("R-80 a text of %s ends between grapheme clusters, wherever it is cut", (_, cluster) => {
  const text = cluster.repeat(100);
  for (let most = cluster.length; most < text.length; most++) {
    const cut = beginningOf(text, most);
    expect(cut.length, String(most)).toBeLessThanOrEqual(most);
    expect(cut.length, String(most)).toBeGreaterThan(most - cluster.length);
    expect(cut, String(most)).toBe(cluster.repeat(cut.length / cluster.length));
  }
});

test("R-80 a text within its bound keeps all of its characters", () => {
  expect(beginningOf(FAMILY, FAMILY.length)).toBe(FAMILY);
  expect(shorten("word", 4)).toBe("word");
});

test("R-80 a shortened text says so within its bound", () => {
  expect(shorten("one two", 5)).toBe("one…");
  expect(shorten("😀".repeat(400), 300)).toBe(`${"😀".repeat(149)}…`);
});

test("R-80 a character of a thousand marks is cut between code points", () => {
  expect(beginningOf(`a${"\u0301".repeat(1000)}`, 300)).toHaveLength(300);
  expect(beginningOf(`😀${"\u0301".repeat(1000)}`, 1)).toBe("");
  expect(beginningOf(`one a${"\u0301".repeat(1000)}`, 300)).toHaveLength(300);
});
