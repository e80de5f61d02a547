// Every field that takes people's words has the direction of their script.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const sources = ["app/components", "app/routes"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx") && !path.endsWith(".test.tsx"))
    .map((path) => `${folder}/${path}`),
);

/** Of other kinds, such as checkboxes, files, numbers and codes. */
const WORDLESS = /type="(?!text|search)|type=\{|inputMode="(?!search)|type: "hidden"/;
const FIELD = /<(?:textarea|input)\b[\s\S]*?\/?>(?=\s*(?:[)}<:;]|$))/gm;

test("R-80 a field for words has dir=auto", () => {
  const found = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(FIELD)].map(([tag]) => ({ file, tag })),
  );
  expect(found.length).toBeGreaterThan(40);
  const words = found.filter(({ tag }) => tag.startsWith("<textarea") || !WORDLESS.test(tag));
  expect(words.length).toBeGreaterThan(10);
  expect(
    words.filter(({ tag }) => !/\bdir=/.test(tag)).map(({ file, tag }) => `${file}: ${tag.slice(0, 60)}`),
  ).toEqual([]);
});
