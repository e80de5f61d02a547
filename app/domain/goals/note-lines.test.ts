import { expect, test } from "vitest";
import { linesOf, lineWords, planLines, tickLine } from "./note-lines";

const note = { content: "", todo: "Oil the boots\n- [ ] Find the map\n\n  Bread", done: "Monday" };

test("U-21 a line shows its words without the box that was typed", () => {
  expect(linesOf(note.todo).map(lineWords)).toEqual(["Oil the boots", "Find the map", "Bread"]);
  expect(["* [x] Tea", "[ ] Tea", "- Tea", "[x]Tea"].map(lineWords)).toEqual([
    "Tea",
    "Tea",
    "- Tea",
    "[x]Tea",
  ]);
});

test("U-21 a ticked line leaves Todo for the end of Done, and its box has the sign", () => {
  expect(tickLine(note, "todo", "Oil the boots")).toEqual({
    content: "",
    todo: "- [ ] Find the map\n\n  Bread",
    done: "Monday\nOil the boots",
  });
  expect(tickLine(note, "todo", "- [ ] Find the map")?.done).toBe("Monday\n- [x] Find the map");
  expect(tickLine({ ...note, done: "" }, "todo", "  Bread")?.done).toBe("Bread");
  expect(tickLine(note, "todo", "Bread")).toBeNull();
});

test("U-21 a line of Done goes back to the end of Todo", () => {
  expect(tickLine({ ...note, done: "- [x] Tea\nMonday" }, "done", "- [x] Tea")).toEqual({
    content: "",
    todo: `${note.todo}\n- [ ] Tea`,
    done: "Monday",
  });
});

test("U-21 the boxes of a plan are its task lines outside code", () => {
  const content =
    "- [ ] One\n```\n- [ ] code\n```\n1. [x] Two\n  - [ ] Three\n- [ ]\n- [y] no\ntext - [ ] no";
  expect(planLines(content)).toEqual([
    { index: 0, indent: 0, isDone: false, words: "One" },
    { index: 4, indent: 0, isDone: true, words: "Two" },
    { index: 5, indent: 2, isDone: false, words: "Three" },
  ]);
});

test("U-21 a ticked box of the plan leaves its Markdown for Done, and the lines under it stay at its level", () => {
  const content = "First:\n- [ ] Pack **all**\n  - [ ] Map\n    more\n  - Tea\n- [x] Old\n";
  expect(tickLine({ ...note, content }, "plan", "Pack **all**")).toEqual({
    content: "First:\n- [ ] Map\n  more\n- Tea\n- [x] Old\n",
    todo: note.todo,
    done: "Monday\nPack **all**",
  });
  expect(tickLine({ ...note, content }, "plan", "Map")?.content).toContain("- [ ] Pack **all**\n  more");
  for (const gone of ["Old", "Tea", ""]) expect(tickLine({ ...note, content }, "plan", gone)).toBeNull();
});

test("U-21 a line of a note from before line ends were folded is ticked too", () => {
  const old = { content: "First:\r\n- [ ] Map\r\n", todo: "Boots\r\nTea", done: "" };
  expect(linesOf(old.todo)).toEqual(["Boots", "Tea"]);
  expect(tickLine(old, "todo", "Boots")).toMatchObject({ todo: "Tea", done: "Boots" });
  expect(tickLine(old, "plan", "Map")).toEqual({ content: "First:\n", todo: old.todo, done: "Map" });
});
