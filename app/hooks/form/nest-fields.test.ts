// The draft of a form, as its fields read it again.
import { expect, test } from "vitest";
import { nestFields } from "./nest-fields";
import { typedFields } from "./typed-fields";

test("a draft of a goal fills text, list and rows again, and leaves out what the page owns", () => {
  const typed = nestFields(
    [
      ["intent", "goal.create"],
      ["uuid", "u"],
      ["title", "Half a goal"],
      ["content", ""],
      ["days", "1"],
      ["days", "3"],
      ["buttons[0].title", "Ten"],
      ["buttons[1].title", "Twenty"],
    ],
    ["intent", "uuid"],
  );
  const form = typedFields(typed, {});
  expect(form.shownValue("title", "Stored")).toBe("Half a goal");
  expect(form.shownValue("content", "Stored")).toBe("");
  expect(form.checkedValues("days", [])).toEqual(["1", "3"]);
  expect(form.typedRows("buttons")).toHaveLength(2);
  expect(form.row("buttons[1].").shownValue("title")).toBe("Twenty");
  expect(typed).not.toHaveProperty("uuid");
});
