// The query of a list, and how an invalid URL is read.
import { expect, test } from "vitest";
import { ListQuery } from "./lists";

const ALL = { page: 1, joined: false, templates: false, category: "", difficulty: null, q: "", after: "" };

test("P-01 C-05 a list defaults to its first page without filters, and invalid values are ignored", () => {
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

test("P-01 queries have maximum lengths and page numbers", () => {
  const asked = { q: "a".repeat(200), category: "a".repeat(60), after: "a".repeat(60) };
  expect(ListQuery.parse({ ...asked, page: "1000000", difficulty: "4" })).toEqual({
    ...ALL,
    ...asked,
    page: 1_000_000,
    difficulty: 4,
  });
});

test.each([[true], [1], ["1"], ["true"]])("P-01 joined=%j filters by joined sessions", (joined) => {
  expect(ListQuery.parse({ joined }).joined).toBe(true);
  expect(ListQuery.parse({ joined: "0" }).joined).toBe(false);
});
