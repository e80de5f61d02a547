// Which words a mistyped one may have meant.
import { expect, test } from "vitest";
import { beginningsOf, nearWords } from "./near-words";

const known = ["yoga", "morning", "evening", "old", "river", "tea", "straße", "łodz", "ubung"].map(
  (word) => ({ word, rows: 1 }),
);
const reachable = (typed: string) =>
  nearWords(
    typed,
    known.filter(({ word }) => beginningsOf(typed).some((start) => word.startsWith(start))),
  );

test.each([
  ["oga", ["yoga"]],
  ["yga", ["yoga"]],
  ["yoag", ["yoga"]],
  ["orning", ["morning"]],
  ["amorning", ["morning"]],
  ["mroning", ["morning"]],
  ["Évening", ["Évening"]],
  ["strasse", ["straße"]],
  ["Strase", ["straße"]],
  ["lodz", ["łodz"]],
  ["Łódź", ["Łódź"]],
  ["uebung", ["ubung"]],
  ["mronng", ["morning"]],
  ["mornig", ["morning"]],
  ["evneigg", ["evening"]],
  ["vroning", []],
  ["mornrg", []],
  ["xx", []],
  ["zzzzz", []],
])("C-49 %s may mean %j", (typed, meant) => {
  expect(reachable(typed)).toEqual(meant);
});

test("a long word may have two slips, a short one none, one of six or seven letters a second where two letters changed places", () => {
  expect(reachable("evnin")).toEqual(["evening"]);
  expect(reachable("evinn")).toEqual([]);
  expect(reachable("mornnigg")).toEqual(["morning"]);
  expect(reachable("ta")).toEqual([]);
});
