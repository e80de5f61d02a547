import { expect, test, vi } from "vitest";
import { isFoldOpen, rememberFold } from "./folds-opened";

test("a fold that was opened is open again, and a fold of another form stays closed", () => {
  expect(isFoldOpen("register")).toBe(false);
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  });
  rememberFold("register", true);
  expect([isFoldOpen("register"), isFoldOpen("names")]).toEqual([true, false]);
  rememberFold("register", false);
  expect(isFoldOpen("register")).toBe(false);
});
