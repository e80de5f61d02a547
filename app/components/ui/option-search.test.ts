// Which options a search finds, and in which order.
import { expect, test } from "vitest";
import { matchingOptions } from "./option-search";

const options = [
  { title: "Crème brûlée", fullTitle: "Recipes / Crème brûlée" },
  { title: "Don’t stop", fullTitle: "Songs / Don’t stop" },
  { title: "Straße", fullTitle: "Words / Straße" },
  { title: "None" },
];
const found = (words: string) => matchingOptions(options, words).map(({ title }) => title);

test("U-54 options are found by title and full title, in the letters of all searches", () => {
  expect(found("creme")).toEqual(["Crème brûlée"]);
  expect(found("DON'T")).toEqual(["Don’t stop"]);
  expect(found("strasse")).toEqual(["Straße"]);
  expect(found("songs")).toEqual(["Don’t stop"]);
  expect(found("zzz")).toEqual([]);
});

test("U-54 without words all options are shown in their order", () => {
  expect(found(" ")).toEqual(options.map(({ title }) => title));
});
