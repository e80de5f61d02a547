// Every test file and every journey has a tier, and the jobs on GitHub together run each step.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, test } from "vitest";
import {
  drawingFiles,
  JOURNEYS,
  MAIN,
  MAIN_TAG,
  PROJECTS,
  REPOSITORY,
  REST,
  SWEEPS,
  testFiles,
} from "./tiers.mjs";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const steps = [...MAIN, ...REST];

/** Specs that make pictures and tables; they prove nothing. */
const NO_TESTS = ["tests/pictures/", "tests/tasks/"];
const isSpec = (path: string) => path.endsWith(".spec.ts");
const projectsOf = (path: string) =>
  Object.entries(PROJECTS)
    .filter(
      ([, { include, exclude }]) =>
        include.some((glob) => matchesGlob(path, glob)) && !exclude.some((glob) => matchesGlob(path, glob)),
    )
    .map(([name]) => name);

test("P6 every test file belongs to one project, and every project is a step", () => {
  const files = testFiles().filter((path) => !isSpec(path));
  expect(files.length).toBeGreaterThan(350);
  expect(files.filter((path) => projectsOf(path).length !== 1)).toEqual([]);
  expect(Object.keys(PROJECTS).filter((name) => !steps.includes(name))).toEqual([]);
  expect(projectsOf("tests/elsewhere/a.test.ts")).toEqual([]);
  expect([...REPOSITORY, ...SWEEPS].filter((path) => !files.includes(path))).toEqual([]);
});

test("P6 every spec is a journey", () => {
  const specs = testFiles().filter(
    (path) => isSpec(path) && !NO_TESTS.some((start) => path.startsWith(start)),
  );
  expect(specs.filter((path) => !path.startsWith(`${JOURNEYS}/`))).toEqual([]);
});

test("P6 npm test has about twenty journeys, and no journey has another tag", () => {
  const tags = testFiles()
    .filter(isSpec)
    .flatMap((path) => [...read(path).matchAll(/\btag: .*"(@[\w-]+)"/g)].map(([, tag]) => tag));
  expect(tags.filter((tag) => tag !== MAIN_TAG)).toEqual([]);
  expect(tags.length).toBeGreaterThan(14);
  expect(tags.length).toBeLessThan(26);
});

test("P6 the jobs on GitHub run each step once", () => {
  const parts = [...read(".github/workflows/ci.yml").matchAll(/^ +- steps: (.+)$/gm)];
  expect(parts.flatMap(([, names = ""]) => names.split(" ")).sort()).toEqual([...steps].sort());
});

test("P6 a step is named once, and package.json and .ci/run name the tiers", () => {
  expect(new Set(steps).size).toBe(steps.length);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(scripts).toMatchObject({ test: "node tests/run.mjs", "test:all": "node tests/run.mjs --all" });
  expect(read(".ci/run").match(/^npm .*/gm)).toEqual(["npm test", "npm run test:all -- --rest"]);
});

test("P6 the step of drawn seeds finds a test that draws, by itself or by what it imports", () => {
  const files = drawingFiles();
  expect(files).toContain("db/queries/goals/totals.test.ts");
  expect(files).toContain("tests/roles/calls.workers.test.ts");
  expect(files).not.toContain("tests/tiers.test.ts");
  const searched = execFileSync("git", ["grep", "-lE", "\\b(fc\\.assert|seedsOf\\()", "--", "*.test.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(
    searched
      .trim()
      .split("\n")
      .filter((path) => !files.includes(path) && !path.endsWith("tiers.test.ts")),
  ).toEqual([]);
});
