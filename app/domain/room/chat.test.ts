// The chat rules: lines, and the blocks that pay for them.
import { expect, test } from "vitest";
import { AppError } from "~/domain/errors";
import { instant, MINUTE } from "~/domain/time";
import {
  asSlowMode,
  blockKey,
  editRefusal,
  hasLineLeft,
  linesLeft,
  readLine,
  removalRefusal,
  slowModeWait,
} from "./chat";
import { room } from "./fixtures";

const START = instant(1_000_000);
const person = { joinedAt: START, isReady: false, completedAt: null };

const refusal = (text: string, nonce: string) => {
  try {
    readLine(text, nonce);
  } catch (error) {
    return error instanceof AppError ? Object.keys(error.fields).join() : error;
  }
  return null;
};

test("R-16 a line has text and a nonce", () => {
  expect(readLine("  hello ", "n")).toBe("hello");
  expect(refusal(" \n", "n")).toBe("content");
  expect(refusal("a", "")).toBe("nonce");
});

test("B-13 a block pays for exactly its number of lines", () => {
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

const host = { userId: 1, username: "ada", isSuperAdmin: false };
const guest = { userId: 3, username: "cleo", isSuperAdmin: false };
const stranger = { userId: 9, username: "eve", isSuperAdmin: false };
const seated = room({
  participants: [
    { ...person, userId: 1, username: "ada", role: 1 as const, isHost: true },
    { ...person, userId: 3, username: "cleo", role: 0 as const, isHost: false },
  ],
});
const line = { userId: 3, createdAt: START, isRemoved: false };

test("Q-21 only the author edits a line, within 5 minutes and while seated", () => {
  const later = (ms: number) => instant(START + ms);
  expect(editRefusal(seated, guest, line, later(5 * MINUTE - 1))).toBeNull();
  expect(editRefusal(seated, guest, line, later(5 * MINUTE))).toEqual({
    code: "CONFLICT",
    sentence: "A message can be edited for 5 minutes.",
  });
  expect(editRefusal(seated, host, line, START)?.code).toBe("FORBIDDEN");
  expect(editRefusal(seated, stranger, { ...line, userId: 9 }, START)?.code).toBe("FORBIDDEN");
  expect(editRefusal(seated, guest, { ...line, isRemoved: true }, START)?.code).toBe("CONFLICT");
});

test("Q-21 the author, the host and super admins remove a line", () => {
  const may = (by: typeof host) => removalRefusal(seated, by, line) === null;
  expect([guest, host, stranger, { ...stranger, isSuperAdmin: true }].map(may)).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test("Q-23 slow mode counts from the person's last line and exempts the host and admins", () => {
  const slow = { ...seated, slowMode: 15 as const };
  const wait = (by: typeof host, ms: number, last: typeof START | null = START) =>
    slowModeWait(slow, by, last, instant(START + ms));
  expect([
    wait(guest, 0),
    wait(guest, 9_001),
    wait(guest, 15_000),
    wait(guest, 0, null),
    wait(host, 0),
  ]).toEqual([15, 6, 0, 0, 0]);
  expect(slowModeWait(seated, guest, START, START)).toBe(0);
  expect([asSlowMode(60), asSlowMode(7), asSlowMode(undefined)]).toEqual([60, 0, 0]);
});
