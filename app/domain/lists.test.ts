// What a list may be asked for, and how a mistaken address is read.
import { expect, test } from "vitest";
import { ListQuery, searchWordsOf } from "./lists";

const ALL = { page: 1, joined: false, templates: false, category: "", difficulty: null, q: "", after: "" };

test("P-01 C-05 a list asks for its first page of everything, and what cannot be read counts as not asked", () => {
  expect(ListQuery.parse({})).toEqual(ALL);
  const mistaken = {
    page: "0",
    difficulty: "hard",
    q: "a".repeat(201),
    category: "a".repeat(61),
    after: "a".repeat(61),
  };
  expect(ListQuery.parse({ ...mistaken, joined: {}, templates: "yes" })).toEqual(ALL);
  expect(ListQuery.parse({ page: "1000001" }).page).toBe(1);
});

test("P-01 the longest and the last of what may be asked", () => {
  const asked = { q: "a".repeat(200), category: "a".repeat(60), after: "a".repeat(60) };
  expect(ListQuery.parse({ ...asked, page: "1000000", difficulty: "4" })).toEqual({
    ...ALL,
    ...asked,
    page: 1_000_000,
    difficulty: 4,
  });
});

test.each([[true], [1], ["1"], ["true"]])("P-01 joined=%j asks for the joined ones", (joined) => {
  expect(ListQuery.parse({ joined }).joined).toBe(true);
  expect(ListQuery.parse({ joined: "0" }).joined).toBe(false);
});

test("C-49 a search has eight words of forty letters at most; h/ before a hut's name is none of it", () => {
  expect(searchWordsOf(" h/Morning-run, ça!")).toEqual(["Morning", "run", "ça"]);
  expect(searchWordsOf("a b c d e f g h i")).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
  expect(searchWordsOf("a".repeat(41))).toEqual(["a".repeat(40)]);
  expect(searchWordsOf(" !! ")).toEqual([]);
});
