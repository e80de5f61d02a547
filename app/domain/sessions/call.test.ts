import { expect, test } from "vitest";
import { CALL_BYTES, callAt, callMark } from "./call";

test("J-01 a call has 160 random bits in letters that every site takes", () => {
  const zeros = new Uint8Array(CALL_BYTES);
  expect(callAt("https://meet.example", zeros)).toBe(`https://meet.example/${"a".repeat(32)}`);
  const one = Uint8Array.from(zeros, (_, at) => (at === CALL_BYTES - 1 ? 1 : 0));
  expect(callAt("https://meet.example/b/", one)).toBe(`https://meet.example/b/${"a".repeat(31)}b`);
  const full = callAt("https://meet.example", zeros.fill(255));
  expect(full).toMatch(/^https:\/\/meet\.example\/[a-z2-7]{32}$/);
});

test("J-03 another call has another mark, which does not contain it", () => {
  expect(callMark("")).toBeNull();
  const marks = ["https://m.example/a", "https://m.example/b"].map(callMark);
  expect(new Set(marks).size).toBe(2);
  expect(marks[0]).toMatch(/^[a-z0-9]{1,7}$/);
});
