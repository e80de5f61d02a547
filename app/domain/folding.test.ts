// The letters of a text as searches compare them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldText } from "./folding";
import { indexedWords, ownWordsOf } from "./search-words";

test.each([
  ["Don’t stop", "don't"],
  ["Don’t stop", "dont"],
  ["Crème brûlée", "creme"],
  ["Creme", "crème"],
  ["Co‑op – walk", "co-op"],
  ["Straße", "strasse"],
  ["Łódź", "lodz"],
  ["Smørrebrød", "smorrebrod"],
  ["كِتَاب", "كتاب"],
  ["שָׁלוֹם", "שלום"],
  ["İstanbul", "istanbul"],
  ["ＡＢＣ", "abc"],
  ["हिन्दी", "हिन्दी"],
  ["ไทยน้ำ", "น้ำ"],
  ["한국어", "한국"],
])("R-80 the goal %j is found by %j", (title, q) => {
  const indexed = indexedWords(title).split(" ");
  const words = ownWordsOf(q);
  expect(words.length).toBeGreaterThan(0);
  for (const word of words) expect(indexed.filter((one) => one.startsWith(word))).not.toEqual([]);
});

test("R-80 hyphens of every kind are spaces", () => {
  expect(["Co-op", "Co\u2010op", "Co\u2011op", "Co\u2013op", "co op"].map(foldText)).toEqual(
    Array.from({ length: 5 }, () => "co op"),
  );
});

test("R-80 signs of vowels are letters in Hindi", () => {
  expect(foldText("हिन्दी")).not.toBe(foldText("हन्द"));
});

test("R-80 a folded text folds to itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."aÉß’-ŁøİıÅ\u0301\u064b\u0640कि 한ำ") }), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text));
    }),
  );
});
