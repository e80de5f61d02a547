// The cleaning of typed text.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isolateRtl } from "./isolated";
import { cleanLines, foldLine, headerLine } from "./text-lines";

test.each([
  ["one\r\ntwo", "one two"],
  ["one\u2028two\u2029three\u0085four", "one two three four"],
  ["a\u0000b\u001fc\u007fd", "a b c d"],
  ["  a \t  b  ", "a b"],
  ["half \ud83d word", "half word"],
  ["👩‍👩‍👧 and e\u0301", "👩‍👩‍👧 and e\u0301"],
  ["\u200b\u200d\ufeff\u2060", ""],
  ["\u3164", ""],
  ["\u2800\u00ad", ""],
  ["abc\u202egnp.exe", "abcgnp.exe"],
  ["\u2066a\u2067b\u2068c\u2069\u202a\u202b\u202c\u202d", "abc"],
  ["a\u200e \u05d0\u200f", "a\u200e \u05d0\u200f"],
  [`a${"\u0301".repeat(9)}b${"\u0301".repeat(1000)}`, `a${"\u0301".repeat(8)}b${"\u0301".repeat(8)}`],
  [`${"\u0301".repeat(8)}\u202e\u0301`, "\u0301".repeat(8)],
])("R-59 the line %j is folded", (given, line) => {
  expect(foldLine(given)).toBe(line);
});

const text = fc.string({
  unit: fc.constantFrom(..."aé字😀 \t\r\n\u0000\u0085\u2028\u200b\u00a0\ud800\udc00\u202e\u2069\u0301"),
});

test("R-59 a folded line has no control, no separator and no outer space, and folds to itself", () => {
  fc.assert(
    fc.property(text, (given) => {
      const line = foldLine(given);
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|^\s|\s$| {2}/u);
      expect(foldLine(line)).toBe(line);
      expect(cleanLines(cleanLines(given))).toBe(cleanLines(given));
    }),
  );
});

test("R-59 a text of several lines keeps them, without lone surrogates", () => {
  expect(cleanLines("one\n\n\ttwo \u0000\ud800three")).toBe("one\n\n\ttwo three");
  expect(cleanLines("\u200b\n\u200b")).toBe("");
});

test("R-59 a line of a text ends with a line feed, whatever a plain form or a program sent", () => {
  expect(cleanLines("one\r\n\r\ntwo\rthree\n")).toBe("one\n\ntwo\nthree\n");
});

test("R-59 a text of several lines has no control of direction and at most eight marks on a character", () => {
  expect(cleanLines(`one\u202e\ntwo\u2067${"\u0301".repeat(20)}`)).toBe(`one\ntwo${"\u0301".repeat(8)}`);
  expect(cleanLines("\u05d0\u200f\n\u200ea")).toBe("\u05d0\u200f\n\u200ea");
});

test("R-80 words that run from right to left are isolated in a sentence, also in the header of a mail", () => {
  expect(isolateRtl("Walk")).toBe("Walk");
  const words = isolateRtl("\u05e8\u05d9\u05e6\u05d4!");
  expect(words).toBe("\u2068\u05e8\u05d9\u05e6\u05d4!\u2069");
  expect(headerLine(`${words} was\r\ncancelled`)).toBe(`${words} was cancelled`);
});
