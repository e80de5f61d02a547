// A refusal returns the typed values, but none over 10 kB.
import { expect, test } from "vitest";
import { withoutLongValues } from "./sent-back.server";

const LONG = "x".repeat(10_001);
const refused = () => ({
  status: "error" as const,
  initialValue: { title: "Short", content: LONG, goals: [{ title: "Run", content: LONG }] },
  error: { title: ["Please say more."] },
});

test("R-35 a refusal without JavaScript omits long texts, and each field says how to recover its text", () => {
  const { initialValue, error } = withoutLongValues(refused(), false);
  expect(initialValue).toEqual({ title: "Short", goals: [{ title: "Run" }] });
  expect(Object.keys(error ?? {})).toEqual(["title", "content", "goals[0].content"]);
  expect(error?.content?.[0]).toMatch(/^This text is too long to show here again\./);
});

test("R-35 a refusal of a hydrated form omits long texts without a hint, because the page still holds them", () => {
  const { initialValue, error } = withoutLongValues(refused(), true);
  expect(JSON.stringify(initialValue).length).toBeLessThan(100);
  expect(error).toEqual({ title: ["Please say more."] });
});

test("R-35 a refusal with short values returns them all", () => {
  const short = { status: "error" as const, initialValue: { title: "x".repeat(10_000) } };
  expect(withoutLongValues(short, false)).toBe(short);
});
