// Correcting mistyped search words.
import { expect, test } from "vitest";
import { beginningsOf, nearWords, splitJoinedWords } from "./near-words";

const known = ["yoga", "morning", "evening", "old", "river", "tea", "straße", "łodz", "ubung"].map(
  (word) => ({ word, rows: 1 }),
);
const reachable = (typed: string) =>
  nearWords(
    typed,
    known.filter(({ word }) => beginningsOf(typed).some((start) => word.startsWith(start))),
  );

test.each([
  ["oga", ["yoga"]],
  ["yga", ["yoga"]],
  ["yoag", ["yoga"]],
  ["orning", ["morning"]],
  ["amorning", ["morning"]],
  ["mroning", ["morning"]],
  ["Évening", ["Évening"]],
  ["strasse", ["straße"]],
  ["Strase", ["straße"]],
  ["lodz", ["łodz"]],
  ["Łódź", ["Łódź"]],
  ["uebung", ["ubung"]],
  ["mronng", ["morning"]],
  ["mornig", ["morning"]],
  ["evneigg", ["evening"]],
  ["vroning", []],
  ["mornrg", []],
  ["xx", []],
  ["zzzzz", []],
])("C-49 %s is corrected to %j", (typed, meant) => {
  expect(reachable(typed)).toEqual(meant);
});

test("a long word allows two errors, a short one none, and one of six or seven letters a second if two letters were swapped", () => {
  expect(reachable("evnin")).toEqual(["evening"]);
  expect(reachable("evinn")).toEqual([]);
  expect(reachable("mornnigg")).toEqual(["morning"]);
  expect(reachable("ta")).toEqual([]);
});

test("C-49 among words with equally few errors the most frequent comes first, then the shorter, at most four", () => {
  const among = (...words: [string, number][]) => words.map(([word, rows]) => ({ word, rows }));
  expect(nearWords("rivex", among(["rivers", 1], ["river", 1], ["rivet", 9]))).toEqual([
    "rivet",
    "river",
    "rivers",
  ]);
  expect(nearWords("rivxr", among(["river", 1], ["rovers", 9]))).toEqual(["river"]);
  const many = among(["cat", 1], ["cut", 2], ["cot", 3], ["cit", 4], ["cet", 5]);
  expect(nearWords("cxt", many)).toEqual(["cet", "cit", "cot", "cut"]);
  expect(nearWords("cxt", many, 1)).toEqual(["cet"]);
});

test.each([
  // No error below three letters, one below eight, then two.
  ["ab", "cb", false],
  ["ab", "abc", true],
  ["abc", "abd", true],
  ["abc", "abdef", true],
  ["abc", "acb", true],
  ["bcd", "abcd", true],
  ["abcd", "abc", true],
  ["abcd", "ab", false],
  ["abcdefg", "abxxefg", false],
  ["abcdefgh", "abxxefgh", true],
  ["abcdefgh", "abxxxfgh", false],
  ["abcdefgh", "abcdef", true],
  ["abcdefgh", "abcde", false],
])("C-49 %s may mean %s: %s", (typed, word, isNear) => {
  expect(nearWords(typed, [{ word, rows: 1 }])).toEqual(
    !isNear ? [] : word.startsWith(typed) ? [typed] : [word],
  );
});

test("C-49 two joined words split after the longest known word, with at least three letters each", () => {
  const known = ["half", "hal", "ha", "halfmar", "marathon"].map((word) => ({ word, rows: 1 }));
  expect(splitJoinedWords("HalfMarathon", known)).toEqual(["halfmar", "athon"]);
  expect(splitJoinedWords("halfmar", known)).toEqual(["half", "mar"]);
  expect(splitJoinedWords("halfma", known)).toEqual(["hal", "fma"]);
  expect(splitJoinedWords("halfm", known)).toEqual([]);
  expect(splitJoinedWords("xhalf", known)).toEqual([]);
});

test("C-49 a word's candidate beginnings are any letter before its first two, these two, and each of them", () => {
  expect(beginningsOf("ab")).toEqual(["ab", "a", "b"]);
  const long = beginningsOf("abc");
  expect(long).toHaveLength(26 + 3);
  expect([long[0], long[25], ...long.slice(26)]).toEqual(["aab", "zab", "ab", "a", "b"]);
  expect(beginningsOf("thorn")).toContain("þ");
  expect(beginningsOf("torn")).not.toContain("þ");
});

test("C-49 two swapped letters are one error only if both exist", () => {
  const means = (typed: string, word: string) => nearWords(typed, [{ word, rows: 1 }]).length === 1;
  expect([means("bac", "abc"), means("aaa", "abb"), means("aaa", "acb")]).toEqual([true, false, false]);
  // A swap beside an error: in a word of six or seven letters with the right first letter and length.
  expect([means("mronng", "morning"), means("rvixr", "river")]).toEqual([true, false]);
  expect(means("nronng", "morning")).toBe(false);
  expect(means("mronng", "mornings")).toBe(false);
});
