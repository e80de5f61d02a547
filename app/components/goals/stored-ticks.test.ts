import { beforeEach, expect, test, vi } from "vitest";
import { mergeTicks, readStoredTicks, storeTicks } from "./stored-ticks";

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
});

test("R-70 ticks that wait in the browser are those of the account that made them, and of their goal", () => {
  storeTicks(1, "ada", { ticked: ["a"], base: "" });
  storeTicks(2, "ben", { ticked: ["b"], base: "c" });
  expect([
    readStoredTicks(1, "ada")?.ticked,
    readStoredTicks(1, "ben"),
    readStoredTicks(2, "ben")?.base,
    readStoredTicks(2, "ada"),
  ]).toEqual([["a"], null, "c", null]);
  storeTicks(1, "ada", null);
  expect([readStoredTicks(1, "ada"), readStoredTicks(2, "ben")?.ticked]).toEqual([null, ["b"]]);
});

test("R-70 ticks without an account, and what is no list of ticks, are nobody's", () => {
  for (const text of ['{"ticked":["a"],"base":""}', "null", "no json", '{"by":"ada","ticked":1,"base":""}']) {
    stored.set("bothy:ticks:1", text);
    expect(readStoredTicks(1, "ada"), text).toBeNull();
  }
});

test("R-69 ticks that return change the lines that their page changed, and leave those that another device ticked", () => {
  // The page ticked a and unticked b; meanwhile another device ticked c and unticked d.
  const left = { ticked: ["a", "d"], base: ["b", "d"] };
  expect([...new Set(mergeTicks(left, ["b", "c"]))].sort()).toEqual(["a", "c"]);
  // The other device did the same, or nothing.
  expect([...new Set(mergeTicks(left, ["a", "d"]))].sort()).toEqual(["a", "d"]);
  expect([...new Set(mergeTicks(left, left.base))].sort()).toEqual(["a", "d"]);
});
