// Amounts and distances as they arrive in calls.
import { expect, test } from "vitest";
import { measure } from "./measures";
import { localId } from "./record-fields";

const taken = (value: unknown) => {
  const read = measure.safeParse(value);
  return read.success ? read.data : read.error.issues[0]?.message;
};
const TOO_MUCH = "Please give a number up to 1,000,000,000.";

test("V-12 a measure up to 1e9 in either direction is accepted, a larger one refused", () => {
  expect([taken(1e9), taken(-1e9)]).toEqual([1e12, -1e12]);
  expect([taken(1e9 + 0.001), taken(-1e9 - 0.001), taken(1e10)]).toEqual([TOO_MUCH, TOO_MUCH, TOO_MUCH]);
});

test("V-12 a measure has three decimal places; a fourth is rounded", () => {
  expect([taken(0.001), taken(1.2344), taken(1.2345), taken("7.0005")]).toEqual([1, 1234, 1235, 7001]);
});

test("X-12 the id of a timer, item or button has 1 to 64 characters or is a number, and is made when it is left out", () => {
  expect(["a", "x".repeat(64), 7].map((id) => localId.parse(id))).toEqual(["a", "x".repeat(64), "7"]);
  expect(["", "x".repeat(65)].map((id) => localId.safeParse(id).success)).toEqual([false, false]);
  expect(localId.parse(null)).toMatch(/^[0-9a-f-]{36}$/);
});
