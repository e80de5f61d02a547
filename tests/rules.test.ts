// Checks that every cited rule id, decision and document exists, and that docs/rules.md has each rule once.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const SELF = "tests/rules.test.ts";
const FOLDERS = ["app", "bench", "db", "docs", "public", "tests", "workers"];
const IS_TEXT = /\.(tsx?|mjs|css|sql|md|toml|txt)$/;
const files = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  ),
  ...readdirSync(root),
].filter((path) => IS_TEXT.test(path) && path !== SELF && !path.includes("node_modules"));

const entries = [...read("docs/rules.md").matchAll(/^- \*\*([A-Z]-?\d+)\*\* \S/gm)].map(([, id = ""]) => id);
const rules = new Set(entries);

/** `file: citation` for each match of `pattern` that `resolves` refuses. */
const dangling = (pattern: RegExp, resolves: (match: RegExpMatchArray, file: string) => boolean) =>
  files.flatMap((file) =>
    [...read(file).matchAll(pattern)]
      .filter((match) => !resolves(match, file))
      .map(([citation]) => `${file}: ${citation}`),
  );

const RULE = /(?<![\w-])(?:R-1\d\d|[A-Z]-\d\d)(?![\w-])/g;
const GOAL_IN_TITLE = /\b(?:test|describe)(?:\.each)?\(\s*["`](?:(?:R-1\d\d|[A-Z]-\d\d) )*([A-Z]\d)(?= )/g;
const DECISION = /\b[Dd]ecisions? (\d{1,4})\b|decisions\/(\d{4})\b/g;

describe("docs/rules.md", () => {
  test("has each rule once", () => {
    expect(entries.filter((id, at) => entries.indexOf(id) !== at)).toEqual([]);
    expect(entries.length).toBeGreaterThan(600);
  });

  test("has every rule that the repository cites", () => {
    expect(dangling(RULE, ([id]) => rules.has(id))).toEqual([]);
    expect(new Set(files.flatMap((file) => read(file).match(RULE) ?? [])).size).toBeGreaterThan(460);
  });

  test("has every goal of speed and cost in a test title", () => {
    expect(dangling(GOAL_IN_TITLE, ([, id = ""]) => rules.has(id))).toEqual([]);
  });
});

test("every decision that the repository cites exists", () => {
  const numbers = new Set(readdirSync(join(root, "docs/decisions")).map((name) => Number(name.slice(0, 4))));
  expect(dangling(DECISION, ([, short, long]) => numbers.has(Number(short ?? long)))).toEqual([]);
});

test("every document that the repository cites exists", () => {
  const exists = ([path]: RegExpMatchArray, file: string) =>
    ["", "docs", join(file, "..")].some((folder) => existsSync(join(root, folder, path)));
  expect(dangling(/(?<![\w$}{*./-])(?:\.\.\/)*(?:[\w-]+\/)*[\w-]+\.md\b/g, exists)).toEqual([]);
});

test("nothing refers to a document that is not in the repository", () => {
  expect(dangling(/\brulings? \d|\bthe documents\b|\bthe specification\b/gi, () => false)).toEqual([]);
});

test("the patterns find a citation without an entry", () => {
  expect("A-01 Z-99 R-101 UTF-16 PDF-17 P-256".match(RULE)).toEqual(["A-01", "Z-99", "R-101"]);
  expect([...'test("A-01 Z9 x", …)'.matchAll(GOAL_IN_TITLE)].map(([, id]) => id)).toEqual(["Z9"]);
});
