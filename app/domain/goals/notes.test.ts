import { expect, test } from "vitest";
import { isEmptyNote } from "./notes";

test("E-17 a note is empty only when none of its fields has a word", () => {
  expect([isEmptyNote({}), isEmptyNote({ title: " ", content: "\n", todo: "", done: "" })]).toEqual([
    true,
    true,
  ]);
  for (const field of ["title", "content", "todo", "done"])
    expect(isEmptyNote({ title: "", [field]: "x" }), field).toBe(false);
});
