// The steps of `npm test` and of `npm run test:all`, and the test files of each.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../workers/local/processes.mjs";

/** `npm test`: two hands take the steps in this order. */
export const MAIN = ["workers", "types", "lint", "build", "main-journeys", "unit", "repository"];
/** `npm run test:all` adds these. */
export const REST = ["journeys-1", "journeys-2", "sweeps", "built", "history", "seeds"];

/** The steps that run a project of vitest, and its files. */
export const PROJECTS = {
  unit: {
    include: ["app/**/*.test.{ts,tsx}", "db/**/*.test.ts", "workers/**/*.test.ts", "tests/*.test.ts"],
    exclude: ["**/*.workers.test.*", "**/node_modules/**"],
  },
  workers: {
    include: ["**/*.workers.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "build/**", ".cache/**"],
  },
  built: { include: ["tests/built/*.test.ts"], exclude: [] },
};

/** Files of the project `unit` about the text of the repository, and `doors-work`, which counts the work of its code from
 *  the first import on. They are a step of their own, isolated, which rests until a file changes. */
export const REPOSITORY = [
  "asvs",
  "clocks",
  "doors-work",
  "imports",
  "one-door",
  "operations",
  "repository",
  "rules",
  "safe-code",
  "tiers",
  "words",
].map((name) => `tests/${name}.test.ts`);

/** Files of the project `workers` that try every call, page or statement in turn. Together they take as long as all others,
 *  so `npm run test:all` has them, as a step of their own with drawn seeds. */
export const SWEEPS = [
  "app/http/read-form",
  "app/use-cases/ending-steps",
  "app/use-cases/payments/money-failures",
  "app/use-cases/series/series.model",
  "app/use-cases/sessions/failures",
  "tests/again/again",
  "tests/again/own-things",
  "tests/again/shared-things",
  "tests/doors",
  "tests/edge-pages",
  "tests/fuzz/documented",
  "tests/fuzz/fuzz",
  "tests/hostile-input",
  "tests/instants",
  "tests/lists",
  "tests/load/costs",
  "tests/load/edge",
  "tests/outsiders",
  "tests/pointers",
  "tests/private-huts",
  "tests/required-fields",
  "tests/roles/calls",
  "tests/roles/forms",
  "tests/roles/pages",
  "tests/row-bytes",
  "tests/typed-again/typed-again",
  "tests/writing",
  "workers/bearer",
].map((name) => `${name}.workers.test.ts`);

/** The tag of the journeys of `npm test`. */
export const MAIN_TAG = "@main";
/** The folder of all journeys. */
export const JOURNEYS = "tests/journeys";
/** The journeys that draw their pages, which `seeds` runs with other seeds. */
export const DRAWN_JOURNEYS = "journeys/accessibility.spec.ts";

/** The seed of `npm test`: each property's own, or the default of vitest.config.ts. The step `seeds` draws numbers. */
export const FIXED_SEED = "fixed";

const FOLDERS = ["app", "db", "tests", "workers"];

/** The paths of all test files and journeys. */
export const testFiles = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name.replaceAll("\\", "/")}`,
    ),
  ).filter((path) => /\.(test|spec)\.tsx?$/.test(path));

const DRAWS = /from "fast-check"|\/property-seed"/;

/** Whether a file draws by itself, and the modules of the tests that it imports. */
function factsOf(path) {
  const text = readFileSync(join(ROOT, path), "utf8");
  const imported = [...text.matchAll(/ from "((?:\.|#tests)[^"]*)"/g)]
    .map(([, from = ""]) => (from.startsWith("#") ? from.slice(1) : join(path, "..", from)))
    .map((module) => `${module}.ts`)
    .filter((module) => module.startsWith("tests/") && existsSync(join(ROOT, module)));
  return { isDrawing: DRAWS.test(text), imported };
}

/** The files of vitest whose values depend on the seed, by themselves or by a module of the tests that they import. */
export function drawingFiles() {
  const facts = new Map();
  const of = (path) => facts.get(path) ?? facts.set(path, factsOf(path)).get(path);
  const draws = (path) => {
    const reached = new Set([path]);
    // A set grows while it is iterated.
    for (const module of reached) for (const next of of(module).imported) reached.add(next);
    return [...reached].some((module) => of(module).isDrawing);
  };
  return testFiles().filter((path) => /\.test\.tsx?$/.test(path) && draws(path));
}
