// The date picker parses its text.
import { afterEach, expect, test, vi } from "vitest";
import { readPicker } from "./date-time-input";

afterEach(() => vi.restoreAllMocks());

test("T-20 an invalid date gives a console error and null", () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  for (const text of ["2026-02-30T09:30", "yesterday", "2026-11-21T25:00"]) {
    expect(readPicker(text, "UTC"), text).toBeNull();
    expect(error).toHaveBeenLastCalledWith(`Invalid date: ${text}`);
  }
  expect(error).toHaveBeenCalledTimes(3);
  expect(readPicker("", "UTC")).toBeNull();
  expect(readPicker("2026-11-21T09:30", "UTC")).toBe(Date.UTC(2026, 10, 21, 9, 30));
  expect(error).toHaveBeenCalledTimes(3);
});
