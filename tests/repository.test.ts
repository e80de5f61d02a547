// The form of decisions, package versions and commit subjects, and the lines of the table of mutants.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { staleRows } from "./mutants/equivalents.mjs";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("every decision has a number of its own, a dated status, context, decision, alternatives, consequences and an end", () => {
  const FORM =
    /^# (\d+)\. \S.*\n\n\*\*Status\.\*\* (?:Accepted|Replaced) \d{4}-\d\d-\d\d\b.*\n\n\*\*Context\.\*\* [\s\S]+\n\n\*\*Decision\.\*\*\s[\s\S]+\n\n\*\*Alternatives\.\*\* [\s\S]+\n\n\*\*Consequences\.\*\* [\s\S]+\n\n\*\*Remove when\.\*\* /;
  const names = readdirSync(join(root, "docs/decisions"));
  const wrong = names.filter(
    (name) => FORM.exec(read(`docs/decisions/${name}`))?.[1] !== String(Number(name.slice(0, 4))),
  );
  expect(wrong).toEqual([]);
  const numbers = names.map((name) => name.slice(0, 4));
  expect(numbers.filter((number, n) => numbers.indexOf(number) !== n)).toEqual([]);
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

test.each(["package.json", "bench/package.json"])("%s names exact versions", (path) => {
  const { dependencies, devDependencies } = JSON.parse(read(path)) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});

test("every test that draws more in a long run has a step of test:long, and every step a test", () => {
  const steps = [...read("tests/long/run.mjs").matchAll(/\bworkers\("([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(steps.length).toBeGreaterThan(20);
  const tests = ["app", "db", "tests", "workers"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  expect(steps.filter((step) => !tests.some((path) => path.startsWith(step)))).toEqual([]);
  const long = tests.filter((path) => /\brunsOf\(/.test(read(path).replaceAll(/^\/\/.*/gm, "")));
  expect(long.filter((path) => !steps.some((step) => path.startsWith(step)))).toEqual([]);
});

/** The last commit with a longer subject; the limit holds for its successors. */
const BASE = "3b85b5b73803f87c45cb447befbaf592d6839347";

/** Lines of hash and subject; null without git or without the base, as in a shallow clone. */
function commitsSince(base: string): string[] | null {
  try {
    const log = execFileSync("git", ["log", "--no-merges", "--format=%h %s", `${base}..HEAD`], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return log.split("\n").filter(Boolean);
  } catch {
    return null;
  }
}
const tooLong = (commits: string[]) => commits.filter((commit) => commit.replace(/^\S+ /, "").length > 72);

test("commit subjects have at most 72 characters", () => {
  const commits = commitsSince(BASE);
  if (!commits) console.log(`Commit subjects are not checked: this clone has no history from ${BASE} on.`);
  expect(tooLong(commits ?? [])).toEqual([]);
});

test("a commit subject of 73 characters and a missing base are recognised", () => {
  expect(tooLong([`abc1234 ${"x".repeat(72)}`, `abc1235 ${"x".repeat(73)}`])).toHaveLength(1);
  expect(commitsSince("0".repeat(40))).toBeNull();
});

test("every mutant that is left out names a line of its file", () => {
  expect(staleRows(root)).toEqual([]);
});
