// The date picker parses its text, and an empty one clears its date when it is left.
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import type { TextInputProps } from "~/components/ui/inputs";
import { instant } from "~/domain/time";
import { DateTimeInput, readPicker } from "./date-time-input";

const input = vi.hoisted(() => ({ props: {} as TextInputProps }));
vi.mock("~/components/ui/inputs", () => ({
  TextInput: (props: TextInputProps) => {
    input.props = props;
    return null;
  },
}));
afterEach(() => vi.restoreAllMocks());

/** Leaves the field of a date with this text; true if that clears the date. `badInput`: half a date is typed. */
function clears(
  value: number | null,
  text: string,
  { badInput = false, isWindowLeft = false } = {},
): boolean {
  const onClear = vi.fn();
  const at = value === null ? null : instant(value);
  renderToString(createElement(DateTimeInput, { value: at, timeZone: "UTC", onClear }));
  const target: Record<string, unknown> = { value: text, validity: { badInput } };
  // A window that loses the focus keeps its active element.
  target.ownerDocument = { activeElement: isWindowLeft ? target : null };
  input.props.onBlur?.({ target } as never);
  return onClear.mock.calls.length > 0;
}

test("T-06 leaving an empty field clears its date, unlike a half typed one, one with a date, and one that never had any", () => {
  const at = Date.UTC(2026, 10, 21, 9, 30);
  expect(clears(at, "")).toBe(true);
  expect(clears(at, "", { badInput: true })).toBe(false);
  expect(clears(at, "", { isWindowLeft: true })).toBe(false);
  expect(clears(at, "2026-11-21T09:30")).toBe(false);
  expect(clears(null, "")).toBe(false);
});

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
