// A refused form sends back what was typed, but no value over 10 kB.
import { expect, test } from "vitest";
import { sentBack } from "./sent-back.server";

const LONG = "x".repeat(10_001);
const refused = () => ({
  status: "error" as const,
  initialValue: { title: "Short", content: LONG, goals: [{ title: "Run", content: LONG }] },
  error: { title: ["Please say more."] },
});

test("R-35 a refused form that left its page comes without its long texts, and says at them how to find them", () => {
  const { initialValue, error } = sentBack(refused(), false);
  expect(initialValue).toEqual({ title: "Short", goals: [{ title: "Run" }] });
  expect(Object.keys(error ?? {})).toEqual(["title", "content", "goals[0].content"]);
  expect(error?.content?.[0]).toMatch(/^This text is too long to show here again\./);
});

test("R-35 a refused form that stays on its page keeps its long texts there, so its answer says nothing of them", () => {
  const { initialValue, error } = sentBack(refused(), true);
  expect(JSON.stringify(initialValue).length).toBeLessThan(100);
  expect(error).toEqual({ title: ["Please say more."] });
});

test("R-35 a refused form of short values comes back as it is", () => {
  const short = { status: "error" as const, initialValue: { title: "x".repeat(10_000) } };
  expect(sentBack(short, false)).toBe(short);
});
