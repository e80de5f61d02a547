// Words and pairs of letters, as titles are written and searched.
import { expect, test } from "vitest";
import {
  indexedWords,
  isCorrectable,
  ownWordsOf,
  pairsOf,
  searchWordsOf,
  spellingsOf,
  titleWordsOf,
} from "./search-words";

test("C-49 a search has at most eight words of forty characters, and ignores h/ before a hut's name", () => {
  expect(searchWordsOf(" h/Morning-run, ça!")).toEqual(["Morning", "run", "ça"]);
  expect(searchWordsOf("a b c d e f g h i")).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
  expect(searchWordsOf("a".repeat(41))).toEqual(["a".repeat(40)]);
  expect(searchWordsOf(" !! ")).toEqual([]);
});

test.each([
  ["日本語の読書会", ["日本", "本語", "語の", "の読", "読書", "書会", "会"]],
  ["Book club 読書", ["読書", "書"]],
  ["TOEIC勉強", ["勉強", "強"]],
  ["コーヒー", ["コー", "ーヒ", "ヒー", "ー"]],
  ["ｺｰﾋｰ", ["コー", "ーヒ", "ヒー", "ー"]],
  ["독서 모임", ["독서", "서", "모임", "임"]],
  ["การอ่าน", ["กา", "าร", "รอ", "อา", "าน", "น"]],
  ["𠮷野家", ["𠮷野", "野家", "家"]],
  ["Morning pages", []],
  ["", []],
])("C-49 the pairs of %j are %j", (title, pairs) => {
  expect(pairsOf(title)).toEqual(pairs);
});

test("C-49 a search uses the same pairs as the title, between its words, and at most 24", () => {
  expect(searchWordsOf("読書")).toEqual(["読書", "書"]);
  expect(searchWordsOf("TOEIC勉強 club")).toEqual(["TOEIC", "勉強", "強", "club"]);
  expect(searchWordsOf("อ่าน")).toEqual(pairsOf("อ่าน"));
  expect(searchWordsOf("水".repeat(40))).toHaveLength(24);
});

test("C-49 only words of letters with spaces between them are corrected", () => {
  expect(["morning", "読書", "독서", "อา"].map(isCorrectable)).toEqual([true, false, false, false]);
});

test("R-80 the words of a user's things are folded, each once, and bounded", () => {
  expect(indexedWords("Don’t stop, don't", "Straße/Łódź")).toBe("dont stop strasse lodz");
  expect(indexedWords("日本語の読書会")).toBe("日本 本語 語の の読 読書 書会 会");
  expect(indexedWords("\ue0007\ue000secret")).toBe("7 secret");
  const many = Array.from({ length: 60_000 }, (_, at) => `word${at}`).join(" ");
  expect(indexedWords(many).length).toBeLessThanOrEqual(200_000);
  expect(ownWordsOf("Don't — ÇA")).toEqual(["dont", "ca"]);
  expect(ownWordsOf(" !! ")).toEqual([]);
});

test("R-80 a title has the folded words that the index would not make of it, and a search both spellings", () => {
  expect(titleWordsOf("Don’t stop in Łódź, Crème")).toEqual(["dont", "lodz"]);
  expect(titleWordsOf("Morning pages")).toEqual([]);
  expect(titleWordsOf("読書会")).toEqual(pairsOf("読書会"));
  expect(spellingsOf("h/don't Crème co-op")).toEqual([["dont", "don t"], ["Crème"], ["co"], ["op"]]);
  expect(spellingsOf("كِتَاب")).toEqual([["كتاب", "ك ت اب"]]);
  expect(spellingsOf("読書 club")).toEqual([["読書"], ["書"], ["club"]]);
  expect(spellingsOf("हिन्दी")).toEqual([["ह"], ["न"], ["द"]]);
  expect(spellingsOf(" !! ")).toEqual([]);
});
