// Pages of a list, and the cursors between them.
import { expect, test } from "vitest";
import { cursorOf, pagedById, pageOfList, shownRows } from "./list-pages";

const rows = [9, 7, 5].map((id) => ({ id }));

test("C-05 a row beyond the page indicates a next page, which begins after the last row shown", () => {
  const full = pageOfList(rows, { page: 3 }, 2, ({ id }) => id);
  expect(full).toEqual({ rows, page: 3, perPage: 2, after: "4~7" });
  expect(shownRows(full.rows, full)).toEqual([{ id: 9 }, { id: 7 }]);
  expect(pagedById(rows, { page: 3, perPage: 2 })).toEqual({
    page: 3,
    perPage: 2,
    after: "4~7",
    hasNext: true,
  });
});

test("C-05 an exactly full page and an empty page are last pages", () => {
  for (const some of [rows, rows.slice(0, 1), []]) {
    expect(pageOfList(some, { page: 1 }, 3, ({ id }) => id).after).toBeNull();
    expect(pagedById(some, { page: 1, perPage: 3 }).hasNext).toBe(false);
  }
});

test.each<[string | undefined, number, string | null]>([
  ["4~7", 4, "7"],
  ["4~1234567890123456789", 4, "1234567890123456789"],
  ["4~7", 3, null],
  ["4~7", 5, null],
  ["4~12345678901234567890", 4, null],
  ["4~", 4, null],
  ["~7", 0, null],
  ["4~7~8", 4, null],
  ["x4~7", 4, null],
  ["", 1, null],
  [undefined, 1, null],
])("C-05 the cursor %j on page %i is %j", (after, page, key) => {
  expect(cursorOf({ after, page })).toBe(key);
});
