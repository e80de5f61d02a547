// The chat of a room: a line, and the blocks that pay for lines.
import { expect, test } from "vitest";
import { blockKey, CHAT_LENGTH, hasLineLeft, linesLeft, readLine } from "./chat";
import { AppError } from "./errors";

const refusal = (text: string, nonce: string) => {
  try {
    readLine(text, nonce);
  } catch (error) {
    return error instanceof AppError ? Object.keys(error.fields).join() : error;
  }
  return null;
};

test("R-16 a line has letters, at most 2000, and a nonce of at most 100", () => {
  expect(readLine("  hello ", "n")).toBe("hello");
  expect(readLine(` ${"a".repeat(CHAT_LENGTH)} `, "n".repeat(100))).toHaveLength(CHAT_LENGTH);
  expect(refusal(" \n", "n")).toBe("content");
  expect(refusal("a".repeat(CHAT_LENGTH + 1), "n")).toBe("content");
  expect(refusal("a", "")).toBe("nonce");
  expect(refusal("a", "n".repeat(101))).toBe("nonce");
});

test("B-13 a block pays for its lines and no more", () => {
  const block = { userId: 3, n: 1, size: 100 };
  expect(blockKey(block)).toBe("3:1");
  expect([98, 99, 100, 101].map((used) => hasLineLeft({ ...block, used }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([linesLeft(100, 98), linesLeft(100, 100), linesLeft(100, 101)]).toEqual([2, 0, 0]);
});
