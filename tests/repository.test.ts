// The form of what a maintainer reads beside the code: decisions and versions of packages.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("every decision has its number, a dated status, context, decision and consequences", () => {
  const FORM =
    /^# (\d+)\. \S.*\n\n\*\*Status\.\*\* (?:Accepted|Replaced) \d{4}-\d\d-\d\d\b.*\n\n\*\*Context\.\*\* [\s\S]+\n\n\*\*Decision\.\*\*\s[\s\S]+\n\n\*\*Consequences\.\*\* /;
  const names = readdirSync(join(root, "docs/decisions"));
  const wrong = names.filter(
    (name) => FORM.exec(read(`docs/decisions/${name}`))?.[1] !== String(Number(name.slice(0, 4))),
  );
  expect(wrong).toEqual([]);
});

test("a replaced decision and its successor name each other", () => {
  const names = readdirSync(join(root, "docs/decisions"));
  const pairs = (pattern: RegExp, of: (own: number, other: number) => string) =>
    names.flatMap((name) =>
      [...read(`docs/decisions/${name}`).matchAll(pattern)].map(([, other]) =>
        of(Number(name.slice(0, 4)), Number(other)),
      ),
    );
  const replaced = pairs(/^\*\*Status\.\*\* Replaced \S+ by decision (\d+)/gm, (own, by) => `${by} > ${own}`);
  const replacing = pairs(/^\*\*Status\.\*\* .* Replaces decision (\d+)/gm, (own, old) => `${own} > ${old}`);
  expect(replaced.sort()).toEqual(replacing.sort());
});

test("package.json names exact versions", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});
