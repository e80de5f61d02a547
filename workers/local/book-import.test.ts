// The arguments of the import command, and the title of a text.
import { expect, test } from "vitest";
import { readArguments, titleOf } from "./book-import.mjs";

test("D-11 the command takes a file, a title, an owner and a target", () => {
  expect(readArguments(["a.txt"])).toEqual({ file: "a.txt", title: "", by: "", isRemote: false });
  expect(readArguments(["--by", "rowan", "a.txt", "--title", " Of Huts ", "--remote"])).toEqual({
    file: "a.txt",
    title: "Of Huts",
    by: "rowan",
    isRemote: true,
  });
  for (const bad of [[], ["a", "b"], ["--what", "a"], ["a", "--title"], ["a", "--by", "--remote"]])
    expect(() => readArguments(bad), bad.join(" ")).toThrow(/Usage: npm run import:book/);
});

test("D-11 a book's title is its first line, or else the file's name", () => {
  expect(titleOf("\uFEFFOf Huts\r\n\r\nA hut is small.", "x.txt")).toBe("Of Huts");
  expect(titleOf("A hut is small. It stands.\n\nMore.", "the-small_hut.txt")).toBe("the small hut");
  expect(titleOf("Only this", "a.txt")).toBe("a");
});
