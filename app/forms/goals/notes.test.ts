// The form that ticks lines of a note.
import { expect, test } from "vitest";
import { NoteTick } from "./notes";

const ticked = (line: unknown) => {
  const read = NoteTick.safeParse({ id: "1", note: "1", from: "todo", line });
  return read.success ? read.data.lines : null;
};

test("U-21 one line of a note is ticked, or several at once without JavaScript", () => {
  expect(ticked("Buy milk")).toEqual(["Buy milk"]);
  expect(ticked(["Buy milk", "Write to Ann"])).toEqual(["Buy milk", "Write to Ann"]);
  expect(ticked(Array(1000).fill("x"))).toHaveLength(1000);
  expect([ticked(Array(1001).fill("x")), ticked(""), ticked("x".repeat(20_001))]).toEqual([null, null, null]);
});
